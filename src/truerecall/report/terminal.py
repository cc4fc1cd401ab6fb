"""The summary in a terminal: the headline, what to believe, and the points; readable down to 60 columns."""

from __future__ import annotations

from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from truerecall.report.parts import CurveRow, PointRow, Spread, Summary, Trust
from truerecall.report.wording import CONTROLS, estimate, milliseconds, significant, spoken

ROOMY = 120
"""From so many columns on, a table shows everything; below, what decides."""
STYLES = {"ok": "green", "suspect": "yellow", "invalid": "red", "note": "dim", "warning": "yellow"}


@dataclass(frozen=True)
class TerminalReport:
    """A Rich renderable that looks at the width it is given. Texts are never read as markup."""

    summary: Summary

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        summary = self.summary
        for sentence in summary.headline:
            yield words(sentence, style="bold")
        for sentence in summary.extremes:
            yield words(sentence, style="dim")
        yield Text()
        yield from trust_lines(summary.trust)
        for curve in summary.curves:
            yield Text()
            yield words(curve.label, style="bold")
            yield points_table(curve, summary.measure, roomy=options.max_width >= ROOMY)
            if curve.spread is not None:
                yield words(f"At {curve.spread.setting}: {curve.spread.low}", style="dim")
                yield from strata_lines(curve.spread)
            for remark in curve.remarks:
                yield words(remark, style="dim")
        if summary.environment.differs:
            yield words(summary.environment.differs, style="yellow")


def words(said: str, style: str = "") -> Text:
    """Words as they stand: no markup is read in them, and no control character reaches the terminal."""
    return Text(said.translate(CONTROLS), style=style)


def to_terminal(summary: Summary) -> TerminalReport:
    """What Rich is to print."""
    return TerminalReport(summary)


def trust_lines(trust: Trust) -> list[Text]:
    """The answer, and each finding with where it was seen and what to do."""
    lines = [Text.assemble("Can this be believed? ", (trust.answer, f"bold {STYLES[trust.verdict]}"))]
    lines.append(words(trust.sentence))
    for finding in trust.findings:
        lines.append(Text.assemble((finding.severity, STYLES[finding.severity]), " ", (finding.code, "bold")))
        lines += [words(f"  {s.message} ({'; '.join(s.places)}).") for s in finding.sightings]
        lines.append(words(f"  What to do: {finding.remedy}", style="dim"))
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


def points_table(curve: CurveRow, measure: str, *, roomy: bool) -> Table:
    """The points of a curve; where it is narrow, with one measure and without high percentiles, costs and counts."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), collapse_padding=True)
    table.add_column("setting", overflow="fold")
    for name in _measures(curve, measure, roomy=roomy):
        table.add_column(words(f"{spoken(name)} [95 %]"), justify="right")
        if roomy:
            table.add_column("n", justify="right")
    for name in ("p50 ms", "p95 ms", "p99 ms") if roomy else ("p50 ms",):
        table.add_column(name, justify="right")
    for cost in curve.costs if roomy else ():
        table.add_column(words(spoken(cost)), justify="right")
    table.add_column("verdict", no_wrap=True)
    for point in curve.points:
        table.add_row(*_cells(curve, point, measure, roomy=roomy), style="bold" if point.is_knee else None)
    return table


def _measures(curve: CurveRow, measure: str, *, roomy: bool) -> tuple[str, ...]:
    return curve.measures if roomy else tuple(name for name in curve.measures if name == measure)


def _cells(curve: CurveRow, point: PointRow, measure: str, *, roomy: bool) -> list[Text]:
    cells = [point.setting + (" ← knee" if point.is_knee else "")]
    for name in _measures(curve, measure, roomy=roomy):
        score = point.score(name)
        cells.append("–" if score is None else estimate(score))
        if roomy:
            cells.append("–" if score is None else f"{score.n:,}")
    for percentile in point.percentiles if roomy else point.percentiles[:1]:
        cells.append("–" if percentile.seconds is None else milliseconds(percentile.seconds))
    for cost in curve.costs if roomy else ():
        spent = point.spent(cost)
        cells.append("–" if spent is None else significant(spent))
    return [*map(words, cells), words(point.verdict, style=STYLES[point.verdict])]
