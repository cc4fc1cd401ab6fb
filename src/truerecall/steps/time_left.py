"""How long a plan may take yet, from how long its builds and passes took so far."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

Work = Literal["build", "pass"]


class TimeLeft:
    """``left``: how many builds and passes are still to be done; what lies there from before is not among them."""

    def __init__(self, *, builds: int, passes: int) -> None:
        self.left: dict[Work, int] = {"build": builds, "pass": passes}
        self.done: dict[Work, list[float]] = {"build": [], "pass": []}

    @contextmanager
    def doing(self, work: Work) -> Iterator[None]:
        """A build or a pass goes on meanwhile."""
        start = time.monotonic()
        yield
        self.done[work].append(time.monotonic() - start)
        self.left[work] = max(0, self.left[work] - 1)

    @property
    def seconds(self) -> float | None:
        """What is left at the mean time of what was done; None while nothing of a kind that is left was done."""
        total = 0.0
        for work, left in self.left.items():
            done = self.done[work]
            if left and not done:
                return None
            total += left * sum(done) / max(1, len(done))
        return total
