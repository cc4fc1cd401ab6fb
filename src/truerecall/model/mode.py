"""How queries are put to an index: one by one, in batches, or by several clients at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from truerecall.errors import InputError

Kind = Literal["one-by-one", "batch", "clients"]


@dataclass(frozen=True)
class Mode:
    """``one-by-one``: a caller who waits for each answer. ``batch``: the same, with ``size`` queries in each call.
    ``clients``: so many callers at once, each in a thread of its own, asking its next query when the last is answered
    (a closed loop: while an answer stalls, nobody asks, so queueing does not show).

    Written ``one-by-one``, ``batch:64``, ``clients:4``.
    """

    kind: Kind = "one-by-one"
    size: int = 1

    def __str__(self) -> str:
        return self.kind if self.kind == "one-by-one" else f"{self.kind}:{self.size}"

    @classmethod
    def parse(cls, text: str) -> Mode:
        """The inverse of ``str``. Raises InputError."""
        kind, colon, size = text.strip().partition(":")
        if kind == "one-by-one" and not colon:
            return cls()
        if kind in ("batch", "clients") and size.isascii() and size.isdigit() and int(size) > 0:
            return cls("batch" if kind == "batch" else "clients", int(size))
        raise InputError(f"the mode {text!r} is none", "give one-by-one, or as batch:64, or as clients:4")


ONE_BY_ONE = Mode()
