"""A setting whose value is one of a few words."""

from __future__ import annotations

from collections.abc import Iterable

from truerecall.errors import UnknownName
from truerecall.model.engine import Value


def checked_choice(name: str, value: Value, known: Iterable[str]) -> str:
    """The word, as it stands. Raises UnknownName with a suggestion."""
    words = tuple(known)
    if value not in words:
        raise UnknownName(name, str(value), words)
    return str(value)
