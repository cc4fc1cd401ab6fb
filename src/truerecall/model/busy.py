"""What a machine did besides a run, from the environment that the run carries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from truerecall.model.mode import Mode
from truerecall.model.run import Run

BUSY_CORES, BUSY_SHARE = 0.5, 0.1
"""Other programs may keep so many cores busy, or this share of all cores where that is more."""


@dataclass(frozen=True)
class Others:
    """Other programs kept ``busy`` of ``cores`` cores busy."""

    busy: float
    cores: int

    @property
    def many(self) -> bool:
        return self.busy > max(BUSY_CORES, BUSY_SHARE * self.cores)


def busy_with_others(run: Run) -> Others | None:
    """None where nobody knows."""
    return others_in(run.environment, own_cores(run.setup.mode, run.setup.build.threads))


def own_cores(mode: Mode, threads: int) -> int:
    """How many cores a search may keep busy by itself."""
    return {"one-by-one": 1, "batch": threads, "clients": mode.size}[mode.kind]


def others_in(environment: Mapping[str, Any], own: int) -> Others | None:
    """From the share of all cores that was busy while a search of ``own`` cores ran."""
    percent, cores = environment.get("during", {}).get("cpu_percent"), environment.get("cores_logical")
    if percent is None or not cores:
        return None
    return Others(max(0.0, percent / 100 * cores - min(own, cores)), int(cores))
