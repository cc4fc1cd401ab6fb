"""From plain tables, as a TOML file holds them, to frozen records, with everything that is wrong told at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin

import cattrs
from cattrs.errors import ForbiddenExtraKeysError

from truerecall.errors import InputError, UnknownName

R = TypeVar("R")


@dataclass(frozen=True)
class Read:
    """Stands in the annotation of a field and says how its value is read. ``parse`` raises InputError."""

    parse: Callable[[Any], Any]


@dataclass(frozen=True)
class Problem:
    """What is wrong with a value: where it stands, what was seen, and what to do. ``absent``: there is none."""

    place: str
    problem: str
    remedy: str
    absent: bool = False

    @property
    def key(self) -> str:
        """The key at the top under which it lies; empty where it lies under none."""
        return self.place.split(".")[0].split("[")[0]

    def __str__(self) -> str:
        return f"{self.place}: {self.problem} ({self.remedy})" if self.place else f"{self.problem} ({self.remedy})"


def structured(table: Mapping[str, Any], record: type[R], *, folder: Path) -> R | list[Problem]:
    """The record, or all that stands in its way. Names of files are seen from ``folder``; a Path stays as it is."""
    converter = cattrs.Converter(forbid_extra_keys=True)
    converter.register_structure_hook(Path, lambda value, _: _path(value, folder))
    converter.register_structure_hook_factory(_is_read, lambda kind: _reading(kind.__metadata__[0]))
    converter.register_structure_hook_factory(_is_list, lambda kind: _listing(converter, get_args(kind)[0]))
    try:
        return converter.structure(table, record)
    except cattrs.BaseValidationError as error:
        return list(_problems(error, ""))


def _is_read(kind: Any) -> bool:
    return get_origin(kind) is Annotated and isinstance(kind.__metadata__[0], Read)


def _is_list(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _reading(read: Read) -> Callable[[Any, Any], Any]:
    return lambda value, _: read.parse(value)


def _listing(converter: cattrs.Converter, kind: Any) -> Callable[[Any, Any], Any]:
    def structure(value: Any, _: Any) -> Any:
        if isinstance(value, Mapping):
            raise InputError("it is one table", "give a list of them: each under its name in double brackets")
        if not isinstance(value, list) or not value:
            raise InputError(f"it is {value!r}", "give a list of one or more")
        return tuple(converter.structure(value, list[kind]))

    return structure


def _path(value: Any, folder: Path) -> Path:
    if isinstance(value, Path):
        return value
    if not isinstance(value, str) or not value:
        raise InputError(f"it is {value!r}", "name a file")
    return folder / value


def _problems(error: Any, place: str) -> Iterator[Problem]:
    if isinstance(error, cattrs.BaseValidationError):
        parted: Any = error
        for own, note in parted.group_exceptions()[0]:
            yield from _problems(own, _below(place, note))
        for own in parted.group_exceptions()[1]:
            yield from _problems(own, place)
    elif isinstance(error, ForbiddenExtraKeysError):
        known = [field.name for field in fields(error.cl)]
        for name in sorted(error.extra_fields):
            unknown = UnknownName("key", name, known)
            yield Problem(place, unknown.problem, unknown.remedy)
    elif isinstance(error, InputError):
        yield Problem(place, error.problem, error.remedy)
    elif isinstance(error, KeyError):
        yield Problem(place, "it is missing", "name it", absent=True)
    else:  # a value where a table belongs
        yield Problem(place, "it is no table", "give names with values")


def _below(place: str, note: Any) -> str:
    own = getattr(note, "name", None)
    if own is None:
        own = note.index
    if isinstance(own, int):
        return f"{place}[{own}]"
    return f"{place}.{own}" if place else str(own)
