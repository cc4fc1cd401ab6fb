"""How long calls took, over all passes of one point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truerecall.kernels.quantiles import CALLS_NEEDED, QUERIES_NEEDED, percentile
from truerecall.model.arrays import Floats
from truerecall.model.curve import Latency
from truerecall.model.run import Run


def latency_of(runs: Sequence[Run]) -> Latency:
    """The percentiles over the answered calls of all passes together, with the reason for each that they, or the
    queries behind them, are too few for. A batch is one call, and it was answered where any of its queries was."""
    by_pass = [_answered_calls(run) for run in runs]
    seconds = np.concatenate(by_pass)
    made = sum(len(np.unique(run.call)) for run in runs)
    distinct = len(np.unique(np.concatenate([run.query_ids[~run.failed] for run in runs])))
    withheld = {
        f"p{percent}_s": reason
        for percent in CALLS_NEEDED
        if (reason := _too_few(percent, calls=len(seconds), distinct=distinct))
    }
    p50_s, p95_s, p99_s = (
        None if f"p{percent}_s" in withheld else percentile(seconds, percent) for percent in CALLS_NEEDED
    )
    medians = (percentile(own, 50) for own in by_pass)
    wall_s = sum(run.wall_s for run in runs)
    return Latency(
        calls=len(seconds),
        distinct_queries=distinct,
        failed=made - len(seconds),
        warmup_calls=sum(run.setup.warmup_calls for run in runs),
        p50_s=p50_s,
        p95_s=p95_s,
        p99_s=p99_s,
        withheld=withheld,
        p50_by_pass_s=tuple(median for median in medians if median is not None),
        answers_per_s=sum(int((~run.failed).sum()) for run in runs) / wall_s if wall_s > 0 else None,
        harness_s=max(run.harness_s for run in runs),
    )


def _too_few(percent: int, *, calls: int, distinct: int) -> str:
    """Why this percentile is withheld; empty where it is not."""
    if calls < CALLS_NEEDED[percent]:
        return f"needs {CALLS_NEEDED[percent]:,} calls, has {calls:,}"
    if distinct < QUERIES_NEEDED[percent]:
        return f"needs {QUERIES_NEEDED[percent]:,} distinct queries, has {distinct:,}"
    return ""


def _answered_calls(run: Run) -> Floats:
    """The seconds of each call that brought an answer."""
    answered = ~run.failed
    _, first = np.unique(run.call[answered], return_index=True)
    return run.latency_s[answered][first]
