"""Bind the answers of another system to the queries and ids of a truth: by id, never by order of arrival."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from truerecall.errors import InputError, StaleTruth
from truerecall.model.arrays import Booleans, Ids, texts
from truerecall.model.foreign import ForeignLists, Nearer, without_padding
from truerecall.model.ids import NO_ROW, id_kind, rows_of
from truerecall.model.neighbors import Neighbors
from truerecall.model.returned import Returned
from truerecall.model.truth import GroundTruth
from truerecall.steps.answer_distances import listed_distances
from truerecall.steps.answer_order import in_order
from truerecall.store.attributes.ids import ids_of_kind

PADDING = -1
FLOAT_SPELLING = re.compile(r"-?[0-9]+\.0+")


def bind_answers(
    lists: ForeignLists,
    truth: GroundTruth,
    *,
    name: str,
    query_ids: Ids | None = None,
    corpus_ids: Ids | None = None,
    by_row: bool = False,
    nearer: Nearer | None = None,
) -> Returned:
    """The lists under the ids of the truth, in the order in which a system ranked them.

    ``query_ids``: whose lists these are, where they do not say; the truth's queries, in order, where nothing says.
    ``corpus_ids``: those of all rows, where they are known; ``by_row``: the answers are row numbers of it. ``nearer``:
    what numbers mean that come with the lists. Distances are those that the truth knows.

    Raises StaleTruth where no list is of a query of the truth, InputError for ids that cannot be such.
    """
    lists = _with_ids(lists, truth, corpus_ids, by_row=by_row, name=name)
    bound, remarks = _queries(lists, truth, query_ids, name)
    asking = rows_of(bound, truth.query_ids)
    kept = asking != NO_ROW
    if not kept.any():
        raise StaleTruth(
            f"{name}: none of its {len(bound)} queries is in the truth (first: {bound[0]}, where the truth has"
            f" {truth.query_ids[0]})",
            "give answers to the queries of this truth, by the ids that it has for them",
        )
    lists, said = in_order(_only(lists, kept), asking[kept], truth, nearer)
    remarks = (*remarks, *said)
    listed = listed_distances(lists, asking[kept], truth)
    holes = np.zeros(len(lists.ids), np.bool_) if lists.holes is None else lists.holes
    strange = _strange(lists.ids, truth, corpus_ids) & ~holes
    return Returned(
        name=name,
        query_ids=bound[kept],
        failures=texts([""] * int(kept.sum())) if lists.failures is None else lists.failures,
        neighbors=Neighbors(lists.ids, listed, lists.offsets),
        holes=holes,
        known=~np.isnan(listed) | holes | strange,
        strange=strange,
        reported=lists.distances,
        lists=len(bound),
        unknown_queries=int((~kept).sum()),
        padding=lists.padding,
        by_position=lists.query_ids is None and query_ids is None,
        nearer=lists.nearer,
        remarks=(*lists.remarks, *remarks),
    )


def _with_ids(
    lists: ForeignLists, truth: GroundTruth, corpus_ids: Ids | None, *, by_row: bool, name: str
) -> ForeignLists:
    """The lists under ids of the corpus's kind, without padding: -1 is none, unless the corpus has such an id.

    Where the truth has row numbers and the rows have ids, these are translated; unknown ones become rows past the end.
    """
    held = np.ones(len(lists.ids), np.bool_) if lists.holes is None else ~lists.holes
    translated = truth.corpus.ids == "row" and corpus_ids is not None and not by_row
    kind = "row" if by_row else id_kind(corpus_ids) if translated else truth.corpus.ids
    _refuse_floats(lists.ids[held], kind, name)
    own = ids_of_kind(lists.ids[held], kind, what=name)
    bears = _bears_padding(truth, corpus_ids) and not by_row
    if bears and lists.padded and lists.padding:
        raise InputError(
            f"the corpus has the id {PADDING}, which fills up the lists of {name}",
            "give the answers as .parquet, .csv or .jsonl, which need no padding",
        )
    if not bears:
        real = (own != "") & (own != str(PADDING)) if own.dtype.kind == "T" else own != PADDING
        held[held] = real
        own = own[real]
    if by_row and truth.corpus.ids != "row":
        own = _named_rows(own, corpus_ids, name)
    if translated and corpus_ids is not None:
        rows = rows_of(own, corpus_ids)
        own = np.where(rows == NO_ROW, truth.corpus.rows + np.arange(len(rows)), rows)
    ids = np.zeros(len(held), own.dtype)
    ids[held] = own
    facts = {
        field: getattr(lists, field)
        for field in ("query_ids", "distance", "padded", "failures", "nearer", "by_number", "remarks")
    }
    trimmed = without_padding(ids, held, np.diff(lists.offsets), lists.distances, **facts)
    before = lists.padding if lists.holes is None else lists.padding - int(lists.holes.sum())
    return replace(trimmed, padding=trimmed.padding + before)


def _bears_padding(truth: GroundTruth, corpus_ids: Ids | None) -> bool:
    known = truth.neighbors.ids if corpus_ids is None else corpus_ids
    return known.dtype == np.int64 and bool((known == PADDING).any())


def _refuse_floats(ids: Ids, kind: str, name: str) -> None:
    """Raises InputError for whole numbers that were written as floating-point ones, which pandas does where some are
    missing."""
    if kind != "string" and ids.dtype.kind == "T" and len(ids) and FLOAT_SPELLING.fullmatch(str(ids[0])):
        raise InputError(
            f"{name} names the id {str(ids[0])!r}: whole numbers went through floating point, which cannot carry all",
            "write ids as whole numbers (in pandas: astype('Int64') before they are written)",
        )


def _named_rows(rows: Ids, corpus_ids: Ids | None, name: str) -> Ids:
    if corpus_ids is None:
        raise InputError(f"{name} holds row numbers and the ids of the rows are not at hand", "give --ids or --corpus")
    if len(rows) and not 0 <= int(rows.min()) <= int(rows.max()) < len(corpus_ids):
        raise InputError(
            f"{name} names row {rows.min() if rows.min() < 0 else rows.max()} of a corpus of {len(corpus_ids)} rows",
            "give row numbers of this corpus, counted from 0",
        )
    return corpus_ids[rows]


def _queries(lists: ForeignLists, truth: GroundTruth, given: Ids | None, name: str) -> tuple[Ids, tuple[str, ...]]:
    """The id of each list's query, of the truth's kind, and what is to be said of where it came from."""
    named = lists.query_ids if lists.query_ids is not None else given
    if named is None:
        if len(lists) != len(truth):
            raise StaleTruth(
                f"{name} holds {len(lists)} lists without query ids and the truth {len(truth)} queries",
                "give one list for each query in the truth's order, or say whose they are with --query-ids",
            )
        return truth.query_ids, ("it has no query ids: its lists are taken in the order of the truth's queries",)
    if len(named) != len(lists):
        raise InputError(f"{name} holds {len(lists)} lists and there are {len(named)} query ids", "give one for each")
    return ids_of_kind(named, truth.queries.ids, what=f"{name} (query ids)"), ()


def _only(lists: ForeignLists, kept: Booleans) -> ForeignLists:
    """The lists of some of the queries."""
    if kept.all():
        return lists
    places = np.repeat(kept, np.diff(lists.offsets))
    cut = {
        field: getattr(lists, field)[places] for field in ("distances", "holes") if getattr(lists, field) is not None
    }
    failures = None if lists.failures is None else lists.failures[kept]
    lengths = np.diff(lists.offsets)[kept]
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    return replace(lists, ids=lists.ids[places], offsets=offsets, failures=failures, query_ids=None, **cut)


def _strange(ids: Ids, truth: GroundTruth, corpus_ids: Ids | None) -> Booleans:
    """Which ids no row bears, as far as that can be told."""
    if corpus_ids is not None and truth.corpus.ids != "row":
        return np.asarray(rows_of(ids, corpus_ids) == NO_ROW)
    if truth.corpus.ids == "row":
        return np.asarray((ids < 0) | (ids >= truth.corpus.rows))
    return np.zeros(len(ids), np.bool_)
