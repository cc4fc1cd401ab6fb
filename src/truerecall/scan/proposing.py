"""The fast scan: a float32 number proposes, exact keys decide, and a bound proves what was left out.

See kernels/candidates.py for the bound. Queries are worked on in tiles by one thread each, every library on one thread
of its own, while a block of the corpus is in the cache; meanwhile the next block is read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from truerecall.kernels.candidates import MOST_DIMENSIONS, SAFE_LENGTH, Entered, Geometry, Singles, guessed_cuts
from truerecall.kernels.distances import keys_of_distances
from truerecall.kernels.exact import keys_at_cut
from truerecall.model.arrays import Booleans, Floats, Integers, Vectors
from truerecall.scan.finish import counted, exact_pairs
from truerecall.scan.float32 import Proposer
from truerecall.scan.methods import proposer_for
from truerecall.scan.problem import Found, Problem
from truerecall.scan.proposals import Proposals, Proposed
from truerecall.scan.scratch import BLOCKS_IN_WORK

SAMPLE_ROWS = (1024, 2048)


@dataclass(frozen=True, eq=False)
class _Block:
    """A block that is being worked on: ``done`` rows lie before its end, and its own that may answer are ``rows``."""

    done: int
    rows: Integers
    jobs: list[Future[Proposed]]


class ProposingScan:
    """One pass over the corpus: ``for rows in scan.blocks(): ...``, then ``found()``. A context: it owns threads.

    Between blocks ``state()`` is all that another scan of the same problem needs to go on from there.
    """

    _proposer: Proposer
    _proposals: Proposals
    _longest: float

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._limits = threadpool_limits(1)
        # A thread that Python starts has OpenMP settings of its own.
        self._pool = ThreadPoolExecutor(problem.workers, initializer=threadpool_limits, initargs=(1,))
        self._next_row = 0
        self._tiles = problem.tiles()
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                self._prepare()
        except BaseException:
            self._close()  # nobody else can: there will be no context to leave
            raise

    def __enter__(self) -> ProposingScan:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        self._pool.shutdown(cancel_futures=True)
        self._limits.restore_original_limits()

    @property
    def method(self) -> str:
        """How pairs are proposed."""
        return self._proposer.name

    @property
    def next_row(self) -> int:
        """The first row that is not done."""
        return self._next_row

    def rehearse(self) -> int:
        """Work on rows of the sample as on a block, and forget what comes of it; returns how many rows that was."""
        for job in self._submitted(self._proposer.enter(self._rehearsed)):
            job.result()
        return len(self._rehearsed)

    def blocks(self) -> Iterator[int]:
        """Scan block by block; yields how many rows are done."""
        waiting: deque[_Block] = deque()
        with np.errstate(over="ignore", invalid="ignore"):
            for start, block in self._problem.corpus.source.blocks(self._problem.block_rows, self._next_row):
                rows, vectors = self._eligible(start, block)
                entered = self._proposer.enter(vectors)
                self._longest = max(self._longest, entered.longest)
                if len(waiting) == BLOCKS_IN_WORK:
                    yield self._collect(waiting.popleft())
                waiting.append(_Block(start + len(block), rows, self._submitted(entered)))
            while waiting:
                yield self._collect(waiting.popleft())

    def _submitted(self, entered: Entered) -> list[Future[Proposed]]:
        """A block handed to the threads, a tile of queries to each job."""
        thresholds = self._proposals.thresholds.copy()
        return [self._pool.submit(self._proposer.propose, tile, entered, thresholds) for tile in self._tiles]

    def found(self) -> Found:
        """The nearest rows of every query, and for which of them the bound proves it."""
        problem = self._problem
        with np.errstate(over="ignore", invalid="ignore"):
            proposed = self._proposals.tightened()
            pairs = exact_pairs(problem, proposed.queries, proposed.rows, self._pool, self._proposer.keys_of)
            cuts = keys_at_cut(pairs, problem.k)
            return counted(problem, pairs, cuts, proved=self._proved(cuts), candidates=self._proposals.total)

    def state(self) -> dict[str, NDArray[Any]]:
        return {
            "next_row": np.array(self._next_row),
            "longest": np.array(self._longest),
            **self._proposals.state(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        self._next_row, self._longest = int(state["next_row"]), float(state["longest"])
        self._proposals.restore(state)

    def _prepare(self) -> None:
        problem, queries = self._problem, self._problem.queries.vectors
        sample, answerable = self._sample()
        self._geometry = Geometry.around(problem.distance.name, sample, queries)
        self._queries = self._geometry.queries(queries)
        sampled = self._geometry.rows(sample)
        self._longest = sampled.longest
        self._rehearsed = sample[: problem.block_rows].copy()

        def guess(tile: slice) -> Singles:
            with np.errstate(over="ignore", invalid="ignore"):
                room = np.empty((tile.stop - tile.start, len(sample)), np.float32)
                numbers = self._geometry.numbers(self._queries.vectors[tile], sampled, room)
                lower = np.subtract(numbers, 2 * sampled.own, out=numbers, dtype=np.float32, casting="same_kind")
                return guessed_cuts(lower, answerable, min(self._k_with_excluded, answerable))

        guesses = np.concatenate(list(self._pool.map(guess, self._tiles)))
        slack = self._geometry.slack(self._queries, self._longest)
        # The slack twice, once for the k-th row and once for the others, and room for the tie band and for rounding.
        # Too little would be found out at the end.
        allowances = 2.01 * slack + 3e-6 * (np.square(self._queries.lengths) + np.abs(guesses))
        thresholds = (guesses - allowances).astype(np.float32)
        self._proposals = Proposals(thresholds, allowances, problem.k)
        self._proposer = proposer_for(problem, self._geometry, self._queries, sampled)

    def _sample(self) -> tuple[Vectors, int]:
        """Rows drawn from the eligible ones, and how many those are.

        Drawn and not every n-th: a corpus may repeat itself in step with that.
        """
        source, mask = self._problem.corpus.source, self._problem.eligibility.rows
        answerable = source.rows if mask is None else int(mask.sum())
        wanted = int(np.clip(answerable // 50, *SAMPLE_ROWS))
        if answerable <= wanted:
            places = np.arange(answerable)
        else:
            places = np.unique(np.random.default_rng(0).integers(0, answerable, wanted))
        return source.take(places if mask is None else np.flatnonzero(mask)[places]), answerable

    @property
    def _k_with_excluded(self) -> int:
        excluded = self._problem.eligibility.excluded
        return self._problem.k + (0 if excluded is None else int(excluded.lengths.max(initial=0)))

    def _eligible(self, start: int, block: Vectors) -> tuple[Integers, Vectors]:
        """The rows of a block that may answer, and their vectors."""
        mask = self._problem.eligibility.rows
        if mask is None:
            return np.arange(start, start + len(block)), block
        places = np.flatnonzero(mask[start : start + len(block)])
        return start + places, block[places]

    def _collect(self, block: _Block) -> int:
        for job in block.jobs:
            self._proposals.add(self._without_excluded(replace(job.result(), rows=block.rows[job.result().rows])))
        self._next_row = block.done
        return block.done

    def _without_excluded(self, pairs: Proposed) -> Proposed:
        excluded = self._problem.eligibility.excluded
        if excluded is None:
            return pairs
        rows = self._problem.corpus.source.rows
        gone = np.repeat(np.arange(len(excluded.offsets) - 1), excluded.lengths) * rows + excluded.rows
        if not len(gone):
            return pairs
        keys = pairs.queries * rows + pairs.rows
        place = np.minimum(np.searchsorted(gone, keys), len(gone) - 1)  # excluded rows ascend, query by query
        return pairs.where(gone[place] != keys)

    def _proved(self, cuts: Floats) -> Booleans:
        """A row that was not proposed has a similarity below its threshold and slack; one that ties with the row at
        the cut has that of the band's far edge or more."""
        problem = self._problem
        at_cut = problem.distances(cuts)
        edge = keys_of_distances(problem.distance.name, at_cut + problem.bands(at_cut))
        edge += 1e-12 * np.abs(cuts)  # for the rounding of the way there
        at_edge = self._geometry.similarity_of_keys(edge, problem.queries.vectors)
        proved = at_edge >= self._proposals.thresholds + self._geometry.slack(self._queries, self._longest)
        proved &= np.isfinite(cuts) & (self._queries.lengths <= SAFE_LENGTH)
        if not (self._longest <= SAFE_LENGTH and len(self._geometry.centre) <= MOST_DIMENSIONS):
            proved[:] = False
        return np.asarray(proved)
