"""The summary as Markdown that renders on GitHub: for a pull request, an issue or a job summary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from truerecall.report.parts import CurveRow, Fact, Neighbour, PointRow, Summary, Trust
from truerecall.report.wording import (
    CONTROLS,
    distance_text,
    estimate,
    interval,
    milliseconds,
    percent,
    queries,
    significant,
    spoken,
)

SPECIAL = re.compile(r"([\\`*_\[\]|~])")


def to_markdown(summary: Summary) -> str:
    """The whole summary but for the pictures. Every text of the user's is escaped."""
    blocks = [f"# {escaped(summary.title)}"]
    blocks.append("\n".join(f"- {escaped(sentence)}" for sentence in (*summary.headline, *summary.extremes)))
    blocks += _trust(summary.trust)
    for curve in summary.curves:
        blocks.append(f"## {escaped(curve.label)}")
        blocks.append(_points(curve))
        blocks += [escaped(remark) for remark in curve.remarks]
        if curve.spread is not None:
            spread = curve.spread
            blocks.append(
                f"At {escaped(spread.setting)}, {spread.perfect:,} of {queries(spread.n)} are perfect. {spread.low}"
            )
            if spread.strata:
                rows = [
                    (row.name + (" (thin)" if row.thin else ""), estimate(row.score), f"{row.score.n:,}")
                    for row in spread.strata
                ]
                blocks.append(table(("stratum", "mean [95 %]", "n"), rows))
    blocks += _worst(summary)
    blocks += _semantic(summary)
    blocks.append("## What was measured")
    blocks.append(_facts("the truth", summary.truth))
    blocks += [_facts(curve.label, curve.settings) for curve in summary.curves]
    blocks += _environment(summary)
    return ("\n\n".join(blocks) + "\n").translate(CONTROLS)


def escaped(text: str) -> str:
    """Text that Markdown and HTML leave alone, on one line."""
    plain = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return SPECIAL.sub(r"\\\1", plain)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1) -> str:
    """A table whose first ``left`` columns are set left and the others right; cells are escaped here."""
    lines = [
        "| " + " | ".join(escaped(cell) for cell in head) + " |",
        "|" + "|".join("---" if place < left else "---:" for place in range(len(head))) + "|",
    ]
    lines += ["| " + " | ".join(escaped(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _trust(trust: Trust) -> list[str]:
    blocks = ["## Can this be believed?", f"**{trust.answer}.** {escaped(trust.sentence)}"]
    for finding in trust.findings:
        lines = [f"- **{finding.severity}: {escaped(finding.code)}**"]
        lines += [f"  - {escaped(s.message)} ({escaped('; '.join(s.places))})." for s in finding.sightings]
        lines.append(f"  - What to do: {escaped(finding.remedy)}")
        blocks.append("\n".join(lines))
    if trust.checks:
        rows = [(c.code, str(c.passed), str(c.fired), str(c.cannot_tell), "; ".join(c.reasons)) for c in trust.checks]
        blocks.append(table(("check", "passed", "fired", "cannot tell", "why not"), rows))
    return blocks


def _points(curve: CurveRow) -> str:
    measures, costs = curve.measures, curve.costs
    head = [
        "setting", *(part for m in measures for part in (m, "95 % interval", "n")),
        "p50, ms", "p95, ms", "p99, ms", *map(spoken, costs), "calls", "failed", "verdict",
    ]  # fmt: skip
    rows = [
        [
            point.setting + (" (knee)" if point.is_knee else "" if point.on_front else " (off the front)"),
            *(cell for measure in measures for cell in _score_cells(point, measure)),
            *("–" if p.seconds is None else milliseconds(p.seconds) for p in point.percentiles),
            *("–" if (spent := point.spent(cost)) is None else significant(spent) for cost in costs),
            f"{point.calls:,}", f"{point.failed:,}", point.verdict,
        ]
        for point in curve.points
    ]  # fmt: skip
    return table(head, rows)


def _score_cells(point: PointRow, measure: str) -> tuple[str, str, str]:
    score = point.score(measure)
    if score is None:
        return "–", "–", "–"
    return ("undefined" if score.mean is None else percent(score.mean)), interval(score) or "–", f"{score.n:,}"


def _worst(summary: Summary) -> list[str]:
    worst = summary.worst
    if worst is None or not worst.queries:
        return []
    where = f"{worst.curve} at {worst.setting}: {worst.imperfect:,} of {queries(worst.n)} miss a true neighbour."
    rows = [
        (
            query.text if query.text is not None else query.id,
            percent(query.value),
            _named(query.missed),
            _named(query.instead) or query.failure or "nothing",
            distance_text(query.cut),
        )
        for query in worst.queries
    ]
    head = ("query", summary.measure, "missed (true distance)", "returned instead", "last true neighbour at")
    return ["## The queries that fare worst", escaped(where), table(head, rows, left=5)]


def _named(neighbours: Sequence[Neighbour]) -> str:
    return "; ".join(f"{n.id if n.text is None else n.text} ({_far(n)})" for n in neighbours)


def _far(neighbour: Neighbour) -> str:
    return "not in the corpus" if neighbour.distance is None else distance_text(neighbour.distance)


def _semantic(summary: Summary) -> list[str]:
    blocks = ["## Does the loss matter?"] if summary.has_semantic else []
    for curve in summary.curves:
        if curve.semantic:
            head = (f"{curve.label}: setting", "recall, all queries", "recall, same queries", "semantic recall", "n")
            rows = [
                (
                    row.setting,
                    estimate(row.recall),
                    estimate(row.on_same),
                    estimate(row.semantic),
                    f"{row.semantic.n:,}",
                )
                for row in curve.semantic
            ]
            blocks.append(table(head, rows))
    return blocks


def _facts(name: str, facts: Sequence[Fact]) -> str:
    return table((name, ""), [(fact.name, fact.value) for fact in facts], left=2)


def _environment(summary: Summary) -> list[str]:
    environment = summary.environment
    columns = ("",) if len(environment.columns) == 1 else environment.columns
    rows = [(name, *values) for name, values in environment.rows]
    blocks = [table(("environment", *columns), rows, left=len(columns) + 1)]
    return [*([escaped(environment.differs)] if environment.differs else []), *blocks]
