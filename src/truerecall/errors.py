"""Every error that truerecall raises on purpose, and the exit status that each one means.

    TruerecallError            70   never raised itself
    ├── InputError              2   what the user gave cannot be used
    │   ├── UnknownName         2   a setting, engine or measure that does not exist; suggests near ones
    │   ├── FormatError         2   a file whose bytes are not what its name or header says
    │   ├── MissingExtra        2   an optional library that is not installed
    │   ├── Incapable           2   what an engine does not offer
    │   └── UnservedDistance    2   a distance that an engine cannot search by
    ├── RequirementNotMet       1   a stated requirement does not hold
    └── NotAMeasurement         3   a number exists but would not mean what it says
        ├── StaleTruth          3   the truth describes other vectors
        └── EngineFailed        3   the engine or a database could not be built, reached or asked

A message is one line in two halves: what was seen, and what to do about it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any, ClassVar


class TruerecallError(Exception):
    """What was seen, and what the user can do about it."""

    exit_status: ClassVar[int] = 70

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(problem, remedy)
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        return " ".join(f"{self.problem}; {self.remedy}".split())

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors come back from another process as themselves, also those that are made from other words."""
        return _again, (type(self), self.problem, self.remedy)


class InputError(TruerecallError):
    """The user gave something that cannot be used."""

    exit_status = 2


class UnknownName(InputError):
    """A name that is not among the known ones. Names compare without case, and ``-`` equals ``_``."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(set(known))
        near = nearest_name(name, names)
        if near is not None:
            remedy = f"did you mean {near}?"
        elif names:
            remedy = f"known are: {', '.join(names)}"
        else:
            remedy = "there are none here"
        super().__init__(f"unknown {kind} {name}", remedy)


class FormatError(InputError):
    """A file whose bytes are not what its name or its header says."""


class MissingExtra(InputError):
    """An optional library is not installed."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"{library} is not installed", f"run: pip install 'truerecall[{extra}]'")


class Incapable(InputError):
    """An engine was asked for what it does not offer."""

    def __init__(self, engine: str, capability: str) -> None:
        super().__init__(f"{engine} cannot {VERBS.get(capability, capability)}", "truerecall engines says which can")


class UnservedDistance(InputError):
    """An engine was asked to search by a distance that is not among its own."""

    def __init__(self, engine: str, distance: str, served: Iterable[str]) -> None:
        super().__init__(f"{engine} has no {distance}", f"choose one of: {', '.join(served)}")


VERBS = {
    "build": "build an index",
    "attach": "attach to an index that exists",
    "save": "save an index",
    "exact": "search exhaustively on demand",
    "source": "give its vectors back",
    "filter": "filter by attributes",
    "delete": "delete rows",
    "update": "change rows",
}


class RequirementNotMet(TruerecallError):
    """A requirement that the user stated does not hold."""

    exit_status = 1


class NotAMeasurement(TruerecallError):
    """A number could be computed, but it would not mean what it says."""

    exit_status = 3


class StaleTruth(NotAMeasurement):
    """The ground truth describes other vectors than the ones at hand."""


class EngineFailed(NotAMeasurement):
    """The engine, or a database, could not be built, reached or asked."""


def _again(kind: type[TruerecallError], problem: str, remedy: str) -> TruerecallError:
    error = kind.__new__(kind)
    TruerecallError.__init__(error, problem, remedy)
    return error


def plain_name(name: str) -> str:
    """The form in which names are compared: lower case, with ``_`` for ``-``."""
    return name.strip().lower().replace("-", "_")


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """The known name that looks most like ``name``, or None where none is near."""
    by_plain = {plain_name(k): k for k in known}
    close = difflib.get_close_matches(plain_name(name), by_plain, n=1, cutoff=0.6)
    return by_plain[close[0]] if close else None
