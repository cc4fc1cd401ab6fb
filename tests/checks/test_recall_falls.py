"""recall-falls: recall that falls with effort (H17)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.curves import curve_of, point_of
from truerecall.checks.recall_falls import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding

N = 500
HARDNESS = np.random.default_rng(0).normal(0, 0.1, N)


def values(mean: float, seed: int) -> Any:
    """Values about a mean: hard queries are hard at every setting, and some noise comes on top."""
    own = HARDNESS + np.random.default_rng(seed).normal(0, 0.05, N)
    return np.clip(mean + own - own.mean(), 0, None).tolist()


def case(*means: float, effort: tuple[str, ...] = ("efSearch",), start: int = 128, seed: int = 1) -> dict[str, Any]:
    points = [
        point_of(values(mean, seed + i), settings={"efSearch": start * 2**i}, effort=effort, found=[[0]] * N)
        for i, mean in enumerate(means)
    ]
    return {"curve": curve_of(*points)}


FIRES = {"H17": case(0.99, 0.90, 0.84), "it rises before it falls": case(0.8, 0.95, 0.9)}
STAYS_QUIET = {
    "it rises": case(0.6, 0.8, 0.9, 0.95),
    "some thousandths, as with compressed codes": case(0.672, 0.670, 0.668),
    "one value": {
        "curve": curve_of(
            point_of([0.9] * 50, settings={"efSearch": 16}), point_of([0.9] * 50, settings={"efSearch": 32})
        )
    },
}


def test_the_largest_fall_is_told() -> None:
    finding = check.examine(**FIRES["H17"])
    assert isinstance(finding, Finding)
    assert finding.message.startswith("recall@10 falls from 0.990 to 0.840 as efSearch rises from 128 to 512 (by 0.150")
    assert finding.severity == "warning"
    assert finding.evidence["drop"] == pytest.approx(0.15, abs=1e-3)


@pytest.mark.parametrize("seed", range(20))
def test_noise_never_fires(seed: int) -> None:
    noise = np.random.default_rng(seed)
    points = [
        point_of(np.clip(noise.normal(0.9, 0.15, 100), 0, 1).tolist(), settings={"efSearch": 2**i}, found=[[0]] * 100)
        for i in range(5)
    ]
    assert check.examine(curve_of(*points)) is None


def test_without_a_setting_of_effort_it_cannot_tell() -> None:
    assert isinstance(check.examine(**case(0.99, 0.9, effort=())), CannotTell)
    assert isinstance(check.examine(**case(0.99)), CannotTell)


def test_a_few_queries_may_all_fall_by_chance() -> None:
    def fall(n: int) -> Any:
        points = [point_of([mean] * n, settings={"efSearch": ef}) for mean, ef in ((0.9, 16), (0.8, 32))]
        return check.examine(curve_of(*points))

    assert fall(2) == CannotTell("2 queries are too few: all may fall by chance")
    assert isinstance(fall(14), CannotTell)
    assert isinstance(fall(15), Finding)
