"""The plan of a measurement: everything the user decides before it starts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Literal, get_args

from truerecall.model.engine import Settings, Value
from truerecall.model.filter import Filter
from truerecall.model.mode import ONE_BY_ONE, Mode

OnFailure = Literal["stop", "go-on"]
ON_FAILURE: tuple[OnFailure, ...] = get_args(OnFailure)
LARGEST_GRID = 10_000
"""Points of one engine beyond which a plan is taken for a slip."""


@dataclass(frozen=True)
class EnginePlan:
    """One engine over one grid of settings.

    ``fixed`` settings hold everywhere; each of ``varied`` takes each of its values, several make a grid. Both may
    name build and search settings. ``attach``: the name of an index that exists and is measured as it is; empty where
    indexes are built. ``dsn_file``: says how a server is reached, None where the environment does.
    """

    engine: str
    fixed: Settings = field(default_factory=dict)
    varied: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    attach: str = ""
    dsn_file: Path | None = None

    def grid(self) -> Iterator[Settings]:
        """Every combination, the last named setting changing fastest."""
        for values in product(*self.varied.values()):
            yield {**self.fixed, **dict(zip(self.varied, values, strict=True))}


@dataclass(frozen=True)
class Plan:
    """What is measured, and how often.

    ``repeats``: how often every point is measured, in rounds over all points in an order drawn by ``seed``.
    ``builds``: how many indexes are built of each build configuration; beyond the first each with a seed and an order
    of rows of its own. ``modes``: every point is measured in each. ``threads``: what an engine may use to build and
    for a batch; a single search runs on one. ``warmup_calls``: asked and forgotten before each pass. ``resident``: how
    many indexes may be in memory at once. ``filters``: every point is measured with all rows, and behind each of them
    too. ``on_failure``: whether a measurement stops where an engine fails as a whole (a server that was killed, a build
    that cannot be), or goes on with the others and leaves it.
    """

    engines: tuple[EnginePlan, ...]
    distance: str
    k: int
    seed: int = 0
    threads: int = 1
    warmup_calls: int = 100
    repeats: int = 3
    builds: int = 1
    modes: tuple[Mode, ...] = (ONE_BY_ONE,)
    resident: int = 2
    filters: tuple[Filter, ...] = ()
    on_failure: OnFailure = "stop"
