"""A run: one setting of one build, asked every query once. The waist of the hourglass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from truerecall.model.arrays import Booleans, Floats, Ids, Integers, Texts, frozen
from truerecall.model.drift import Drift
from truerecall.model.engine import IndexState, Settings
from truerecall.model.filter import Narrowed
from truerecall.model.mode import ONE_BY_ONE, Mode
from truerecall.model.neighbors import Neighbors
from truerecall.model.subject import Subject, demand_truth_about
from truerecall.model.trials import Trials
from truerecall.model.vectors import Fingerprint


@dataclass(frozen=True)
class Build:
    """One built index. Points of a curve share one; ``id`` is the digest of its saved bytes.

    ``number``: which of several builds of the same settings it is, from 0. The first holds the rows in their own order,
    the others each in an order drawn by its ``seed``. ``state``: as it was when it was built. Of an index that existed,
    ``id`` is a digest of what the engine says that it is, ``settings`` its name, and ``seconds`` None.
    """

    id: str
    settings: Settings
    seed: int
    threads: int
    seconds: float | None
    state: IndexState
    number: int = 0


@dataclass(frozen=True)
class Setup:
    """All that was fixed before the first query was asked.

    ``asked`` are the search settings that the user named, ``in_force`` all of them as read back from the index; of
    these ``effort`` names the ones of which more means more effort, ``limiting`` those that limit how many neighbours
    come back. ``state``: the index as it answered at these settings. ``repeat``: which pass over this point it is, from
    0. ``model``: that which embedded both sides, where the user named it. ``where``: the filter behind which it was
    searched, None where all rows might answer.
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
    state: IndexState
    mode: Mode = ONE_BY_ONE
    repeat: int = 0
    effort: tuple[str, ...] = ()
    limiting: tuple[str, ...] = ()
    model: str | None = None
    where: Narrowed | None = None

    @property
    def subject(self) -> Subject:
        return Subject(self.distance, self.corpus, self.queries, self.model)

    @property
    def told(self) -> str:
        """How a truth says what the filter leaves out; empty where there is none."""
        return "" if self.where is None else self.where.told

    @property
    def built(self) -> str:
        """How a person would call the index: the engine and what was built."""
        return called(self.engine, self.build.settings)


def called(engine: str, settings: Settings) -> str:
    """An engine and what it builds in words."""
    return " ".join([engine, *(v if isinstance(v, str) else f"{name}={v}" for name, v in settings.items())])


@dataclass(frozen=True, eq=False)
class Run:
    """What came back, how long each call took, and what it cost: one pass.

    ``neighbors`` carry true distances, recomputed in float64 after the timed part. ``call``: for each query the number
    of the call that carried it, from 0 in the order in which calls began; the queries of a batch share one.
    ``latency_s``: for each query the seconds of its call. ``wall_s``: seconds of the whole pass, its warm-up left out.
    ``harness_s``: the median of calls of an empty engine in the same loop. ``failures``: the error of each call, empty
    where it was answered. ``cost``: totals over all queries; those named in ``by_formula`` were not counted by the
    engine. ``environment``: where it was measured. ``trials``: what was tried while the vectors were at hand.
    ``drift``: how the corpus differs from that of a truth that the user allowed it to be judged by all the same.
    ``present``: under a drift, for each query the neighbours that this truth lists, with their true distances in the
    corpus that was measured. ``ineligible``: how many rows came back that may not answer by the filter; they stand
    among the neighbours without a distance. ``unknown``: how many ids came back that no row of the corpus bears.
    """

    setup: Setup
    query_ids: Ids
    neighbors: Neighbors
    latency_s: Floats
    failures: Texts
    cost: Mapping[str, int]
    environment: Mapping[str, Any]
    call: Integers
    wall_s: float
    harness_s: float
    by_formula: tuple[str, ...] = ()
    trials: Trials | None = None
    drift: Drift | None = None
    present: Neighbors | None = None
    ineligible: int = 0
    unknown: int = 0

    def __post_init__(self) -> None:
        for name in ("query_ids", "latency_s", "failures", "call"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    def __len__(self) -> int:
        return len(self.query_ids)

    @property
    def failed(self) -> Booleans:
        return np.asarray(self.failures != "")

    def answers_like(self, other: Run) -> bool:
        """Whether both answered the same queries, in the same order, with the same rows at the same distances."""
        return (
            np.array_equal(self.query_ids, other.query_ids)
            and np.array_equal(self.failed, other.failed)
            and self.neighbors.same(other.neighbors)
        )

    def drift_from(self, truth: Subject) -> Drift | None:
        """The drift that the user allowed for this very truth; None where there is none."""
        pair = (truth.corpus.digest, self.setup.corpus.digest)
        return self.drift if self.drift is not None and (self.drift.truth, self.drift.corpus) == pair else None


def demand_truth_of(run: Run, truth: Subject, *, name: str) -> None:
    """Raises StaleTruth unless the truth, called ``name``, fits the run but for a drift that was allowed."""
    subject = run.setup.subject
    if run.drift_from(truth) is not None:
        subject = replace(subject, corpus=truth.corpus)
    demand_truth_about(truth, subject, name=name)
