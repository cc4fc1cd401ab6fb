"""Judged answers in a terminal: the headline, whether it can be believed, and every score."""

from __future__ import annotations

from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from truerecall.model.judged import Judged
from truerecall.model.truth import GroundTruth
from truerecall.report.judged_beside import Divided, part_words
from truerecall.report.judged_summary import JudgedSummary, measure_at, summarise_judged
from truerecall.report.point_parts import ScoreRow
from truerecall.report.terminal import STYLES, checks_lines, words
from truerecall.report.wording import estimate, percent


@dataclass(frozen=True)
class TerminalJudged:
    """A Rich renderable. Texts are never read as markup."""

    summary: JudgedSummary
    asked_k: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        summary = self.summary
        yield words(summary.headline, style="bold")
        for line in summary.read:
            yield words(line, style="dim")
        yield Text()
        yield Text.assemble("Can this be believed? ", (summary.answer, f"bold {STYLES[summary.verdict]}"))
        yield words(summary.sentence)
        for finding in summary.findings:
            yield Text.assemble((finding.severity, STYLES[finding.severity]), " ", (finding.code, "bold"))
            yield words(f"  {finding.message}.")
            yield words(f"  What to do: {finding.remedy}", style="dim")
        yield from checks_lines(summary.checks)
        if summary.scores:
            yield Text()
            yield scores_table(summary.scores, self.asked_k)
        for own in summary.divided:
            yield divided_table(own)
        for sentence in (*summary.beside, *summary.undefined):
            yield words(sentence, style="dim")


def scores_table(scores: tuple[ScoreRow, ...], asked_k: int) -> Table:
    """A row for each measure; failed queries have a column where there are some."""
    failed = any(score.failed for score in scores)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("measure", overflow="fold")
    for name in ("mean [95 %]", "n", *(("failed", "of the answered") if failed else ())):
        table.add_column(name, justify="right")
    for score in scores:
        own = "–" if score.answered_mean is None else percent(score.answered_mean)
        cells = [measure_at(score, asked_k), estimate(score), f"{score.n:,}"]
        table.add_row(*map(words, [*cells, *((f"{score.failed:,}", own) if failed else ())]))
    return table


def divided_table(own: Divided) -> Table:
    """A row for each part of the queries; thin ones are named as such."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(own.kind, overflow="fold")
    for name in (f"{own.measure} [95 %]", "n"):
        table.add_column(name, justify="right")
    for row in own.rows:
        table.add_row(*map(words, part_words(row)), style="yellow" if row.thin else None)
    return table


def judged_terminal(judged: Judged, truth: GroundTruth) -> TerminalJudged:
    """What Rich is to print."""
    return TerminalJudged(summarise_judged(judged, truth), judged.asked_k)
