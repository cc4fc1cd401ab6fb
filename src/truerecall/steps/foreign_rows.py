"""Bring neighbour lists from elsewhere to row numbers and to the order of the queries, and refuse what cannot be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerecall.errors import InputError, StaleTruth
from truerecall.model.arrays import Floats, Ids, Integers
from truerecall.model.foreign import ForeignLists
from truerecall.model.ids import NO_ROW, double_rounded, refuse_repeated, row_numbers, rows_of
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.store.attributes.ids import ids_of_kind

PADDING = -1


@dataclass(frozen=True, eq=False)
class RowLists:
    """Pairs of a query's place and a row, by query and in the order of its list. ``distances`` as the file has them."""

    queries: int
    asking: Integers
    rows: Integers
    distances: Floats | None


def rows_of_lists(lists: ForeignLists, corpus: Corpus, queries: QuerySet, *, name: str, by_row: bool) -> RowLists:
    """The lists as row numbers, one for each query. Raises StaleTruth and InputError (see ``import_truth``)."""
    if lists.query_ids is None and len(lists) != len(queries):
        raise StaleTruth(
            f"{name} holds {len(lists)} lists and {queries.name} {len(queries)} queries",
            "give the neighbours of these queries",
        )
    place = _places_of_queries(lists, queries, name)
    named = None if by_row else corpus.given_ids
    if lists.padded and named is not None and bool((named == PADDING).any()):
        raise InputError(
            f"{corpus.source.name} has the id -1, which fills up the lists of {name}",
            "give the neighbours as .parquet or .json, which need no padding",
        )
    rows = _rows(lists, corpus, named, name)
    asking = np.repeat(place, np.diff(lists.offsets))
    order = np.argsort(asking, kind="stable")
    asking, rows = asking[order], rows[order]
    _refuse_repeats(asking, rows, name)
    return RowLists(len(queries), asking, rows, None if lists.distances is None else lists.distances[order])


def _places_of_queries(lists: ForeignLists, queries: QuerySet, name: str) -> Integers:
    """For each list the place of its query; a file without query ids is in the order of the queries."""
    if lists.query_ids is None:
        return np.arange(len(queries))
    query_ids = ids_of_kind(lists.query_ids, queries.id_kind, what=f"{name} (query ids)")
    refuse_repeated(query_ids, what=f"{name} (query ids)")
    place = rows_of(query_ids, queries.ids)
    strange = query_ids[place == NO_ROW]
    if len(strange):
        raise StaleTruth(
            f"{name}: {len(strange)} of {len(query_ids)} lists are of queries that are not in {queries.name}"
            f" (first: {strange[0]})",
            "give the neighbours of these queries",
        )
    missing = np.setdiff1d(np.arange(len(queries)), place)
    if len(missing):
        raise StaleTruth(
            f"{name}: {len(missing)} of {len(queries)} queries of {queries.name} have no list"
            f" (first: {queries.ids[missing[0]]})",
            "give the neighbours of all queries",
        )
    return place


def _rows(lists: ForeignLists, corpus: Corpus, named: Ids | None, name: str) -> Integers:
    count = corpus.source.rows
    kind = "row" if named is None else corpus.id_kind
    ids = ids_of_kind(lists.ids, kind, what=name)
    rows = rows_of(ids, row_numbers(count) if named is None else named)
    strange = ids[rows == NO_ROW]
    if not len(strange):
        return rows
    if named is None:
        beyond = strange[strange >= 0]
        if len(beyond):
            are = "is" if len(beyond) == 1 else "are"
            raise StaleTruth(
                f"{name}: {len(beyond)} of {len(ids)} true ids {are} >= {count} rows (largest {beyond.max()}):"
                " truth of a larger corpus",
                "give the truth of this corpus",
            )
        raise InputError(f"{name}: {len(strange)} of {len(ids)} row numbers are negative (first: {strange[0]})",
                         "give row numbers from 0 on")  # fmt: skip
    why = "; each is the double-rounded form of an id of it" if double_rounded(strange, named) else ""
    raise StaleTruth(
        f"{name}: {len(strange)} of {len(ids)} ids are not in {corpus.source.name} (first: {strange[0]}){why}",
        "write ids as whole numbers of 64 bits or as strings" if why
        else "give the truth of this corpus, or use --by row if these are row numbers",
    )  # fmt: skip


def _refuse_repeats(asking: Integers, rows: Integers, name: str) -> None:
    order = np.lexsort((rows, asking))
    again = (np.diff(asking[order]) == 0) & (np.diff(rows[order]) == 0)
    count = len(np.unique(asking[order][1:][again]))
    if count:
        raise InputError(
            f"{name}: {count} lists hold an id twice (first: list {asking[order][1:][again][0]})",
            "give lists of distinct neighbours",
        )
