"""What else a machine did while a run was measured, from the environment that the run carries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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


def others_in(environment: Mapping[str, Any]) -> Others | None:
    """What other programs did during the pass; of one too short to tell, just before it. None where nobody knows."""
    readings = [environment.get(when, {}).get("others_busy_cores") for when in ("during", "before")]
    busy, cores = next((own for own in readings if own is not None), None), environment.get("cores_logical")
    return None if busy is None or not cores else Others(float(busy), int(cores))
