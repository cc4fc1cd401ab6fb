"""Scores as rows of plain values."""

from __future__ import annotations

from truerecall.model.score import Score, StratumScore
from truerecall.report.curve_parts import StratumRow
from truerecall.report.point_parts import ScoreRow
from truerecall.report.wording import percent, queries


def score_row(score: Score) -> ScoreRow:
    low, high = score.ci95 if score.ci95 is not None else (None, None)
    return ScoreRow(
        score.measure, score.mean, low, high, score.ci_method, score.n,
        tuple(sorted(score.undefined.items())), score.failed, score.answered_mean, score.along,
    )  # fmt: skip


def low_words(score: Score) -> str:
    """What the mean hides, in a sentence or two."""
    low = score.low
    if low is None:
        return ""
    shares = [("5 %", low.fifth), ("1 %", low.first)]
    parts = [f"{share} of them have {percent(value)} or less" for share, value in shares if value is not None]
    parts += [f"the lowest has {percent(low.minimum)}", f"{low.at_zero:,} of {queries(score.n)} at zero"]
    halves = "" if score.split_half is None else f" Two random halves differ by {100 * score.split_half:.2f} points."
    whole = "" if score.clusters is None else f" Intervals draw whole clusters ({score.clusters:,})."
    return f"Of the queries: {', '.join(parts)}.{halves}{whole}"


def stratum_row(measure: str, own: StratumScore) -> StratumRow:
    low, high = own.ci95 if own.ci95 is not None else (None, None)
    return StratumRow(own.name, ScoreRow(measure, own.mean, low, high, own.ci_method, own.n, (), 0, own.mean), own.thin)
