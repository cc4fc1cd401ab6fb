"""Identity: the same however the rows come, and in memory that does not grow with them."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from truerecall.errors import InputError
from truerecall.model.arrays import Integers, Vectors
from truerecall.model.distance import distance_named
from truerecall.model.ids import as_ids
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.identify import identify
from truerecall.steps.unusable import Policies

QUERY = QuerySet(np.full((1, 2), -1.0, np.float32))


@dataclass(frozen=True)
class Counting:
    """Row i is (i, i + 1), made when it is asked for."""

    rows: int
    dimensions: int = 2
    name: str = "counting"
    dtype: np.dtype[Any] = np.dtype(np.float32)  # noqa: RUF009
    bits: int | None = None

    def blocks(self, rows: int, start: int = 0) -> Iterator[tuple[int, Vectors]]:
        for first in range(start, self.rows, rows):
            yield first, self.take(np.arange(first, min(first + rows, self.rows)))

    def take(self, rows: Integers) -> Vectors:
        return np.stack([rows, rows + 1], axis=1).astype(np.float32)


def test_memory_does_not_grow_with_the_corpus() -> None:
    peaks = []
    for rows in (50_000, 250_000):
        tracemalloc.start()
        identify(Corpus(Counting(rows)), QUERY, distance_named("l2"), keep="nothing")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert abs(peaks[1] - peaks[0]) < 100_000
    assert peaks[1] < 8e6


def test_blocks_do_not_change_the_identity() -> None:
    streamed = identify(Corpus(Counting(40_000)), QUERY, distance_named("l2"))
    whole = Corpus(ArraySource(Counting(40_000).take(np.arange(40_000))))
    assert identify(whole, QUERY, distance_named("l2")).corpus.fingerprint == streamed.corpus.fingerprint


@pytest.mark.parametrize("named", [False, True])
def test_copies_are_found_in_every_block(named: bool) -> None:
    ids = as_ids([f"r{row}" for row in range(40_000)], what="ids") if named else None
    queries = QuerySet(np.array([[39_999, 40_000], [7, 8], [7, 9], [7, 8]], np.float32))
    copies = identify(Corpus(Counting(40_000), ids), queries, distance_named("l2")).copies
    assert [copies.of(query).tolist() for query in range(4)] == [[39_999], [7], [], [7]]
    assert copies.counts.tolist() == [1, 1, 0, 1]


def test_unusable_rows_are_named_up_to_five_and_counted_over_blocks() -> None:
    x = np.ones((40_000, 2), np.float32)
    x[[3, 20_000, 39_999]] = 0
    x[::5000, 1] = np.nan
    corpus, cosine = Corpus(ArraySource(x)), distance_named("cosine")
    with pytest.raises(InputError, match=r"8 rows \(0, 5000, 10000, 15000, 20000 and 3 more\) hold NaN"):
        identify(corpus, QUERY, cosine)
    with pytest.raises(InputError, match=r"2 rows \(3, 39999\) hold only zeros"):
        identify(corpus, QUERY, cosine, policies=Policies(not_finite="leave-out"))
    left_out = identify(corpus, QUERY, cosine, policies=Policies("leave-out", "leave-out")).corpus.left_out
    assert left_out.counts == {"not-finite": 8, "zero-vectors": 2}
    assert left_out.mask is not None
    assert int(left_out.mask.sum()) == 10


def test_leaving_out_changes_no_fingerprint() -> None:
    x = np.array([[1.0, 0], [0, 0]])
    both = [
        identify(Corpus(ArraySource(x)), QUERY, distance_named(distance), policies=Policies("leave-out"))
        for distance in ("l2", "cosine")
    ]
    assert both[0].corpus.fingerprint == both[1].corpus.fingerprint
    assert (both[0].corpus.left_out.mask, both[0].corpus.left_out.counts) == (None, {})
