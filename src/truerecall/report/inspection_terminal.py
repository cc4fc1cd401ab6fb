"""The summary of an inspection in a terminal: the answer, the findings, and every quality with its numbers."""

from __future__ import annotations

from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from truerecall.report.inspection_parts import InspectionSummary
from truerecall.report.terminal import STYLES, words

OUTCOMES = {"passed": "green", "fired": "yellow", "cannot tell": "dim", "": "dim"}


@dataclass(frozen=True)
class TerminalInspection:
    """A Rich renderable. Texts are never read as markup."""

    summary: InspectionSummary

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        summary = self.summary
        yield Text.assemble(f"{summary.title} ", (summary.answer, f"bold {STYLES[summary.verdict]}"))
        yield words(summary.sentence)
        for finding in summary.findings:
            yield Text.assemble((finding.severity, STYLES[finding.severity]), " ", (finding.code, "bold"))
            yield words(f"  {finding.message}.")
            yield words(f"  What to do: {finding.remedy}", style="dim")
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for name in ("quality", "value [95 % interval]", "check"):
            table.add_column(name, overflow="fold")
        for quality in summary.qualities:
            outcome = quality.outcome + (f": {quality.reason}" if quality.reason else "")
            table.add_row(words(quality.title), words(quality.value), words(outcome, style=OUTCOMES[quality.outcome]))
        yield table
        for line in summary.sampled:
            yield words(line, style="dim")


def inspection_terminal(summary: InspectionSummary) -> TerminalInspection:
    """What Rich is to print."""
    return TerminalInspection(summary)
