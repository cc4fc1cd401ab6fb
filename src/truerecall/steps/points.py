"""Which runs are passes of one point, and which points stand on one curve."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np

from truerecall.model.run import Run
from truerecall.store.artefact import canonical_json

SAME_MACHINE = ("processor", "cores_logical")
"""Facts of the environment that passes of one point share: times of two machines are never put together."""


def curve_key(run: Run) -> Hashable:
    """Equal for runs of one build, mode, k, query set, filter and warm-up, on one machine and version of the engine."""
    setup = run.setup
    machine = tuple(str(run.environment.get(name)) for name in SAME_MACHINE)
    built = (setup.engine, setup.engine_version, setup.build.id, setup.build.number)
    return (*built, setup.mode, setup.k, setup.queries, setup.where, setup.warmup_calls, machine)


def point_key(run: Run) -> Hashable:
    """Equal for passes of one point: one curve, and the same search settings."""
    return curve_key(run), canonical_json(dict(run.setup.asked))


def in_points(runs: Iterable[Run]) -> tuple[tuple[Run, ...], ...]:
    """The passes of each point by the number of the repeat, the points in the order in which they first occur.

    A copy of a run, the same call by call, counts once.
    """
    groups: dict[Hashable, list[Run]] = {}
    for run in runs:
        passes = groups.setdefault(point_key(run), [])
        if not any(_copies(run, other) for other in passes):
            passes.append(run)
    return tuple(tuple(sorted(passes, key=lambda run: run.setup.repeat)) for passes in groups.values())


def _copies(one: Run, other: Run) -> bool:
    return (
        one.setup.repeat == other.setup.repeat
        and one.wall_s == other.wall_s
        and one.environment == other.environment
        and np.array_equal(one.latency_s, other.latency_s)
        and one.neighbors.same(other.neighbors)
    )


def alike(runs: Sequence[Run]) -> tuple[tuple[Run, int], ...]:
    """The runs of which no two have the same answers, each with how many of ``runs`` answered like it."""
    kept: list[tuple[Run, int]] = []
    for run in runs:
        for place, (other, times) in enumerate(kept):
            if run.answers_like(other):
                kept[place] = (other, times + 1)
                break
        else:
            kept.append((run, 1))
    return tuple(kept)
