"""One value per query from several passes over the same queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from truerecall.model.answers import Answers
from truerecall.model.arrays import Booleans, Floats
from truerecall.model.measure import Along, PerQuery


@dataclass(frozen=True, eq=False)
class Seen:
    """What came back in ``times`` passes that answered alike. ``present``: the answers that measures which need
    distances look at, where the corpus has drifted from the truth."""

    answers: Answers
    present: Answers | None = None
    times: int = 1


def over_passes(parts: Sequence[PerQuery], times: Sequence[int]) -> PerQuery:
    """For each query the mean over the passes in which it has a value; undefined, for the first reason, where none has.

    What stands beside the values is that of the first pass.
    """
    if len(parts) == 1:
        return parts[0]
    weights = np.array([part.defined * count for part, count in zip(parts, times, strict=True)], np.float64)
    return replace(
        parts[0],
        values=_weighted(np.array([part.values for part in parts]), weights),
        undefined=np.where(weights.any(axis=0), "", parts[0].undefined),
    )


def along_over_passes(parts: Sequence[Along | None], times: Sequence[int]) -> Along | None:
    """The same over a range of a measure's argument, at the arguments that every pass was looked at."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or len(parts) == 1:
        return parts[0]
    by_argument = [dict(part.values) for part in known]
    shared = [at for at, _ in known[0].values if all(at in own for own in by_argument)]
    return Along(known[0].asked, tuple((at, over_passes([own[at] for own in by_argument], times)) for at in shared))


def answered_values(parts: Sequence[PerQuery], failed: Sequence[Booleans], times: Sequence[int]) -> Floats:
    """The values of the queries that were answered in any pass and have one, each over the passes that answered it."""
    good = [part.defined & ~own for part, own in zip(parts, failed, strict=True)]
    weights = np.array([own * count for own, count in zip(good, times, strict=True)], np.float64)
    return _weighted(np.array([part.values for part in parts]), weights)[weights.any(axis=0)]


def _weighted(values: Floats, weights: Floats) -> Floats:
    """The mean over the first axis, and 0 where no weight is above zero. Where all values agree it is that value."""
    total = weights.sum(axis=0)
    least = np.where(weights > 0, values, np.inf).min(axis=0)
    more = (weights > 0) & (values > least)
    excess = np.subtract(values, least, where=more, out=np.zeros_like(values))
    mean = least + (excess * weights).sum(axis=0) / np.maximum(total, 1.0)
    return np.where(total > 0, mean, 0.0)
