"""One pure summary of judged answers: everything that any face shows of them."""

from __future__ import annotations

from dataclasses import dataclass

from truerecall.model.finding import Finding, Verdict
from truerecall.model.judged import Judged
from truerecall.model.measure_name import MeasureName
from truerecall.model.truth import GroundTruth
from truerecall.report.card import truth_facts
from truerecall.report.judged_beside import Divided, beside, divided
from truerecall.report.parts import CheckRow, Fact
from truerecall.report.point_parts import ScoreRow
from truerecall.report.score_rows import score_row
from truerecall.report.wording import count, estimate, queries

WEIGHTS = ("invalid", "warning", "note")


@dataclass(frozen=True)
class JudgedSummary:
    """Ready to be laid out. ``answer`` and ``sentence``: whether the scores can be believed; ``read``: how the answers
    were read, a sentence each; ``undefined``: which queries a mean leaves out; ``beside``: what else is to be known of
    a score, a sentence each; ``divided``: the scores by part of the queries."""

    title: str
    headline: str
    distance: str
    verdict: Verdict
    answer: str
    sentence: str
    findings: tuple[Finding, ...]
    scores: tuple[ScoreRow, ...]
    undefined: tuple[str, ...]
    beside: tuple[str, ...]
    divided: tuple[Divided, ...]
    read: tuple[str, ...]
    checks: tuple[CheckRow, ...]
    truth: tuple[Fact, ...]


def summarise_judged(judged: Judged, truth: GroundTruth) -> JudgedSummary:
    """Everything that is to be said about these answers."""
    findings = tuple(sorted(judged.findings, key=lambda finding: WEIGHTS.index(finding.severity)))
    answer, sentence = _belief(judged)
    rows = tuple(score_row(score) for score in judged.scores)
    return JudgedSummary(
        title=f"How good are the answers in {judged.name}?",
        headline=_headline(judged, rows),
        distance=truth.distance,
        verdict=judged.verdict,
        answer=answer,
        sentence=sentence,
        findings=findings,
        scores=rows,
        undefined=tuple(
            f"{row.measure} leaves out {queries(number)}: {reason}." for row in rows for reason, number in row.undefined
        ),
        beside=tuple(line for n, score in enumerate(judged.scores) for line in beside(score, headline=n == 0)),
        divided=tuple(own for n, score in enumerate(judged.scores) for own in divided(score, headline=n == 0)),
        read=tuple(f"{judged.name}: {remark}." for remark in judged.remarks),
        checks=tuple(
            CheckRow(
                c.code,
                int(c.outcome == "passed"),
                int(c.outcome == "fired"),
                int(c.outcome == "cannot tell"),
                (c.reason,) if c.reason else (),
            )
            for c in judged.checks
        ),
        truth=truth_facts(truth),
    )


def measure_at(row: ScoreRow, asked_k: int) -> str:
    """``recall@10``, with what was asked for where that was deeper: the first ten of a hundred are another
    measurement."""
    return row.measure if MeasureName.parse(row.measure).places == asked_k else f"{row.measure} (asked {asked_k})"


def _headline(judged: Judged, rows: tuple[ScoreRow, ...]) -> str:
    if not rows:
        return f"{judged.name} shows no number."
    first = rows[0]
    name = MeasureName.parse(first.measure)
    asked = "" if name.places == judged.asked_k else f" (asked {judged.asked_k})"
    if name.base == "recall" and name.k == name.places:
        claim = f"{judged.name} holds {estimate(first)} of the true top {name.k}{asked}"
    else:
        claim = f"{judged.name} reaches {first.measure}{asked} of {estimate(first)}"
    return f"{claim}, over {queries(first.n)}."


def _belief(judged: Judged) -> tuple[str, str]:
    """A word or two, and why."""
    told = sum(check.outcome != "cannot tell" for check in judged.checks)
    silent = len(judged.checks) - told
    aside = f" {count(silent, 'check')} could not tell." if silent else ""
    weights = [finding.severity for finding in judged.findings]
    if judged.verdict == "invalid":
        return "No", "This is no valid measurement, so no number is shown. What was seen stands below." + aside
    if judged.verdict == "suspect":
        warnings = count(weights.count("warning"), "warning")
        return "With care", f"{warnings} may make the numbers mislead. Read them first." + aside
    notes = f"; {count(len(weights), 'note')} to know of" if weights else ""
    return "No doubts found", f"{count(told - len(weights), 'check')} passed{notes}." + aside
