"""How something that lies in an engine is named: ``NAME?option=value&option=value``."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import unquote

from truerecall.errors import InputError, UnknownName


def parsed(address: str, options: Sequence[str]) -> tuple[str, dict[str, str]]:
    """What stands before the question mark, as it is, and the options behind it, in which ``%26`` is an ``&``.

    Raises UnknownName for an option that is none of these, InputError for what says nothing.
    """
    name, _, rest = address.partition("?")
    write = f"write NAME?{'=...&'.join(options)}=..."
    if not name.strip():
        raise InputError(f"{address!r} names nothing", write)
    found: dict[str, str] = {}
    for part in rest.split("&") if rest else ():
        option, _, value = part.partition("=")
        if option not in options:
            raise UnknownName("option", option, options)
        if option in found:
            raise InputError(f"{option} is given twice in {address}", "give it once")
        if not value:
            raise InputError(f"{option} is empty in {address}", write)
        found[option] = unquote(value)
    return name, found
