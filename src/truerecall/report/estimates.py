"""Estimates as they stand in sentences: a measure over queries or over builds, a latency with its spread."""

from __future__ import annotations

import math

from truerecall.model.mode import Mode
from truerecall.model.span import Span
from truerecall.report.curve_parts import OverBuilds, SettingRow
from truerecall.report.timed import mode_mark, per_call
from truerecall.report.wording import count, duration, estimate, milliseconds, percent, significant


def measured_text(own: OverBuilds) -> str:
    """Of one build the mean with its interval, of several their mean with the standard deviation over builds."""
    if own.only is not None:
        return estimate(own.only)
    spread = sd_text(own)
    return f"{mean_text(own)} ± {spread} over {count(own.builds, 'build')}" if spread else f"{mean_text(own)} (1 build)"


def mean_text(own: OverBuilds) -> str:
    """The mean, over several builds with as many decimals as their standard deviation supports."""
    if not own.sd:
        return percent(own.mean)
    return f"{own.mean * 100:.{_decimals(own.sd)}f} %"


def sd_text(own: OverBuilds) -> str:
    """The standard deviation over builds in points, to two significant digits; empty for one build."""
    return "" if own.sd is None else f"{own.sd * 100:.{_decimals(own.sd)}f}"


def _decimals(sd: float) -> int:
    return min(5, max(1, 1 - math.floor(math.log10(sd * 100)))) if sd > 0 else 1


def latency_text(row: SettingRow, mode: Mode) -> str:
    """``0.40 ms a query (p50, 0.39 to 0.42 over 3 passes)``; with the share of failed calls where there are some."""
    span = row.span
    if span is None:
        return "no latency"
    passes = passes_text(span)
    failed = f", {percent(row.failed_share)} of calls failed" if row.failed_share else ""
    return f"{duration(span.p50_s)} {per_call(mode)} (p50{mode_mark(mode)}{f', {passes}' if passes else ''}{failed})"


def passes_text(span: Span) -> str:
    """``0.39 to 0.42 over 3 passes``, in the unit of ``duration``; empty for one pass."""
    return "" if span.ends_s is None else f"{ends_text(span)} over {count(len(span.passes_s), 'pass', 'passes')}"


def ends_text(span: Span) -> str:
    """``0.39 to 0.42``, in the unit of ``duration``."""
    if span.p50_s < 1:
        return ends_ms(span)
    low, high = (significant(end) for end in span.ends_s or (span.p50_s, span.p50_s))
    return low if low == high else f"{low} to {high}"


def ends_ms(span: Span) -> str:
    """The lowest and the highest p50 over the passes, in milliseconds."""
    low, high = (milliseconds(end) for end in span.ends_s or (span.p50_s, span.p50_s))
    return low if low == high else f"{low} to {high}"
