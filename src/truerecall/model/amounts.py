"""How people write sizes and shares: ``2GB``, ``0.1%``."""

from __future__ import annotations

import re

from truerecall.errors import InputError

SIZES = {
    "": 1,
    "k": 10**3,
    "m": 10**6,
    "g": 10**9,
    "t": 10**12,
    "ki": 2**10,
    "mi": 2**20,
    "gi": 2**30,
    "ti": 2**40,
}


def parse_size(text: str) -> int:
    """Bytes in ``256MB``, ``2GB``, ``1GiB``, ``512k`` or ``1000``. k, M, G, T are powers of 1000, Ki, Mi, Gi, Ti of
    1024."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?i?)b?", text.strip().lower())
    if match is None or match[2] not in SIZES:
        raise InputError(f"{text!r} is not a size", "write it as 512MB, 2GB or 1GiB")
    size = int(float(match[1]) * SIZES[match[2]])
    if size < 1:
        raise InputError(f"{text!r} is no memory at all", "write a size above zero, as 2GB")
    return size


def parse_share(text: str) -> float:
    """A share between 0 and 1 in ``0.1%`` or ``0.001``."""
    match = re.fullmatch(r"([0-9]+\.?[0-9]*|\.[0-9]+)(\s*%)?", text.strip())
    share = None if match is None else float(match[1]) / (100 if match[2] else 1)
    if share is None or share > 1:
        raise InputError(f"{text!r} is no share of the rows", "write it as 0.1% or 0.001")
    return share
