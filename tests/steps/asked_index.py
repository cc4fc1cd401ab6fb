"""An index whose answers are known: query i asks for its own rows, and no other query has any of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from truerecall.model.arrays import Integers, Vectors
from truerecall.model.mode import ONE_BY_ONE, Mode
from truerecall.model.progress import SILENT, Progress
from truerecall.steps.one_pass import Asked, ask_every_query

K = 4


def queries(count: int) -> Vectors:
    return np.arange(count, dtype=np.float32)[:, None]


def truth(query: int) -> list[int]:
    return list(range(query * K, query * K + K))


class AskedIndex:
    """Answers perfectly, but for the queries that ``stumble`` raises at; counts ``searches`` and keeps ``seen``."""

    answers = "rows"

    def __init__(self, stumble: Callable[[int], bool] = lambda query: False, *, counts: bool = True) -> None:
        self.stumble = stumble
        self.counts = counts
        self.searches = 0
        self.seen: list[list[int]] = []

    def search(self, query: Vectors, k: int) -> Integers:
        (answer,) = self._answers(query)
        return answer

    def search_batch(self, queries: Vectors, k: int) -> Sequence[Integers]:
        return self._answers(queries)

    def _answers(self, asked: Vectors) -> list[Integers]:
        numbers = [int(number) for number in asked[:, 0]]
        self.seen.append(numbers)
        self.searches += len(numbers)
        for number in numbers:
            if self.stumble(number):
                raise ConnectionError("refused")
        return [np.array(truth(number)) for number in numbers]

    def reset_cost(self) -> None:
        self.searches = 0

    def cost(self) -> Mapping[str, int]:
        return {"distance_computations": 10 * self.searches} if self.counts else {}

    def vectors_scanned(self, k: int) -> int | None:
        return None if self.counts else 7


def ask_all(
    index: Any, count: int, mode: Mode = ONE_BY_ONE, *, warmup: int = 0, seed: int = 0, progress: Progress = SILENT
) -> Asked:
    order = np.random.default_rng(seed).permutation(count)
    return ask_every_query(index, queries(count), K, order=order, mode=mode, warmup=warmup, progress=progress)


def recall(asked: Asked) -> float:
    """By query, as the truth of each says."""
    found = [len(set(truth(query)) & set(rows)) / K for query, rows in enumerate(asked.rows)]
    return float(np.mean(found))
