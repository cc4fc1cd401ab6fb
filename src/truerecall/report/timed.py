"""How latency was measured, in words: the mode, the passes, what was left out, and what the loop itself weighs."""

from __future__ import annotations

from collections.abc import Sequence

from truerecall.model.mode import Mode
from truerecall.report.point_parts import PointRow
from truerecall.report.wording import count, microseconds, percent, queries


def timed_words(mode: Mode, points: Sequence[PointRow]) -> tuple[str, ...]:
    """A sentence each, over all points of a family."""
    timings = [point.timing for point in points]
    passes = _range([max(1, len(t.passes_s)) for t in timings], "pass", "passes")
    calls = _range([t.calls + t.failed for t in timings], "call")
    warm = _range([t.warmup_calls for t in timings], "warm-up call")
    distinct = _range([t.distinct_queries for t in timings], "distinct query", "distinct queries")
    sentences = [
        f"{mode_words(mode)}: {passes} over each setting of each build, {calls} about {distinct} in all"
        f"{f'; {warm} before them left out' if any(t.warmup_calls for t in timings) else ''}.",
    ]
    if all(len(t.passes_s) < 2 for t in timings):
        sentences.append("With one pass nobody knows how much a p50 varies.")
    weighed = [(t.harness_share or 0.0, t.harness_s, p.setting) for t, p in zip(timings, points, strict=True)]
    heaviest = max(weighed, key=lambda own: own[0])
    if heaviest[1] is not None and heaviest[0]:
        sentences.append(
            f"An empty engine in the same loop takes {microseconds(heaviest[1])} a call: at most"
            f" {percent(heaviest[0])} of a p50 (at {heaviest[2]})."
        )
    return tuple(sentences)


def mode_words(mode: Mode) -> str:
    """How queries were asked, as the beginning of a sentence."""
    if mode.kind == "batch":
        return f"In batches of {queries(mode.size)}, a call each"
    if mode.kind == "clients":
        return f"By {count(mode.size, 'client')} at once, each asking when its last answer has come"
    return "One query after the other"


def per_call(mode: Mode) -> str:
    """What a latency is of: ``a query``, or ``a batch of 64``."""
    return f"a batch of {mode.size}" if mode.kind == "batch" else "a query"


def mode_mark(mode: Mode) -> str:
    """The mode to be named beside a latency; empty for one query after the other."""
    return "" if mode.kind == "one-by-one" else f", {mode}"


def _range(numbers: Sequence[int], noun: str, plural: str = "") -> str:
    """``3 passes``, or ``2 to 3 passes``."""
    low, high = min(numbers), max(numbers)
    return count(low, noun, plural) if low == high else f"{low:,} to {count(high, noun, plural)}"
