"""How the command line shows long work on standard error: a bar for a person, plain lines for a log."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from truerecall.cli.output import say
from truerecall.model.progress import Progress

if TYPE_CHECKING:
    from rich.progress import TaskID

SECONDS_BETWEEN_DRAWINGS = 0.1


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
        bars.draw()
        bars.display.stop()


class PlainProgress:
    """One line when a piece of work begins, and for each thing that is done in it where it names them."""

    def start(self, task: str, total: int, unit: str) -> None:
        say(f"{task}: {total:,} {unit}")

    def advance(self, amount: int) -> None:
        pass

    def now(self, words: str, left_s: float | None) -> None:
        say(f"{words}{f' ({_left(left_s)})' if left_s else ''}")

    def say(self, line: str) -> None:
        say(line)


class BarProgress:
    """A bar with the rate and the time left for the piece of work at hand; finished ones stay as a line. The time left
    is the one that the work itself expects, where it tells one.

    It is drawn by the thread that works, between its steps: a thread that draws by itself would take time from the
    very calls that are being timed.
    """

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn, TimeRemainingColumn
        from rich.text import Text

        class TimeLeft(TimeRemainingColumn):
            def render(self, task: Task) -> Text:
                left_s = task.fields["left_s"]
                told = left_s is not None and not task.finished
                return Text(_left(left_s), "progress.remaining") if told else super().render(task)

        self.display = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[unit]}"),
            TextColumn("{task.fields[rate]}"),
            TimeLeft(elapsed_when_finished=True),
            console=Console(stderr=True),
            auto_refresh=False,
        )
        self._current: TaskID | None = None
        self._task = self._unit = ""
        self._drawn = 0.0

    def start(self, task: str, total: int, unit: str) -> None:
        self.draw()
        self._current = self.display.add_task(task, total=total, unit=unit, rate="", left_s=None)
        self._task, self._unit = task, unit
        self.draw()

    def advance(self, amount: int) -> None:
        if self._current is None:
            return
        self.display.advance(self._current, amount)
        if self.display.get_time() - self._drawn >= SECONDS_BETWEEN_DRAWINGS:
            self.draw()

    def now(self, words: str, left_s: float | None) -> None:
        if self._current is not None:
            self.display.update(self._current, description=words, left_s=left_s)
            self.draw()

    def draw(self) -> None:
        """Bring the screen up to date."""
        if self._current is not None:
            own = next(task for task in self.display.tasks if task.id == self._current)
            if own.speed and own.fields["left_s"] is None:  # else it does unlike things, of which no rate tells
                self.display.update(self._current, rate=f"{own.speed:,.0f} {self._unit}/s")
            if own.finished:
                self.display.update(self._current, description=self._task)
        self.display.refresh()
        self._drawn = self.display.get_time()

    def say(self, line: str) -> None:
        self.display.console.print(line, markup=False, highlight=False)


def _left(seconds: float) -> str:
    """``about 3 min left``, in the unit that suits."""
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"about {seconds / size:.0f} {unit} left"
    return f"about {max(1.0, seconds):.0f} s left"
