"""The slow scan: every eligible row in float64, for the queries that the fast one does not prove."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerecall.kernels.distances import order_keys
from truerecall.kernels.exact import ordered
from truerecall.model.arrays import Booleans, Floats, Integers, Vectors
from truerecall.model.progress import Progress
from truerecall.scan.finish import merged
from truerecall.scan.problem import Found, Problem


def scan_direct(problem: Problem, known: Found, wanted: Integers, progress: Progress) -> Found:
    """``known`` with the queries ``wanted`` replaced by what a look at every row finds: once to find the cut, once
    to count what ties there."""
    if not len(wanted):
        return known
    best = [_Best(problem) for _ in wanted]
    progress.start("scanning in float64", 2 * problem.corpus.source.rows, "rows")
    for place, rows, keys in _keys(problem, wanted, progress):
        best[place].offer(rows, keys)
    depths = np.minimum(problem.k, problem.eligible()[wanted])
    at_cut = problem.distances(
        np.array([b.keys[depth - 1] if depth else np.nan for b, depth in zip(best, depths, strict=True)])
    )
    bands = problem.bands(at_cut)
    nearer, tied = np.zeros((2, len(wanted)), np.int64)
    for place, _, keys in _keys(problem, wanted, progress):
        offset = problem.distances(keys) - at_cut[place]
        nearer[place] += int((offset < -bands[place]).sum())
        tied[place] += int((np.abs(offset) <= bands[place]).sum())
    pairs = ordered(
        np.repeat(np.arange(len(wanted)), [len(b.rows) for b in best]),
        np.concatenate([b.rows for b in best]),
        np.concatenate([b.keys for b in best]),
        problem.ranks,
        len(wanted),
    )
    looked = Found(pairs, nearer, tied, np.ones(len(wanted), bool), 0)
    return merged(problem, known, wanted, looked)


def _keys(problem: Problem, wanted: Integers, progress: Progress) -> Iterator[tuple[int, Integers, Floats]]:
    """Piece by piece: a query's place among ``wanted``, rows that may answer it, and their keys."""
    if problem.eligibility.allowed is not None:
        yield from _keys_of_lists(problem, wanted, progress)
        return
    for start, block in problem.corpus.source.blocks(problem.block_rows):
        numbers = np.arange(start, start + len(block))
        for place, query in enumerate(wanted):
            keep = _eligible(problem, int(query), numbers)
            rows, vectors = (numbers, block) if keep is None else (numbers[keep], block[keep])
            if len(rows):
                yield place, rows, _order_keys(problem, int(query), vectors)
        progress.advance(len(block))


def _keys_of_lists(problem: Problem, wanted: Integers, progress: Progress) -> Iterator[tuple[int, Integers, Floats]]:
    """As ``_keys``, where each query has a list of its own: only its rows are read."""
    source = problem.corpus.source
    for place, query in enumerate(wanted):
        rows = problem.eligibility.rows_for(int(query), source.rows)
        for start in range(0, len(rows), problem.block_rows):
            part = rows[start : start + problem.block_rows]
            yield place, part, _order_keys(problem, int(query), source.take(part))
    progress.advance(source.rows)


def _order_keys(problem: Problem, query: int, vectors: Vectors) -> Floats:
    return order_keys(problem.distance.name, problem.queries.vectors[query], vectors)


def _eligible(problem: Problem, query: int, rows: Integers) -> Booleans | None:
    """Which of these rows may answer the query; None where all may."""
    eligibility = problem.eligibility
    keep = None if eligibility.rows is None else eligibility.rows[rows]
    excluded = () if eligibility.excluded is None else eligibility.excluded.of(query)
    if len(excluded):
        other = np.isin(rows, excluded, assume_unique=True, invert=True)
        keep = other if keep is None else keep & other
    return keep


class _Best:
    """The k best rows of one query so far, by exact key and tie rank."""

    def __init__(self, problem: Problem) -> None:
        self.rows: Integers = np.empty(0, np.int64)
        self.keys: Floats = np.empty(0)
        self._k, self._ranks = problem.k, problem.ranks

    def offer(self, rows: Integers, keys: Floats) -> None:
        cut = self.keys[-1] if len(self.keys) == self._k else np.inf
        if len(keys) > self._k:
            cut = min(cut, np.partition(keys, self._k - 1)[self._k - 1])
        promising = np.flatnonzero(keys <= cut)
        if not len(promising):
            return
        rows, keys = np.concatenate((self.rows, rows[promising])), np.concatenate((self.keys, keys[promising]))
        order = np.lexsort((rows if self._ranks is None else self._ranks[rows], keys))[: self._k]
        self.rows, self.keys = rows[order], keys[order]
