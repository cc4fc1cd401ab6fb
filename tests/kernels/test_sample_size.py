"""How many queries a claim needs: the values of MEASURES, and the shape of the formulas."""

from __future__ import annotations

import pytest

from truerecall.kernels.sample_size import queries_for_half_width, queries_if_all_agree, queries_to_detect


def test_the_values_on_record() -> None:
    assert queries_for_half_width(0.177, 0.01) == 1204
    assert queries_to_detect(0.05, 0.005) == 785


@pytest.mark.parametrize(
    ("sd", "h", "n"), [(0.177, 0.02, 301), (0.5, 0.0196, 2500), (0.1, 0.5, 1), (0.354, 0.01, 4815)]
)
def test_half_the_width_takes_four_times_as_many(sd: float, h: float, n: int) -> None:
    assert queries_for_half_width(sd, h) == n


@pytest.mark.parametrize(("h", "n"), [(0.01, 300), (0.003, 1000), (0.5, 6)])
def test_the_rule_of_three_where_all_are_perfect(h: float, n: int) -> None:
    assert queries_if_all_agree(h) == n
