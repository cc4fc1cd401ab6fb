"""The indexes that are in memory: no more than a given number, the one that was used longest ago going first."""

from __future__ import annotations

from collections.abc import Callable

from truerecall.steps.bench import Workplace


class Residents:
    """At most ``most`` benches by key. One that had to go is opened again from the index that it saved."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.benches: dict[str, Workplace] = {}

    def get(self, key: str) -> Workplace | None:
        """The bench of this key where it is open; it counts as used."""
        bench = self.benches.pop(key, None)
        if bench is not None:
            self.benches[key] = bench
        return bench

    def open(self, key: str, opened: Callable[[], Workplace]) -> Workplace:
        """A new bench, after room was made for it."""
        while len(self.benches) >= self.most:
            self.close(next(iter(self.benches)))
        self.benches[key] = opened()
        return self.benches[key]

    def close(self, key: str) -> None:
        """Close the bench of this key, if it is open."""
        bench = self.benches.pop(key, None)
        if bench is not None:
            bench.close()

    def close_all(self) -> None:
        for key in list(self.benches):
            self.close(key)
