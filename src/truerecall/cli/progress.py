"""How the command line shows long work on standard error: a bar for a person, plain lines for a log."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from truerecall.cli.output import say
from truerecall.model.progress import Progress


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """A listener for one verb: a live bar where standard error is a terminal, else one line for each piece of work."""
    if not sys.stderr.isatty():
        yield PlainProgress()
        return
    bars = BarProgress()
    bars.display.start()
    try:
        yield bars
    finally:
        bars.display.stop()


class PlainProgress:
    """One line when a piece of work begins."""

    def start(self, task: str, total: int, unit: str) -> None:
        say(f"{task}: {total:,} {unit}")

    def advance(self, amount: int) -> None:
        pass

    def say(self, line: str) -> None:
        say(line)


class BarProgress:
    """A bar with the rate and the time left for the piece of work at hand; finished ones stay as a line."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self.display = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[unit]}"),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=Console(stderr=True),
        )
        self._current: int | None = None
        self._unit = ""

    def start(self, task: str, total: int, unit: str) -> None:
        self._current = int(self.display.add_task(task, total=total, unit=unit, rate=""))
        self._unit = unit

    def advance(self, amount: int) -> None:
        from rich.progress import TaskID

        if self._current is None:
            return
        place = TaskID(self._current)
        self.display.update(place, advance=amount)
        speed = next(task.speed for task in self.display.tasks if task.id == place)
        if speed:
            self.display.update(place, rate=f"{speed:,.0f} {self._unit}/s")

    def say(self, line: str) -> None:
        self.display.console.print(line, markup=False, highlight=False)
