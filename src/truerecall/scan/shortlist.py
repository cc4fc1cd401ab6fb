"""The scan that FAISS has, with rows to spare: it names the k nearest and some more, and exact keys decide.

FAISS computes a key for every pair in float32 from the vectors as they stand, by a sum of products in an order of its
own: under l2 also as |q|^2 + |x|^2 - 2 <q, x>. With u = 2^-24 and g = 1.01 (d + 8) u that is off by at most

    ip   g |q| |x|            l2   g (|q| + |x|)^2

and by (d + 2) 2^-125 for each unit of length where small numbers are lost. That is the *slack* of a query, for the
longest row. Every row that is not on the shortlist has a computed key of at least the last one that is, and so a true
one of no less than that and the slack below. Where that lies beyond the cut and its tie band, the list is proved. The
rounding of float64 keys is a 2^-28th of the bound and lies in its 1.01.

FAISS names no row, and says -1, where a key leaves the range of float32. Such a query is left to others, as is all
that is longer than SAFE_LENGTH.

No vector is copied and none is moved to a centre: far from the origin, or with rows of outlying length, the bound
would separate nothing, and the scan says that it does not suit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truerecall.kernels.candidates import MOST_DIMENSIONS, SAFE_LENGTH, UNIT
from truerecall.kernels.distances import keys_of_distances, order_keys, squared_lengths
from truerecall.kernels.exact import keys_at_cut
from truerecall.model.arrays import Booleans, Floats, Integers, Vectors
from truerecall.scan.finish import counted, exact_pairs
from truerecall.scan.problem import Found, Problem

DEEPEST = 2048
"""Longer lists than this are not what FAISS is fast at."""

MUCH_LONGER = 4.0
"""Rows this many times as long as is usual would widen the bound for everybody."""

TOO_COARSE = 1e-3
"""A slack of this share of the usual squared distance of two rows would separate nothing."""

MEASURED_ROWS = 2048
REHEARSED_ROWS = 4_096


class Unsuited(Exception):
    """These vectors need a scan that looks at them from a centre."""


class ShortlistScan:
    """One pass over the corpus, as ``ProposingScan`` is one. ``spare`` rows are listed beyond the k.

    For ``suits(problem)`` alone. Raises Unsuited from ``blocks`` where the vectors turn out not to suit.
    """

    method = "shortlist by faiss.knn"

    def __init__(self, problem: Problem, spare: int) -> None:
        self._problem = problem
        self._depth = min(problem.k + spare, problem.corpus.source.rows)
        self._numbers = np.empty((len(problem.queries), 0), np.float32)
        self._rows = np.empty((len(problem.queries), 0), np.int64)
        self._lengths = np.sqrt(squared_lengths(problem.queries.vectors))  # in float64: a bound may not lose small ones
        self._longest = 0.0
        self._next_row = 0
        self._pool = ThreadPoolExecutor(problem.workers)
        self._faiss = _faiss()
        self._threads_before = self._faiss.omp_get_max_threads()
        self._faiss.omp_set_num_threads(problem.workers)

    def __enter__(self) -> ShortlistScan:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._faiss.omp_set_num_threads(self._threads_before)
        self._pool.shutdown(cancel_futures=True)

    @property
    def next_row(self) -> int:
        """The first row that is not done."""
        return self._next_row

    def rehearse(self) -> int:
        """Work on some rows as on a block, and forget what comes of it; returns how many rows that was."""
        source = self._problem.corpus.source
        rows = source.take(np.arange(min(REHEARSED_ROWS, source.rows)))
        self._listed(rows)
        return len(rows)

    def blocks(self) -> Iterator[int]:
        """Scan block by block; yields how many rows are done."""
        for start, block in self._problem.corpus.source.blocks(self._problem.block_rows, self._next_row):
            self._longest = max(self._longest, self._longest_of(block))
            if start == 0:
                self._demand_suitable(block)
            numbers, rows = self._listed(block)
            rows[rows >= 0] += start
            self._shorten(np.hstack((self._numbers, numbers)), np.hstack((self._rows, rows)))
            self._next_row = start + len(block)
            yield self._next_row

    def found(self) -> Found:
        """The nearest rows of every query, and for which of them the bound proves it."""
        problem, slack = self._problem, self._slack()
        with np.errstate(over="ignore", invalid="ignore"):
            kth = np.partition(self._numbers, problem.k - 1, axis=1)[:, problem.k - 1].astype(np.float64)
            # Twice the slack, and room for the tie band. Too little would be found out below.
            enough = kth + 2.01 * slack + 3e-6 * np.abs(kth)
            queries, places = np.nonzero((self._numbers <= enough[:, None]) & (self._rows >= 0))
            pairs = exact_pairs(problem, queries, self._rows[queries, places], self._pool, order_keys)
            everything = self._numbers.shape[1] == problem.corpus.source.rows
            last = np.full(len(kth), np.inf) if everything else self._numbers.max(axis=1).astype(np.float64)
            cuts = keys_at_cut(pairs, problem.k)
            proved = self._proved(cuts, np.minimum(enough, last) - slack)
            return counted(problem, pairs, cuts, proved=proved, candidates=len(queries))

    def state(self) -> dict[str, NDArray[Any]]:
        return {
            "next_row": np.array(self._next_row),
            "longest": np.array(self._longest),
            "numbers": self._numbers,
            "rows": self._rows,
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        self._next_row, self._longest = int(state["next_row"]), float(state["longest"])
        self._numbers, self._rows = state["numbers"], state["rows"]

    def _listed(self, block: Vectors) -> tuple[NDArray[np.float32], Integers]:
        """The computed keys of the block's nearest rows to every query, and their places in the block, -1 for none."""
        squared = self._problem.distance.name == "l2"
        kind = self._faiss.METRIC_L2 if squared else self._faiss.METRIC_INNER_PRODUCT
        block = np.ascontiguousarray(block)
        numbers, rows = self._faiss.knn(self._problem.queries.vectors, block, min(self._depth, len(block)), metric=kind)
        return (numbers if squared else np.negative(numbers, out=numbers)), rows

    def _shorten(self, numbers: NDArray[np.float32], rows: Integers) -> None:
        """Keep the nearest. Whatever is not kept, now or before, has a number of at least the last one kept."""
        if numbers.shape[1] > self._depth:
            nearest = np.argpartition(numbers, self._depth - 1, axis=1)[:, : self._depth]
            numbers, rows = np.take_along_axis(numbers, nearest, 1), np.take_along_axis(rows, nearest, 1)
        self._numbers, self._rows = numbers, rows

    def _longest_of(self, block: Vectors) -> float:
        """At least the length of the longest row."""
        parts = [block[start : start + MEASURED_ROWS] for start in range(0, len(block), MEASURED_ROWS)]
        return float(np.sqrt(max(self._pool.map(_greatest_square, parts)))) * (1 + 2 * self._growth)

    def _demand_suitable(self, first: Vectors) -> None:
        """Raises Unsuited where the bound would be wide beside the distances."""
        some = first[:: max(1, len(first) // MEASURED_ROWS)].astype(np.float64)
        usual = float(np.median(np.sqrt(_squares(some))))
        spread = float(_squares(some - some.mean(axis=0)).mean())
        slack = float(np.median(self._slack()))
        if not (self._longest <= MUCH_LONGER * usual and slack <= TOO_COARSE * spread):
            raise Unsuited

    @property
    def _growth(self) -> float:
        return 1.01 * (self._problem.queries.dimensions + 8) * UNIT

    def _slack(self) -> Floats:
        lengths, longest = self._lengths, self._longest
        underflow = (self._problem.queries.dimensions + 2) * 2.0**-125 * (1.0 + lengths + longest)
        squared = self._problem.distance.name == "l2"
        return self._growth * ((lengths + longest) ** 2 if squared else lengths * longest) + underflow

    def _proved(self, cuts: Floats, beyond: Floats) -> Booleans:
        """Whether the rows that were left out, whose keys are ``beyond`` or more, lie past the cut and its band."""
        problem = self._problem
        at_cut = problem.distances(cuts)
        edge = keys_of_distances(problem.distance.name, at_cut + problem.bands(at_cut))
        proved = edge + 1e-12 * np.abs(cuts) < beyond
        proved &= np.isfinite(cuts) & (self._lengths <= SAFE_LENGTH)
        return np.asarray(proved & (self._longest <= SAFE_LENGTH))


def _faiss() -> Any:
    """Loaded when it is needed: it takes its time and its memory."""
    import faiss

    return faiss


def suits(problem: Problem) -> bool:
    """Whether FAISS can be asked: float32 on both sides, l2 or ip, every row eligible, and a list that is not long."""
    source, queries = problem.corpus.source, problem.queries
    return (
        problem.distance.name in ("l2", "ip")
        and source.dtype == queries.dtype == np.float32
        and not problem.eligibility.restricts
        and problem.k + spare_for(problem.k) <= DEEPEST
        and source.dimensions <= MOST_DIMENSIONS
    )


def spare_for(k: int) -> int:
    """How many rows to list beyond the k nearest at first."""
    return 16 + k // 16


def _squares(vectors: NDArray[Any]) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", vectors, vectors), np.float64)


def _greatest_square(vectors: Vectors) -> float:
    with np.errstate(over="ignore", invalid="ignore"):
        return float(_squares(vectors).max())
