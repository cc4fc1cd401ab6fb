"""Answers as Python values: a list for each query, with gaps, failures and ids of any kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerecall.errors import FormatError
from truerecall.model.arrays import Booleans, Floats, Ids, texts
from truerecall.model.foreign import ForeignLists, Nearer, without_padding
from truerecall.store.attributes.ids import ids_of_values


@dataclass(frozen=True)
class Entry:
    """What came back for one query. ``ids`` None: nothing did. A gap among the ids, or a number that is not given, is
    None. ``failure``: the error, empty where the query was answered."""

    query: Any
    ids: Sequence[Any] | None
    numbers: Sequence[Any] | None = None
    failure: str = ""

    @property
    def error(self) -> str:
        return self.failure or ("no list" if self.ids is None else "")


def lists_of_entries(
    entries: Sequence[Entry], *, what: str, nearer: Nearer = "unsaid", by_number: bool = False,
    remarks: tuple[str, ...] = (),
) -> ForeignLists:  # fmt: skip
    """The lists, one for each entry; query ids where every entry has one. Raises InputError and FormatError."""
    ids, held = ids_of_some([value for entry in entries for value in entry.ids or ()], what=what)
    named = [entry.query for entry in entries]
    if any(query is None for query in named) and any(query is not None for query in named):
        raise FormatError(f"{what}: some lists have a query id and some have none", "give one for each")
    failures = [entry.error for entry in entries]
    return without_padding(
        ids,
        held,
        np.array([len(entry.ids or ()) for entry in entries], np.int64),
        _numbers(entries, what),
        query_ids=None if None in named or not named else ids_of_values(alike(named), what=f"{what} (query ids)"),
        failures=texts(failures) if any(failures) else None,
        nearer=nearer,
        by_number=by_number,
        remarks=remarks,
    )


def alike(values: list[Any]) -> list[Any]:
    """All strings where some are: ids that a double cannot carry stand as strings beside smaller ones that do not."""
    return [str(value) for value in values] if {type(value) for value in values} == {int, str} else values


def ids_of_some(values: list[Any], *, what: str) -> tuple[Ids, Booleans]:
    """Values as ids, and which of them are there: None and the empty string are none."""
    if {list, dict, tuple} & set(map(type, values)):
        raise FormatError(f"{what} holds lists or objects where an id was expected", "give a flat list for each query")
    held = np.array([value is not None and value != "" for value in values], np.bool_)
    real = alike([value for value, is_held in zip(values, held, strict=True) if is_held])
    filled = np.full(len(values), "" if not real or isinstance(real[0], str) else 0, object)
    filled[held] = real
    return ids_of_values(filled.tolist(), what=what), held


def numbers_of_some(values: Sequence[Any], *, what: str) -> Floats:
    """Values as numbers, NaN for None. Raises FormatError for what is no number."""
    strange = [v for v in values if v is not None and (isinstance(v, bool) or not isinstance(v, int | float))]
    if strange:
        raise FormatError(f"{what} has the distance, score or rank {strange[0]!r}", "write numbers")
    return np.array([np.nan if value is None else value for value in values], np.float64)


def _numbers(entries: Sequence[Entry], what: str) -> Floats | None:
    if all(entry.numbers is None for entry in entries):
        return None
    flat: list[Any] = []
    for place, entry in enumerate(entries):
        length = len(entry.ids or ())
        own = [None] * length if entry.numbers is None else entry.numbers
        if len(own) != length:
            raise FormatError(f"{what}: list {place} has {length} ids and {len(own)} numbers", "give one for each")
        flat += own
    return numbers_of_some(flat, what=what)
