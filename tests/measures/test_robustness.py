"""robustness@k(δ) against right values worked by hand."""

from __future__ import annotations

import pytest

from tests.measures.values import per_query, value
from truerecall.errors import InputError
from truerecall.measures.robustness import measure

TEN = list(range(10))
FOUND = [TEN, TEN, TEN[:9], TEN[:2], []]


def test_the_share_of_queries_that_reach_a_recall() -> None:
    for floor, expected in (("0.2", 0.8), ("0.9", 0.6), ("0", 1.0), ("1", 0.4), ("90%", 0.6)):
        score = per_query(f"robustness@10({floor})", [TEN] * 5, FOUND)
        assert set(score.values.tolist()) <= {0.0, 1.0}
        assert score.values.mean() == pytest.approx(expected)
    assert measure.share


def test_hits_are_compared_not_rounded_recalls() -> None:
    # 0.7 * 10 is 7.000000000000001 in floating point, and seven hits of ten are enough.
    assert value("robustness@10(0.7)", TEN, TEN[:7]) == 1.0
    assert value("robustness@10(0.71)", TEN, TEN[:7]) == 0.0


def test_the_floor_is_asked_for() -> None:
    for name in ("robustness@10", "robustness@10(1.1)", "robustness@10(much)"):
        with pytest.raises(InputError, match="the recall that a query must reach, from 0 to 1"):
            value(name, TEN, TEN)
