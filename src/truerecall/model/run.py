"""A run: one setting of one build, asked every query once. The waist of the hourglass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerecall.model.arrays import Booleans, Floats, Ids, Texts, frozen
from truerecall.model.engine import IndexState, Settings
from truerecall.model.neighbors import Neighbors
from truerecall.model.subject import Subject
from truerecall.model.vectors import Fingerprint


@dataclass(frozen=True)
class Build:
    """One built index. Points of a curve share one; ``id`` is the digest of its saved bytes."""

    id: str
    settings: Settings
    seed: int
    threads: int
    seconds: float
    state: IndexState


@dataclass(frozen=True)
class Setup:
    """All that was fixed before the first query was asked.

    ``asked`` are the search settings that the user named, ``in_force`` all of them as read back from the index.
    """

    engine: str
    engine_version: str
    distance: str
    k: int
    corpus: Fingerprint
    queries: Fingerprint
    build: Build
    asked: Settings
    in_force: Settings
    warmup_calls: int

    @property
    def subject(self) -> Subject:
        return Subject(self.distance, self.corpus, self.queries)

    @property
    def built(self) -> str:
        """How a person would call the index: the engine and what was built."""
        settings = self.build.settings.items()
        return " ".join([self.engine, *(v if isinstance(v, str) else f"{name}={v}" for name, v in settings)])


@dataclass(frozen=True, eq=False)
class Run:
    """What came back, how long each call took, and what it cost.

    ``neighbors`` carry true distances, recomputed in float64 after the timed part. ``latency_s``: seconds of each
    call. ``failures``: the error of each call, empty where it was answered. ``cost``: totals over all queries.
    ``environment``: where it was measured.
    """

    setup: Setup
    query_ids: Ids
    neighbors: Neighbors
    latency_s: Floats
    failures: Texts
    cost: Mapping[str, int]
    environment: Mapping[str, Any]

    def __post_init__(self) -> None:
        for name in ("query_ids", "latency_s", "failures"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    def __len__(self) -> int:
        return len(self.query_ids)

    @property
    def failed(self) -> Booleans:
        return np.asarray(self.failures != "")
