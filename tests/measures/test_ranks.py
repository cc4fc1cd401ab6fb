"""rbo, kendall and mrr against right values, and beside plain twins."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from tests.measures.values import at, per_query, value
from truerecall.errors import InputError
from truerecall.measures.kendall import UNDER_TWO


def test_rbo_of_two_lists() -> None:
    assert value("rbo@3(0.9)", [1, 2, 3], [1, 3, 4]) == pytest.approx(0.685)
    assert value("rbo@3(0.9)", [1, 2, 3], [1, 2, 3]) == pytest.approx(1.0)
    assert value("rbo@3(0.9)", [1, 2, 3], [7, 8, 9]) == 0.0
    assert value("rbo@3(0.9)", [1, 2, 3], []) == 0.0
    for name in ("rbo@3", "rbo@3(1)", "rbo@3(0)"):
        with pytest.raises(InputError, match=r"p, from 0\.001 to 0\.999"):
            value(name, [1], [1])


lists = st.lists(st.integers(0, 8), min_size=1, max_size=6, unique=True)


@given(lists, st.lists(st.integers(-1, 12), max_size=6), st.sampled_from([0.5, 0.9, 0.99]))
def test_rbo_equals_its_sum_written_out(truth: list[int], found: list[int], p: float) -> None:
    answer = [code for i, code in enumerate(found) if code != -1 and code not in found[:i]]
    depth = len(truth)
    shared = [len(set(truth[:d]) & set(answer[:d])) for d in range(1, depth + 1)]
    total = sum(x / d * p**d for d, x in enumerate(shared, 1))
    expected = (1 - p) / p * total + shared[-1] / depth * p**depth
    assert value(f"rbo@6({p})", truth, found, eligible=len(truth)) == pytest.approx(expected)


def test_kendall_over_shared_ids() -> None:
    truth = at([1.0, 2.0, 3.0, 4.0])
    found = [truth[2], (9, 5.0), truth[1], truth[0]]
    assert value("kendall@4", truth, found) == -1.0
    assert value("kendall@4", truth, truth[:2]) == 1.0
    tied = at([1.0, 2.0, 2.0, 3.0])
    assert value("kendall@4", tied, [tied[0], tied[2], tied[1], tied[3]]) == 1.0


def test_kendall_is_undefined_under_two() -> None:
    rows = at([1.0, 1.0, 2.0])
    score = per_query("kendall@3", [rows, rows, rows], [[rows[0]], [rows[1], rows[0]], [rows[2], rows[0]]])
    assert score.undefined.tolist() == [UNDER_TWO, UNDER_TWO, ""]
    assert score.values.tolist() == [0.0, 0.0, -1.0]


@given(st.lists(st.integers(0, 3), min_size=2, max_size=7), st.data())
def test_kendall_equals_scipy(distances: list[int], data: st.DataObject) -> None:
    truth = at([float(d) for d in sorted(distances)])
    found = data.draw(st.permutations(truth))[: data.draw(st.integers(0, len(truth)))]
    score = per_query(f"kendall@{len(truth)}", [truth], [found])
    if len({d for _, d in found}) < 2:
        assert score.undefined.tolist() == [UNDER_TWO]
    else:
        came = [d for _, d in found]
        # SciPy has no word for rows that tie on both sides: there the pairs are counted.
        if len(set(came)) == len(came):
            assert score.values[0] == pytest.approx(kendalltau(came, list(range(len(came)))).statistic)
        pairs = [(a, b) for i, a in enumerate(came) for b in came[i + 1 :] if a != b]
        assert score.values[0] == pytest.approx(sum(1 if a < b else -1 for a, b in pairs) / len(pairs))


def test_kendall_of_a_long_list() -> None:
    truth = at([float(d) for d in range(300)])
    assert value("kendall@300", truth, truth[::-1]) == -1.0
    assert value("kendall@300", truth, truth) == 1.0


def test_reciprocal_rank_of_the_nearest() -> None:
    truth = [7, 8, 9]
    assert value("mrr@3", truth, [8, 7]) == 0.5
    assert value("mrr@3", truth, [7]) == 1.0
    assert value("mrr@3", truth, [8, 9]) == 0.0
    assert value("mrr@3", truth, [8, 8, 7]) == 0.5  # the repeat is taken out first
    assert value("mrr@2", truth, [1, 2, 7]) == 0.0  # beyond k
    assert value("mrr@3", truth, []) == 0.0
