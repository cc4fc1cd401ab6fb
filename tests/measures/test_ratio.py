"""ratio and rde against right values worked by hand."""

from __future__ import annotations

import math

import pytest

from tests.measures.values import at, per_query, value
from truerecall.errors import InputError
from truerecall.measures.rde import INFINITE, measure

TRUE = at([1.0, 1.1, 1.2])


def test_right_values() -> None:
    found = at([1.0, 1.11, 1.21], first=5)
    assert value("ratio@3", TRUE, found) == pytest.approx(0.99423, abs=5e-6)
    assert value("rde@3", TRUE, found) == pytest.approx(0.00581, abs=5e-6)
    assert value("ratio@3", TRUE, found[::-1]) == value("ratio@3", TRUE, found)  # both are sorted
    assert value("ratio@3", TRUE, TRUE) == 1.0
    assert value("rde@3", TRUE, TRUE) == 0.0


def test_zero_over_zero_is_one_and_anything_over_zero_scores_nothing() -> None:
    true = at([0.0, 1.0])
    assert value("ratio@2", true, at([0.0, 1.0], first=7)) == 1.0
    assert value("ratio@2", true, at([0.1, 1.0], first=7)) == 0.0
    assert value("ratio@2", at([0.0, 0.0]), at([0.0, 0.0], first=7)) == 1.0


def test_a_missing_answer_scores_nothing() -> None:
    for found in ([TRUE[0], TRUE[1]], [], [TRUE[0], TRUE[0], TRUE[1]], [*TRUE[:2], (9, math.nan)]):
        assert value("ratio@3", TRUE, found) == 0.0
        assert per_query("rde@3", [TRUE], [found]).undefined.tolist() == [INFINITE]
    assert value("ratio@3", TRUE[:2], TRUE[:2], eligible=2) == 1.0  # no more rows may answer


def test_rounding_of_a_cosine_is_no_distance() -> None:
    assert value("ratio@2", at([0.0, 0.5]), at([3e-16, 0.5], first=7), distance="cosine") == 1.0


@pytest.mark.parametrize("distance", ["ip", "hamming"])
@pytest.mark.parametrize("name", ["ratio@1", "rde@1"])
def test_other_distances_have_no_ratio(name: str, distance: str) -> None:
    with pytest.raises(InputError, match=f"means nothing under the distance {distance}"):
        value(name, TRUE[:1], TRUE[:1], distance=distance)


def test_the_error_has_no_upper_bound() -> None:
    assert measure.bounds == (0.0, math.inf)
