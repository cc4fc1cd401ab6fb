"""How something that lies in an engine is named: ``NAME?option=value&option=value``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import parse_qsl

from truerecall.errors import InputError, UnknownName


def parsed(address: str, options: Sequence[str]) -> tuple[str, Mapping[str, str]]:
    """What stands before the question mark, as it is, and the options behind it. Raises InputError."""
    name, _, query = address.partition("?")
    if not name:
        raise InputError(f"{address!r} names nothing", f"write NAME?{'=...&'.join(options)}=...")
    given = parse_qsl(query, keep_blank_values=True)
    for option, value in given:
        if option not in options:
            raise UnknownName("option", option, options)
        if not value:
            raise InputError(f"{option} is empty in {address}", f"write {option}=...")
    found = dict(given)
    if len(found) < len(given):
        raise InputError(f"an option is given twice in {address}", "give it once")
    return name, found
