"""Did calls take longer, or less long, as the run went on? Then its latency hangs on when a point was measured.

Two things are looked at. Within each pass, the calls in the order in which they began: Kendall's tau of time and order,
and the median of the last third over that of the first. Over passes, the same queries asked again: Wilcoxon's signed
ranks of a query's times in the first and the last pass, and the median of their ratios. A rank test alone fires from
any burst of another program, since neighbouring calls are not independent; so a shift must be as large as 1.5, and
point the same way in every pass (within) or from every pass to the next (over), at p < 0.001. Of 120 passes of 500
calls of an HNSW graph on a busy 2-core machine 3 had thirds that far apart (at most 1.6), and never three in a row: so
with one pass or two a shift must be a doubling. From a doubling on it is a warning, else a note. What goes the same way
in every pass may also lie in the order of the queries.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from truerecall.model.arrays import Floats
from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.run import Run

LARGE, DOUBLE = 1.5, 2.0
ENOUGH = 3
"""From so many passes on, a shift that is large and goes one way is no chance."""
SIGNIFICANT = 0.001
LEAST_CALLS = 30


class DriftDuringRun:
    title = "a latency that drifts during the run"

    def examine(self, runs: Sequence[Run]) -> Finding | CannotTell | None:
        passes = [_in_order(run) for run in runs]
        if min(len(times) for times in passes) < LEAST_CALLS:
            return CannotTell(f"a pass has fewer than {LEAST_CALLS} answered calls")
        within, over = _within(passes), _over(runs)
        seen = []
        if within is not None:
            seen.append(f"the last third of the calls of a pass takes {within:.2f} times as long as the first")
        if over is not None:
            seen.append(f"the same queries take {over:.2f} times as long in the last of {len(runs)} passes")
        if not seen:
            return None
        factor = max(_factor(shift) for shift in (within, over) if shift is not None)
        return Finding(
            code_of(__name__),
            "warning" if factor >= DOUBLE else "note",
            f"{' and '.join(seen)} (median ratio): latency hangs on when it was measured",
            "let the machine do nothing else, and measure again with more passes (--repeats) and warm-up; where it goes"
            " the same way every time, ask the queries in a drawn order",
            {"within_pass": within, "over_passes": over, "passes": len(runs), "calls": len(passes[0])},
        )


def _in_order(run: Run) -> Floats:
    """The seconds of each answered call, in the order in which calls began."""
    answered = np.flatnonzero(~run.failed)
    _, first = np.unique(run.call[answered], return_index=True)
    return np.asarray(run.latency_s[answered][first])


def _within(passes: Sequence[Floats]) -> float | None:
    """The median ratio of a pass's last third to its first, where every pass drifts the same way."""
    from scipy.stats import kendalltau  # 50 MB, which whoever asks other checks is spared

    ratios = []
    for times in passes:
        third = len(times) // 3
        ratios.append(_ratio(float(np.median(times[-third:])), float(np.median(times[:third]))))
        if not _large(ratios[-1], len(passes)) or kendalltau(np.arange(len(times)), times).pvalue >= SIGNIFICANT:
            return None
    same_way = all(ratio > 1 for ratio in ratios) or all(ratio < 1 for ratio in ratios)
    return float(np.median(ratios)) if same_way else None


def _over(runs: Sequence[Run]) -> float | None:
    """The median ratio of a query's time in the last pass to that in the first, where passes drift one way."""
    from scipy.stats import wilcoxon

    if len(runs) < 2 or any(not np.array_equal(run.query_ids, runs[0].query_ids) for run in runs):
        return None
    answered = ~np.any([run.failed for run in runs], axis=0)
    times = np.stack([run.latency_s[answered] for run in runs])
    if times.shape[1] < LEAST_CALLS or not times[0].all():
        return None
    medians = np.median(times, axis=1)
    steps = np.diff(medians)
    if not ((steps >= 0).all() or (steps <= 0).all()):
        return None
    ratio = float(np.median(times[-1] / times[0]))
    return ratio if _large(ratio, len(runs)) and wilcoxon(times[-1], times[0]).pvalue < SIGNIFICANT else None


def _ratio(last: float, first: float) -> float:
    return last / first if first else 1.0


def _large(ratio: float, passes: int) -> bool:
    return _factor(ratio) >= (LARGE if passes >= ENOUGH else DOUBLE)


def _factor(ratio: float) -> float:
    """How many times one is the other, whichever is larger; a coarse clock may have read zero."""
    return max(ratio, 1 / ratio) if ratio else math.inf


check = DriftDuringRun()
