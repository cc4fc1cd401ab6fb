"""What came back, as neighbours: row numbers under the ids of the corpus, each with its true distance.

An engine's own distances are never used. They come squared, negated or from a compressed copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from truerecall.errors import EngineFailed, InputError
from truerecall.kernels.distances import distances_of_keys
from truerecall.model.arrays import Booleans, Ids, Integers, texts
from truerecall.model.engine import Answer
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.neighbors import Neighbors, offsets_of
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.scan.finish import exact_keys


def true_neighbors(answers: Sequence[Integers], corpus: Corpus, queries: QuerySet, distance: str) -> Neighbors:
    """The answers, one per query, with distances in float64 from the vectors as they stand in the corpus.

    Raises EngineFailed for a row number that the corpus does not have.
    """
    offsets = offsets_of(np.array([len(answer) for answer in answers], np.int64))
    rows = np.concatenate(answers)
    strange = rows[(rows < 0) | (rows >= corpus.source.rows)]
    if len(strange):
        raise EngineFailed(
            f"the engine returned row {strange[0]} and {corpus.source.name} has {corpus.source.rows}",
            "report it to the authors of the engine",
        )
    asking = np.repeat(np.arange(len(answers)), np.diff(offsets))
    ids = rows if corpus.given_ids is None else corpus.given_ids[rows]
    keys = exact_keys(corpus.source, queries.vectors, distance, asking, rows)
    return Neighbors(ids, distances_of_keys(distance, keys), offsets)


def named_neighbors(answers: Sequence[Answer], corpus: Corpus, queries: QuerySet, distance: str) -> Neighbors:
    """The same of answers that name rows by the ids that these bear in an engine. An id that no row of the corpus bears
    stays among them, without a distance.

    Raises InputError where the ids are of another kind than those of the corpus.
    """
    offsets = offsets_of(np.array([len(answer) for answer in answers], np.int64))
    ids = _as_those_of(corpus, [own for answer in answers for own in np.asarray(answer, object).tolist()])
    rows = rows_of(ids, corpus.ids)
    known = np.flatnonzero(rows != NO_ROW)
    asking = np.repeat(np.arange(len(answers)), np.diff(offsets))
    distances = np.full(len(ids), np.nan)
    keys = exact_keys(corpus.source, queries.vectors, distance, asking[known], rows[known])
    distances[known] = distances_of_keys(distance, keys)
    return Neighbors(ids, distances, offsets)


def unknown_ids(neighbors: Neighbors, corpus: Corpus) -> int:
    """How many of the ids no row of the corpus bears."""
    return int((rows_of(neighbors.ids, corpus.ids) == NO_ROW).sum())


def without_ineligible(neighbors: Neighbors, corpus: Corpus, rows: Booleans) -> tuple[Neighbors, int]:
    """The same neighbours, those that may not answer without a distance, and how many these are. ``rows``: True for
    each row of the corpus that may."""
    place = rows_of(neighbors.ids, corpus.ids)
    wrong = (place != NO_ROW) & ~rows[place]
    return Neighbors(neighbors.ids, np.where(wrong, np.nan, neighbors.distances), neighbors.offsets), int(wrong.sum())


def _as_those_of(corpus: Corpus, ids: list[Any]) -> Ids:
    """Ids of the kind that the corpus has; its strings may name what are numbers in the engine."""
    if corpus.id_kind == "string":
        return texts([str(own) for own in ids])
    strings = [own for own in ids if not isinstance(own, int)]
    if strings:
        raise InputError(
            f"the index names its rows {strings[0]!r} and {corpus.source.name} has whole numbers for ids",
            "give --ids with the ids that the rows bear in the engine",
        )
    signed = all(own <= np.iinfo(np.int64).max for own in ids)
    return np.array(ids, np.int64 if signed else np.uint64)
