"""From values to the bins of a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from truerecall.model.arrays import Floats, Integers
from truerecall.report.inspection_parts import Distribution, Series

BINS = 30
TAIL = 1.5
"""Per cent of the values at either end that do not stretch a picture; they stand in its outer bins."""

MOST_LONG_LABELS = 7
"""So many names of bins fit side by side that say where a bin begins and ends."""


def spread_out(
    axis: str,
    values: Mapping[str, Floats],
    *,
    low: float | None = None,
    high: float | None = None,
    mark: float | None = None,
    mark_name: str = "",
) -> Distribution | None:
    """A distribution for each name over common bins; None where there is nothing, or one value alone, to show.

    ``low`` and ``high`` are where the bins begin and end, else the values say so.
    """
    known = {name: own[~np.isnan(own)] for name, own in values.items() if len(own)}
    together = np.concatenate([np.empty(0), *known.values()])
    if not len(together):
        return None
    finite = together[np.isfinite(together)]
    ends = np.percentile(finite, (TAIL, 100 - TAIL)) if len(finite) else (0.0, 1.0)
    first = float(ends[0]) if low is None else low
    last = float(ends[1]) if high is None else high
    if not last > first:
        return None
    edges = np.linspace(first, last, BINS + 1)
    series = tuple(
        Series(name, tuple(np.histogram(np.clip(own, first, last), edges)[0].tolist())) for name, own in known.items()
    )
    return Distribution(axis, series, tuple(edges.tolist()), mark=mark, mark_name=mark_name)


def named(axis: str, name: str, counts: Mapping[str, int]) -> Distribution:
    """A bin for each of the names."""
    return Distribution(axis, (Series(name, tuple(counts.values())),), labels=tuple(counts))


def doubling(axis: str, name: str, counts: Integers, *, least: int, weights: Integers | None = None) -> Distribution:
    """Whole numbers in bins that double: 0, 1, 2 to 3, 4 to 7 and so on, from ``least`` on."""
    edges = _doubling_edges(least, int(counts.max(initial=least)))
    held, _ = np.histogram(counts, [*edges, np.inf], weights=weights)
    labels = [f"{low:,}" if high == low + 1 else f"{low:,}–{high - 1:,}" for low, high in pairwise(edges)]
    if len(labels) > MOST_LONG_LABELS:
        axis, labels = f"{axis}, from", [f"{low:,}" for low in edges[:-1]]
    return Distribution(axis, (Series(name, tuple(int(n) for n in held[:-1])),), labels=tuple(labels))


def _doubling_edges(least: int, most: int) -> Sequence[int]:
    edges = [least, least + 1] if least < 2 else [least]
    while edges[-1] <= most:
        edges.append(max(1, edges[-1]) * 2)
    return edges
