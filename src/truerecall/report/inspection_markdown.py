"""The summary of an inspection as Markdown that renders on GitHub."""

from __future__ import annotations

from truerecall.model.finding import Finding
from truerecall.report.inspection_parts import InspectionSummary, Quality
from truerecall.report.markdown_text import escaped, table
from truerecall.report.wording import CONTROLS


def inspection_markdown(summary: InspectionSummary) -> str:
    """Everything but the pictures. Every text of the user's is escaped."""
    blocks = [f"# {escaped(summary.title)}", f"**{summary.answer}.** {escaped(summary.sentence)}"]
    blocks += [_finding(finding) for finding in summary.findings]
    blocks.append("## What was examined")
    rows = [(quality.title, quality.value, _outcome(quality)) for quality in summary.qualities]
    blocks.append(table(("quality", "value, 95 % interval, n", "check"), rows, left=3))
    for quality in summary.qualities:
        blocks.append(f"### {escaped(quality.title)}")
        blocks.append(f"{escaped(quality.value)}. {escaped(quality.means)}")
        if quality.facts:
            blocks.append(table((quality.title, ""), [(fact.name, fact.value) for fact in quality.facts], left=2))
    blocks.append("## What was looked at")
    blocks.append("\n".join(f"- {escaped(line)}" for line in (*summary.sampled, f"seed {summary.seed}")))
    blocks.append(table(("the vectors", ""), [(fact.name, fact.value) for fact in summary.facts], left=2))
    return ("\n\n".join(blocks) + "\n").translate(CONTROLS)


def _finding(finding: Finding) -> str:
    return (
        f"- **{finding.severity}: {escaped(finding.code)}**\n  - {escaped(finding.message)}.\n"
        f"  - What to do: {escaped(finding.remedy)}"
    )


def _outcome(quality: Quality) -> str:
    return quality.outcome if not quality.reason else f"{quality.outcome}: {quality.reason}"
