"""One look at every row of the corpus by the second opinion: what the truth ought to say, as far as rounding allows.

Shares no code with the scans that make a truth: blocks are read from the source, each query by itself, and of each
the nearest rows are kept, deeper than asked for. Where ties reach below what was kept, the look is repeated deeper.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truerecall.kernels.second_opinion import opinions, prepared, tie_bands
from truerecall.model.arrays import Booleans, Floats, Integers
from truerecall.model.eligibility import Eligibility, RowLists
from truerecall.model.progress import SILENT, Progress
from truerecall.scan.question import Look, Question

BLOCK_VALUES = 1 << 16
SLACK = 64
DEEPER = 16
KEPT_BYTES = 64 << 20
BYTES_PER_KEPT = 24


def look(question: Question, about: Sequence[Integers], progress: Progress = SILENT) -> list[Look]:
    """A look for each asked query; ``about``: rows whose distance from it is wanted (-1: none)."""
    kept = [_Kept(question, which, question.k + SLACK, about[which]) for which in range(len(question.places))]
    open_, depth = list(kept), question.k + SLACK
    while open_:
        group = max(1, KEPT_BYTES // (BYTES_PER_KEPT * min(depth, question.source.rows)))
        for start in range(0, len(open_), group):
            _pass(question, open_[start : start + group], progress)
        depth *= DEEPER
        open_ = [one.deeper(depth) for one in open_ if not one.settled]
        for one in open_:
            kept[one.which] = one
    return [one.look() for one in kept]


def _pass(question: Question, group: list[_Kept], progress: Progress) -> None:
    source, change = question.source, question.change or (lambda vectors: vectors)
    stop = source.rows if question.below is None else question.below
    queries = prepared(question.distance, change(question.vectors[[one.which for one in group]]))
    progress.start("second opinion", stop, "rows")
    for start, block in source.blocks(max(1, BLOCK_VALUES // source.dimensions)):
        if start >= stop:
            break
        with np.errstate(all="ignore"):  # rows that were left out may hold anything
            rows = prepared(question.distance, change(block[: stop - start]))
            for one, query in zip(group, queries, strict=True):
                one.offer(start, *opinions(question.distance, query, rows, exact=question.whole))
        progress.advance(len(block))


class _Kept:
    """Of one query the ``depth`` rows that may be nearest, by the lower end of their rounding."""

    def __init__(self, question: Question, which: int, depth: int, about: Integers) -> None:
        self.question, self.which, self.depth, self.about = question, which, depth, about
        self.eligible = 0
        self._rows: Integers = np.empty(0, np.int64)
        self._values, self._roundings = np.empty(0), np.empty(0)
        self._at, self._at_roundings = np.full((2, len(about)), np.nan)

    def deeper(self, depth: int) -> _Kept:
        return _Kept(self.question, self.which, depth, self.about)

    def offer(self, start: int, values: Floats, roundings: Floats) -> None:
        may = _may(self.question.eligibility, self.question.places[self.which], start, start + len(values))
        self.eligible += int(may.sum())
        here = np.flatnonzero((self.about >= start) & (self.about < start + len(values)))
        here = here[may[self.about[here] - start]]
        self._at[here], self._at_roundings[here] = values[self.about[here] - start], roundings[self.about[here] - start]
        low = values - roundings
        worst = np.inf
        if len(self._rows) >= self.depth:
            worst = (self._values - self._roundings).max()
        fresh = np.flatnonzero(may & (low <= worst))
        if not len(fresh):
            return
        rows = np.concatenate((self._rows, start + fresh))
        values = np.concatenate((self._values, values[fresh]))
        roundings = np.concatenate((self._roundings, roundings[fresh]))
        keep = slice(None)
        if len(rows) > self.depth:
            keep = np.argpartition(values - roundings, self.depth - 1)[: self.depth]  # type: ignore[assignment]
        self._rows, self._values, self._roundings = rows[keep], values[keep], roundings[keep]

    @property
    def settled(self) -> bool:
        """Whether no row that was dropped can lie before the cut or in its band."""
        if len(self._rows) >= self.eligible:
            return True
        _, cut, band, rounding = self._cut()
        return bool((self._values - self._roundings).max() > cut + band + rounding)

    def _cut(self) -> tuple[Integers, float, float, float]:
        order = np.lexsort((self._rows, self._values))[: min(self.question.k, self.eligible)]
        if not len(order):
            return order, np.nan, 0.0, 0.0
        cut, rounding = float(self._values[order[-1]]), float(self._roundings[order].max())
        return order, cut, tie_bands(self.question.distance, cut, whole=self.question.whole), rounding

    def look(self) -> Look:
        order, cut, band, rounding = self._cut()
        offset, unsure = self._values - cut, self._roundings + rounding
        return Look(
            eligible=self.eligible,
            rows=self._rows[order],
            values=self._values[order],
            cut=cut,
            band=band,
            rounding=rounding,
            sure=self._rows[offset < -band - unsure],
            nearer=(int((offset < -band - unsure).sum()), int((offset < -band + unsure).sum())),
            tied=(int((np.abs(offset) <= band - unsure).sum()), int((np.abs(offset) <= band + unsure).sum())),
            at=self._at,
            at_roundings=self._at_roundings,
        )


def _may(eligibility: Eligibility, query: int, start: int, stop: int) -> Booleans:
    """Which of the rows from ``start`` up to ``stop`` may answer the query."""
    may = np.ones(stop - start, np.bool_) if eligibility.rows is None else eligibility.rows[start:stop].copy()
    if eligibility.allowed is not None:
        may &= _in(eligibility.allowed, query, start, stop)
    if eligibility.excluded is not None:
        may &= ~_in(eligibility.excluded, query, start, stop)
    return may


def _in(lists: RowLists, query: int, start: int, stop: int) -> Booleans:
    listed = np.zeros(stop - start, np.bool_)
    rows = lists.of(query)
    listed[rows[(rows >= start) & (rows < stop)] - start] = True
    return listed
