"""Judged answers as a page: HTML that needs nothing else, or Markdown that renders on GitHub."""

from __future__ import annotations

from truerecall.model.judged import Judged
from truerecall.model.truth import GroundTruth
from truerecall.report.html import environment
from truerecall.report.judged_beside import part_words
from truerecall.report.judged_summary import measure_at, summarise_judged
from truerecall.report.markdown import checks_lines
from truerecall.report.markdown_text import escaped, table
from truerecall.report.tolerance import tolerance_pictures
from truerecall.report.wording import CONTROLS, interval, percent

HEAD = ("measure", "mean", "95 % interval", "n", "failed")


def judged_html(judged: Judged, truth: GroundTruth) -> str:
    """The page. Every text of the user's is escaped."""
    summary = summarise_judged(judged, truth)
    names = [measure_at(score, judged.asked_k) for score in summary.scores]
    page = environment().get_template("judged.html.j2").render(
        s=summary, named=list(zip(names, summary.scores, strict=True)),
        tolerances=tolerance_pictures([(0, judged.name, summary.scores)], name="tolerance"),
    )  # fmt: skip
    return page.translate(CONTROLS)


def judged_markdown(judged: Judged, truth: GroundTruth) -> str:
    """The same without layout. Every text of the user's is escaped."""
    summary = summarise_judged(judged, truth)
    blocks = [f"# {escaped(summary.title)}", escaped(summary.headline), "## Can this be believed?"]
    blocks.append(f"**{summary.answer}.** {escaped(summary.sentence)}")
    blocks += [
        f"- **{finding.severity}: {escaped(finding.code)}**\n  - {escaped(finding.message)}.\n"
        f"  - What to do: {escaped(finding.remedy)}"
        for finding in summary.findings
    ]
    blocks += checks_lines(summary.checks)
    if summary.scores:
        rows = [
            (
                measure_at(score, judged.asked_k),
                "undefined" if score.mean is None else percent(score.mean),
                interval(score) or "–",
                f"{score.n:,}",
                f"{score.failed:,}",
            )
            for score in summary.scores
        ]
        blocks += ["## Scores", table(HEAD, rows)]
    blocks += [
        table((own.kind, f"{own.measure} [95 %]", "n"), [part_words(row) for row in own.rows])
        for own in summary.divided
    ]
    blocks += [escaped(sentence) for sentence in (*summary.beside, *summary.undefined, *summary.read)]
    blocks += ["## The truth", table(("the truth", ""), [(fact.name, fact.value) for fact in summary.truth], left=2)]
    return ("\n\n".join(blocks) + "\n").translate(CONTROLS)
