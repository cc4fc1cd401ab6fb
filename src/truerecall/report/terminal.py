"""The summary in a terminal: what to believe, the headline, and the points; readable down to 60 columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from truerecall.report.behind import BehindTable
from truerecall.report.checked import folded_sightings, places_of, shown_sightings, sorted_checks
from truerecall.report.curve_parts import Family, OverBuilds, SettingRow, Spread
from truerecall.report.estimates import ends_ms, measured_text
from truerecall.report.parts import CheckRow, Trust
from truerecall.report.summary_parts import Summary
from truerecall.report.wording import CONTROLS, count, estimate, milliseconds, percent, significant, spoken

ROOMY = 120
"""From so many columns on, a table shows everything; below, what decides."""
STYLES = {"ok": "green", "suspect": "yellow", "invalid": "red", "note": "dim", "warning": "yellow"}


@dataclass(frozen=True)
class TerminalReport:
    """A Rich renderable that looks at the width it is given. Texts are never read as markup."""

    summary: Summary

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        summary = self.summary
        yield from trust_lines(summary.trust)
        yield Text()
        for sentence in summary.headline:
            yield words(sentence, style="bold")
        for sentence in summary.extremes:
            yield words(sentence, style="dim")
        for family in summary.families:
            yield Text()
            yield words(family.label, style="bold")
            yield words(" ".join(family.timed), style="dim")
            yield points_table(family, summary.measure, roomy=options.max_width >= ROOMY)
            if len(family.curves) > 1:
                yield words(
                    f"Means over {count(len(family.curves), 'build')}; ± is their standard deviation.", style="dim"
                )
            spread = family.shown.spread
            if spread is not None:
                yield words(f"At {spread.setting}: {spread.low}", style="dim")
                yield from strata_lines(spread)
            for remark in dict.fromkeys(remark for curve in family.curves for remark in curve.remarks):
                yield words(remark, style="dim")
        if summary.behind is not None:
            yield Text()
            yield words("Behind filters", style="bold")
            for sentence in summary.behind.sentences:
                yield words(sentence)
            yield behind_table(summary.behind, summary.measure)
        if summary.environment.differs:
            yield words(summary.environment.differs, style="yellow")


def words(said: str, style: str = "") -> Text:
    """Words as they stand: no markup is read in them, and no control character reaches the terminal."""
    return Text(said.translate(CONTROLS), style=style)


def to_terminal(summary: Summary) -> TerminalReport:
    """What Rich is to print."""
    return TerminalReport(summary)


def trust_lines(trust: Trust) -> list[Text]:
    """The answer, each finding with where it was seen and what to do, and what was checked."""
    lines = [Text.assemble("Can this be believed? ", (trust.answer, f"bold {STYLES[trust.verdict]}"))]
    lines.append(words(trust.sentence))
    for finding in trust.findings:
        lines.append(Text.assemble((finding.severity, STYLES[finding.severity]), " ", (finding.code, "bold")))
        lines += [words(f"  {s.message} ({places_of(s)}).") for s in shown_sightings(finding)]
        if more := len(folded_sightings(finding)):
            lines.append(words(f"  It saw {more:,} more like these."))
        lines.append(words(f"  What to do: {finding.remedy}", style="dim"))
    return [*lines, *checks_lines(trust.checks)]


def checks_lines(checks: Sequence[CheckRow]) -> list[Text]:
    """What was checked in a line, and which checks could not tell in another."""
    if not checks:
        return []
    found = sorted_checks(checks)
    lines = [words(f"{found.line}.", style="dim")]
    if found.silent:
        lines.append(words(f"Could not tell: {', '.join(check.code for check in found.silent)}.", style="dim"))
    return lines


def strata_lines(spread: Spread) -> list[Text]:
    """A line for each stratum; thin ones are named as such."""
    return [
        words(
            f"  stratum {row.name}: {estimate(row.score)}, n={row.score.n:,}{' (thin)' if row.thin else ''}",
            style="yellow" if row.thin else "",
        )
        for row in spread.strata
    ]


def points_table(family: Family, measure: str, *, roomy: bool) -> Table:
    """The settings of a family; where it is narrow, with one measure and without costs."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), collapse_padding=True)
    table.add_column("setting", overflow="fold")
    several = len(family.curves) > 1
    for name in _measures(family, measure, roomy=roomy):
        table.add_column(words(f"{spoken(name)} {'± sd' if several else '[95 %]'}"), justify="right")
    for name in ("p50 ms", "over passes", "answers/s") if roomy else ("p50 ms",):
        table.add_column(name, justify="right")
    for cost in family.costs if roomy else ():
        table.add_column(words(f"{spoken(cost)}{' (by formula)' * (cost in family.by_formula)}"), justify="right")
    table.add_column("verdict", no_wrap=True)
    for row in family.settings:
        table.add_row(*_cells(family, row, measure, roomy=roomy), style="bold" if row.is_knee else None)
    return table


def behind_table(behind: BehindTable, measure: str) -> Table:
    """A line for each setting and filter: long rather than wide."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), collapse_padding=True)
    table.add_column("setting", overflow="fold")
    table.add_column("may answer", overflow="fold")
    for name in (measure, "p50 ms", "rows"):
        table.add_column(words(name), justify="right")
    for line in behind.lines:
        for cell, own in zip(line.cells, behind.narrowings, strict=True):
            if cell is not None:
                span, came = cell.row.span, f"{cell.came:.1f} of {cell.most}"
                table.add_row(
                    words(f"{line.label}, {line.setting}"), words(f"{percent(own.share)}: {own.text}"),
                    words(_measured(cell.row.measured(measure))),
                    words("–" if span is None else milliseconds(span.p50_s)),
                    words(came, style="yellow" if cell.short else ""), style="bold" if line.reading else None,
                )  # fmt: skip
    return table


def _measures(family: Family, measure: str, *, roomy: bool) -> tuple[str, ...]:
    return family.measures if roomy else tuple(name for name in family.measures if name == measure)


def _cells(family: Family, row: SettingRow, measure: str, *, roomy: bool) -> list[Text]:
    cells = [row.setting + (" ← knee" if row.is_knee else "")]
    cells += [_measured(row.measured(name)) for name in _measures(family, measure, roomy=roomy)]
    failed = f" ({percent(row.failed_share)} failed)" if row.failed_share else ""
    cells.append("–" if row.span is None else milliseconds(row.span.p50_s) + failed)
    if roomy:
        cells.append("–" if row.span is None else ends_ms(row.span) if row.span.ends_s else "1 pass")
        cells.append("–" if row.answers_per_s is None else significant(row.answers_per_s))
        spent = [row.spent(cost) for cost in family.costs]
        cells += ["–" if own is None else significant(own) for own in spent]
    return [*map(words, cells), words(row.verdict, style=STYLES[row.verdict])]


def _measured(own: OverBuilds | None) -> str:
    if own is None:
        return "–"
    return measured_text(own).removesuffix(f" over {count(own.builds, 'build')}")
