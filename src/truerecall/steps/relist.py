"""The lists of a truth as they are after a change of the corpus: merged where that is enough, else scanned for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from truerecall.errors import StaleTruth
from truerecall.model.arrays import Booleans, Ids, Integers
from truerecall.model.eligibility import Eligibility
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.ledger import Changes
from truerecall.model.neighbors import Neighbors
from truerecall.model.selected import SelectedSource
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus
from truerecall.scan.near import Near, rows_within
from truerecall.scan.problem import Problem
from truerecall.steps.deep import Deep, only
from truerecall.steps.merge import Merged, Stored, merge, reaches

MOST_NEW = 0.5
"""The share of rows that are new beyond which every query is scanned anew."""


@dataclass(frozen=True, eq=False)
class Relisted:
    """The lists of a problem's queries, slack included, and the counts at their cuts; ``rescanned`` queries took a scan
    of the whole corpus, and ``pairs_looked_at`` of query and row were measured for all of it."""

    lists: Neighbors
    nearer: Integers
    tied: Integers
    rescanned: int
    pairs_looked_at: int


def relisted(
    truth: GroundTruth,
    problem: Problem,
    place: Integers,
    changes: Changes,
    depth: int,
    scan: Callable[[Problem], Deep],
) -> Relisted:
    """The lists to ``depth`` over the problem's corpus. ``place``: where the truth has each query of the problem;
    ``changes``: from the corpus of the truth to that of the problem; ``scan`` finds what cannot be merged."""
    ids = problem.corpus.ids
    new = np.zeros(len(ids), np.bool_)
    new[rows_of(np.concatenate([changes.added, changes.changed]), ids)] = True
    merged, looked_at = _merged(problem, _stored(truth, place, ids, new), new, changes, depth)
    again = np.flatnonzero(~merged.sure)
    lists = Neighbors(ids[merged.rows], merged.distances, merged.offsets)
    nearer, tied = merged.nearer.copy(), merged.tied.copy()
    if len(again):
        found = scan(only(problem, again))
        nearest = found.nearest
        lists = _replaced(lists, again, Neighbors(ids[nearest.rows], problem.distances(nearest.keys), nearest.starts))
        nearer[again], tied[again] = found.nearer, found.tied
        looked_at += int(problem.eligible()[again].sum())
    return Relisted(lists, nearer, tied, len(again), looked_at)


def _stored(truth: GroundTruth, place: Integers, ids: Ids, new: Booleans) -> Stored:
    """What the truth holds of the queries at ``place``. ``new``: the rows that it does not know as they are now."""
    if truth.upkeep is None or bool((place == NO_ROW).any()):
        raise StaleTruth("the truth does not hold every query, or keeps no ledger", "build it anew")
    known = truth.neighbors.followed_by(truth.upkeep.slack).of_queries(place)
    rows = rows_of(known.ids, ids)
    rows[(rows != NO_ROW) & new[rows]] = NO_ROW
    complete = known.lengths >= truth.eligible[place]
    return Stored(rows, known.distances, known.offsets, complete, truth.nearer[place], truth.tied[place])


def _merged(
    problem: Problem, stored: Stored, new: Booleans, changes: Changes, depth: int
) -> tuple[Merged, int]:  # fmt: skip
    """The lists with what came and without what went, and how many pairs were looked at for it."""
    n, source, usable = len(problem.queries), problem.corpus.source, problem.eligibility.rows
    coming = np.flatnonzero(new if usable is None else new & usable)
    nothing = np.empty(0, np.int64)
    came = Near(nothing, nothing, np.empty(0), np.zeros(n, np.bool_))
    looked_at = 0
    if len(coming) > MOST_NEW * source.rows:
        came = replace(came, crowded=np.ones(n, np.bool_))
    elif len(coming):
        part = replace(problem, corpus=Corpus(SelectedSource(source, coming, source.name)))
        near = rows_within(part, reaches(problem, stored), most=max(1000, 8 * depth))
        kept = _allowed(problem.eligibility, near.queries, coming[near.rows], source.rows)
        came = Near(near.queries[kept], coming[near.rows][kept], near.keys[kept], near.crowded)
        looked_at = n * len(coming)
    merged = merge(problem, stored, came, depth=depth, lost=bool(len(changes.removed) or len(changes.changed)))
    return merged, looked_at + merged.pairs_measured


def _allowed(eligibility: Eligibility, queries: Integers, rows: Integers, corpus_rows: int) -> Booleans:
    """Which pairs are of a row that is not excluded for its query."""
    excluded = eligibility.excluded
    if excluded is None:
        return np.ones(len(rows), np.bool_)
    gone = np.repeat(np.arange(len(excluded.offsets) - 1), excluded.lengths) * corpus_rows + excluded.rows
    return ~np.isin(queries * corpus_rows + rows, gone)


def _replaced(known: Neighbors, queries: Integers, lists: Neighbors) -> Neighbors:
    """``known`` with the lists of some queries in place of its own."""
    n = len(known)
    others = np.setdiff1d(np.arange(n), queries)
    kept = known.of_queries(others).spread(others, n)
    return kept.followed_by(lists.spread(queries, n))
