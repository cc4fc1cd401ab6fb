"""Can this be believed? in a terminal: the answer, the findings by weight, and every check with what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from truerecall.model.curve import Curve
from truerecall.report.check_list import Listed, counted, listed_checks
from truerecall.report.parts import Trust
from truerecall.report.terminal import trust_lines, words
from truerecall.report.trust import trust_in
from truerecall.report.wording import count

SPOKEN = {"fired": "fired", "passed": "passed", "cannot tell": "could not tell", "not asked": "not asked"}
STYLES = {"fired": "yellow", "passed": "green", "cannot tell": "", "not asked": "dim"}


@dataclass(frozen=True)
class CheckTerminal:
    """A Rich renderable."""

    trust: Trust
    asked: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        listed = listed_checks(self.trust)
        yield from trust_lines(self.trust)
        yield Text()
        told = ", ".join(f"{own:,} {SPOKEN[what]}" for what, own in counted(listed).items() if own)
        yield words(f"{count(len(listed), 'check')} on {self.asked}: {told}.", style="bold")
        yield check_table(listed)


def check_table(listed: Sequence[Listed]) -> Table:
    """A row for each check."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("check", "what it looks for", "outcome", "why"):
        table.add_column(name, overflow="fold")
    for one in listed:
        cells = (one.code, one.title, _outcome(one), "; ".join(one.reasons))
        table.add_row(*map(words, cells), style=STYLES[one.outcome] or None)
    return table


def _outcome(one: Listed) -> str:
    """What came of it, with at how many points where that was not at all of them."""
    total = one.passed + one.fired + one.cannot_tell
    own = {"fired": one.fired, "passed": one.passed}.get(one.outcome, total)
    return SPOKEN[one.outcome] + (f" at {own:,} of {total:,} points" if own < total else "")


def check_terminal(curves: Sequence[Curve]) -> CheckTerminal:
    """What Rich is to print."""
    points = [point for curve in curves for point in curve.points]
    runs = sum(len(point.runs) for point in points)
    asked = f"{count(len(points), 'point')} of {count(len(curves), 'curve')} ({count(runs, 'run')})"
    return CheckTerminal(trust_in(curves, [curve.label for curve in curves]), asked)
