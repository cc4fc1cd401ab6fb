"""What a live index or table is called: ``PLACE``, or ``PLACE?id=ID&vector=COLUMN``."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import parse_qsl

from truerecall.errors import InputError, UnknownName


def split_name(name: str, known: Iterable[str]) -> tuple[str, dict[str, str]]:
    """The place, and what was said of it. Raises UnknownName for what is not ``known``, InputError for
    an empty place."""
    place, _, rest = name.partition("?")
    said: dict[str, str] = {}
    for key, value in parse_qsl(rest, keep_blank_values=True):
        if key not in known:
            raise UnknownName("part of a name", key, known)
        if key in said:
            raise InputError(f"{name} says {key} twice", "say it once")
        said[key] = value
    if not place.strip():
        raise InputError(f"{name!r} names no place", "write PLACE or PLACE?vector=NAME")
    return place, said
