"""The slow scan: every row in float64, for the queries that the fast one could not prove."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerecall.kernels.distances import order_keys
from truerecall.kernels.exact import Pairs, keys_at_cut, ordered
from truerecall.model.arrays import Floats, Integers
from truerecall.model.progress import Progress
from truerecall.scan.problem import Found, Problem


def scan_direct(problem: Problem, known: Found, wanted: Integers, progress: Progress) -> Found:
    """``known`` with the queries ``wanted`` replaced by what a look at every row finds: once to find the cut, once
    to count what ties there."""
    if not len(wanted):
        return known
    source, name, queries = problem.corpus.source, problem.distance.name, problem.queries.vectors
    best = [_Best(problem) for _ in wanted]
    progress.start("scanning in float64", 2 * source.rows, "rows")
    for start, block in source.blocks(problem.block_rows):
        for place, query in enumerate(wanted):
            best[place].offer(start, order_keys(name, queries[query], block))
        progress.advance(len(block))
    pairs = ordered(
        np.repeat(np.arange(len(wanted)), [len(b.rows) for b in best]),
        np.concatenate([b.rows for b in best]),
        np.concatenate([b.keys for b in best]),
        problem.ranks,
        len(wanted),
    )
    at_cut = problem.distances(keys_at_cut(pairs, problem.k))
    bands = problem.bands(at_cut)
    nearer, tied = np.zeros((2, len(wanted)), np.int64)
    for _, block in source.blocks(problem.block_rows):
        for place, query in enumerate(wanted):
            offset = problem.distances(order_keys(name, queries[query], block)) - at_cut[place]
            nearer[place] += int((offset < -bands[place]).sum())
            tied[place] += int((np.abs(offset) <= bands[place]).sum())
        progress.advance(len(block))
    return _merged(problem, known, wanted, pairs, nearer, tied)


class _Best:
    """The k best rows of one query so far, by exact key and tie rank."""

    def __init__(self, problem: Problem) -> None:
        self.rows: Integers = np.empty(0, np.int64)
        self.keys: Floats = np.empty(0)
        self._k, self._ranks = problem.k, problem.ranks

    def offer(self, start: int, keys: Floats) -> None:
        cut = self.keys[-1] if len(self.keys) == self._k else np.inf
        if len(keys) > self._k:
            cut = min(cut, np.partition(keys, self._k - 1)[self._k - 1])
        promising = np.flatnonzero(keys <= cut)
        if not len(promising):
            return
        rows, keys = np.concatenate((self.rows, start + promising)), np.concatenate((self.keys, keys[promising]))
        order = np.lexsort((rows if self._ranks is None else self._ranks[rows], keys))[: self._k]
        self.rows, self.keys = rows[order], keys[order]


def _merged(problem: Problem, known: Found, wanted: Integers, pairs: Pairs, nearer: Integers, tied: Integers) -> Found:
    kept = ~np.isin(known.nearest.queries, wanted)
    nearest = ordered(
        np.concatenate((known.nearest.queries[kept], wanted[pairs.queries])),
        np.concatenate((known.nearest.rows[kept], pairs.rows)),
        np.concatenate((known.nearest.keys[kept], pairs.keys)),
        problem.ranks,
        len(problem.queries),
    )
    all_nearer, all_tied, proved = known.nearer.copy(), known.tied.copy(), known.proved.copy()
    all_nearer[wanted], all_tied[wanted], proved[wanted] = nearer, tied, True
    return replace(known, nearest=nearest, nearer=all_nearer, tied=all_tied, proved=proved)
