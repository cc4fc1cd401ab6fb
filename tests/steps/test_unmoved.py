"""A corpus without a snapshot that changes while the truth is made is refused; with one it is not read again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from truerecall.errors import EngineFailed
from truerecall.model.arrays import Vectors
from truerecall.model.source import ArraySource
from truerecall.model.truth import MOVING
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.truth import build_truth

X = np.random.default_rng(0).normal(size=(500, 8)).astype(np.float32)
IDS = np.arange(500) + 7


class Watched(ArraySource):
    """Counts the passes over it; from pass ``moves`` on its row 3 is another one."""

    passes = 0
    moves = 10**9

    def blocks(self, rows: int, start: int = 0) -> Iterator[tuple[int, Vectors]]:
        object.__setattr__(self, "passes", self.passes + 1)
        for first, block in super().blocks(rows, start):
            copy = block.copy()
            if self.passes >= self.moves and first <= 3 < first + len(copy):
                copy[3 - first] += 1
            yield first, copy


def passes(moving: str) -> int:
    source = Watched(X, "theirs")
    truth = build_truth(Corpus(source, IDS, moving=moving), QuerySet(X[:3]), "l2", 5)
    assert truth.provenance.get(MOVING, "") == moving
    return source.passes


def test_it_is_read_once_more_and_no_other_one_is() -> None:
    assert passes("it scrolls") == passes("") + 1


def test_what_changed_meanwhile_is_refused() -> None:
    last = passes("it scrolls")
    for moves in (2, last):
        source = Watched(X, "theirs")
        object.__setattr__(source, "moves", moves)
        with pytest.raises(EngineFailed, match="vectors of theirs changed while the truth was made"):
            build_truth(Corpus(source, IDS, moving="it scrolls"), QuerySet(X[:3]), "l2", 5)
