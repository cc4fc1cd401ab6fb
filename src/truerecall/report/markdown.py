"""The summary as Markdown that renders on GitHub: for a pull request, an issue or a job summary."""

from __future__ import annotations

from collections.abc import Sequence

from truerecall.report.checked import folded_sightings, places_of, reasons_of, shown_sightings, sorted_checks
from truerecall.report.estimates import measured_text
from truerecall.report.markdown_points import family_blocks
from truerecall.report.markdown_text import escaped, table
from truerecall.report.parts import CheckRow, Fact, FindingRow, Trust
from truerecall.report.summary_parts import BuildRow, Neighbour, Summary
from truerecall.report.wording import CONTROLS, distance_text, duration, estimate, milliseconds, percent, queries, size


def to_markdown(summary: Summary) -> str:
    """The whole summary but for the pictures. Every text of the user's is escaped."""
    blocks = [f"# {escaped(summary.title)}"]
    blocks += _trust(summary.trust)
    blocks.append("## In short")
    blocks.append("\n".join(f"- {escaped(sentence)}" for sentence in (*summary.headline, *summary.extremes)))
    for family in summary.families:
        blocks += family_blocks(family)
    blocks += _behind(summary)
    blocks += _worst(summary)
    blocks += _semantic(summary)
    blocks += ["## What it takes to build", _builds(summary.builds)]
    blocks.append("## What was measured")
    blocks.append(_facts("the truth", summary.truth))
    blocks += [_facts(family.label, family.facts) for family in summary.families]
    blocks += _environment(summary)
    return ("\n\n".join(blocks) + "\n").translate(CONTROLS)


def _trust(trust: Trust) -> list[str]:
    blocks = ["## Can this be believed?", f"**{trust.answer}.** {escaped(trust.sentence)}"]
    return [*blocks, *(_finding(finding) for finding in trust.findings), *checks_lines(trust.checks)]


def _finding(finding: FindingRow) -> str:
    lines = [f"- **{finding.severity}: {escaped(finding.code)}**"]
    lines += [f"  - {escaped(s.message)} ({escaped(places_of(s))})." for s in shown_sightings(finding)]
    if more := len(folded_sightings(finding)):
        lines.append(f"  - The same check saw {more:,} more like these.")
    lines.append(f"  - What to do: {escaped(finding.remedy)}")
    return "\n".join(lines)


def checks_lines(checks: Sequence[CheckRow]) -> list[str]:
    """What was checked in a sentence, and why some checks could not tell."""
    if not checks:
        return []
    found = sorted_checks(checks)
    passed = f" Passed: {escaped(', '.join(check.code for check in found.passed))}." if found.passed else ""
    unsure = [
        f"- {escaped(check.code)} could not tell{' everywhere' if check.passed else ''}: {escaped(reasons_of(check))}"
        for check in (*found.partly, *found.silent)
    ]
    return [f"{found.line}.{passed}", *(["\n".join(unsure)] if unsure else [])]


def _behind(summary: Summary) -> list[str]:
    behind = summary.behind
    if behind is None:
        return []
    rows = []
    for line in behind.lines:
        for cell, own in zip(line.cells, behind.narrowings, strict=True):
            if cell is not None:
                score, span = cell.row.measured(summary.measure), cell.row.span
                rows.append((
                    line.label, line.setting, own.text, f"{percent(own.share)} ({own.kept:,})",
                    "–" if score is None else measured_text(score),
                    "–" if span is None else milliseconds(span.p50_s), f"{cell.came:.1f} of {cell.most}",
                ))  # fmt: skip
    head = ("index", "setting", "filter", "may answer", summary.measure, "p50, ms", "rows that came")
    listed = "\n".join(f"- {escaped(sentence)}" for sentence in behind.sentences)
    return ["## Behind filters", listed, table(head, rows, left=3)]


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
    for curve in (family.shown for family in summary.families if family.shown.semantic):
        head = (f"{curve.label}: setting", "recall, all queries", "recall, same queries", "semantic recall", "n")
        rows = [
            (row.setting, estimate(row.recall), estimate(row.on_same), estimate(row.semantic), f"{row.semantic.n:,}")
            for row in curve.semantic
        ]
        blocks.append(table(head, rows))
    return blocks


def _builds(builds: Sequence[BuildRow]) -> str:
    rows = [
        (
            row.name, "not built" if row.seconds is None else duration(row.seconds),
            "not told" if row.size_bytes is None else size(row.size_bytes),
            f"{row.rows:,}", str(row.threads), str(row.seed), row.id,
        )
        for row in builds
    ]  # fmt: skip
    return table(("build", "build time", "index size", "rows", "threads", "seed", "id"), rows)


def _facts(name: str, facts: Sequence[Fact]) -> str:
    return table((name, ""), [(fact.name, fact.value) for fact in facts], left=2)


def _environment(summary: Summary) -> list[str]:
    own = summary.environment
    blocks = [escaped(own.differs)] if own.differs else []
    if own.differing:
        rows = [(name, *values) for name, values in own.differing]
        blocks.append(table(("what differs", *own.columns), rows, left=len(own.columns) + 1))
    return [*blocks, _facts("environment", own.same)]
