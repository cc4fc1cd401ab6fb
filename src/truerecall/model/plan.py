"""The plan of a measurement: everything the user decides before it starts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from truerecall.model.engine import Settings, Value


@dataclass(frozen=True)
class Plan:
    """One engine over one grid of settings.

    ``fixed`` settings hold everywhere; each of ``varied`` takes each of its values, several make a grid. Both may
    name build and search settings. ``threads``: what the engine may use to build; a search runs on one.
    """

    engine: str
    distance: str
    k: int
    fixed: Settings = field(default_factory=dict)
    varied: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    seed: int = 0
    threads: int = 1
    warmup_calls: int = 100

    def grid(self) -> Iterator[Settings]:
        """Every combination, the last named setting changing fastest."""
        for values in product(*self.varied.values()):
            yield {**self.fixed, **dict(zip(self.varied, values, strict=True))}
