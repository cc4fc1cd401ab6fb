"""How long work tells where it stands. Silent by default; only the command line shows it."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """A listener to long work. Called from the thread that works."""

    def start(self, task: str, total: int, unit: str) -> None:
        """A piece of work begins; it has ``total`` of ``unit``. A piece that is begun ends the one before it."""
        ...

    def advance(self, amount: int) -> None: ...

    def now(self, words: str, left_s: float | None) -> None:
        """What is being done now within the piece at hand, and in how many seconds the piece may be finished; None
        where nobody can tell yet."""
        ...

    def say(self, line: str) -> None:
        """Something worth one line."""
        ...


class Silent:
    """Says nothing."""

    def start(self, task: str, total: int, unit: str) -> None:
        pass

    def advance(self, amount: int) -> None:
        pass

    def now(self, words: str, left_s: float | None) -> None:
        pass

    def say(self, line: str) -> None:
        pass


SILENT: Progress = Silent()
