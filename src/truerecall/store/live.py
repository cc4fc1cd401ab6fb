"""Addresses of what lies in a live engine: ``ENGINE:NAME``, as ``pgvector:TABLE?id=ID&vector=COLUMN``."""

from __future__ import annotations

from pathlib import Path

from truerecall import shelf
from truerecall.errors import plain_name


def live_name(path: Path | str) -> tuple[str, str] | None:
    """The engine and the name in it that an address stands for; None for a file, also one that bears such a name."""
    engine, colon, name = str(path).partition(":")
    if not colon or Path(path).exists():
        return None
    known = {plain_name(own): own for own in shelf.engines.names()}
    own = known.get(plain_name(engine))
    return None if own is None else (own, name)
