"""Scores with all that belongs to them: errors, halves, the low end, shares, clusters and strata."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.nouns import run_of, truth_of
from truerecall.errors import InputError
from truerecall.model.arrays import texts
from truerecall.model.groups import Groups
from truerecall.model.measure import PerQuery
from truerecall.model.measure_name import MeasureName
from truerecall.model.score import Score
from truerecall.steps.aggregate import aggregate, low_tail
from truerecall.steps.score import score_run


class Share:
    title = "a share of queries"
    share = True


class Boundless:
    title = "anything"
    bounds = (0.0, np.inf)


class Plain:
    title = "a recall"


def score(values: Any, measure: Any = Plain, **groups: Any) -> Score:
    per_query = PerQuery(np.asarray(values, np.float64), texts([""] * len(values)))
    nobody = np.zeros(len(values), np.bool_)
    own = Groups.of(np.arange(len(values)), **groups)
    return aggregate("recall@10", measure(), per_query, nobody, seed=0, groups=own)


def test_the_query_is_the_unit_of_the_standard_error() -> None:
    found = score([1.0] * 8 + [0.0] * 2)
    assert found.standard_error == pytest.approx(0.133, abs=5e-4)
    assert found.split_half is not None
    assert score([1.0]).standard_error is None


def test_a_share_has_wilsons_interval() -> None:
    found = score([1.0] * 951 + [0.0] * 49, Share)
    assert found.ci95 == pytest.approx((0.936, 0.963), abs=5e-4)
    assert (found.mean, found.ci_method) == (0.951, "wilson")
    assert score([1.0] * 300, Share).ci_method == "rule-of-three"
    assert score([1.0] * 300, Share).ci95 == pytest.approx((0.99, 1.0))
    whole = score([1.0] * 951 + [0.0] * 49, Share, clusters=np.arange(1000) // 2)
    assert whole.ci_method == "bca"


def test_a_measure_without_a_bound_has_no_rule_of_three() -> None:
    assert (score([0.0] * 9, Boundless).ci95, score([0.0] * 9, Boundless).ci_method) == (None, "none")


def test_the_low_end() -> None:
    values = np.concatenate([np.zeros(2), np.full(3, 0.1), np.full(195, 1.0)])
    low = low_tail(values)
    assert low is not None
    assert (low.minimum, low.first, low.fifth, low.at_zero) == (0.0, 0.0, 1.0, 2)
    few = low_tail(values[:19])
    assert few is not None
    assert (few.first, few.fifth) == (None, None)
    assert low_tail(values[:0]) is None


def test_strata_each_with_n_and_thin_ones_named() -> None:
    found = score([1.0] * 40 + [0.0] * 10, strata=["head"] * 40 + ["tail"] * 10)
    assert [(s.name, s.n, s.mean, s.thin) for s in found.strata] == [("head", 40, 1.0, False), ("tail", 10, 0.0, True)]
    assert [s.name for s in found.thin_strata] == ["tail"]
    assert all(s.ci95 is not None and s.ci95[0] < s.ci95[1] for s in found.strata)


def test_a_run_with_groups_by_id_or_in_order() -> None:
    truth, run = truth_of([[i] for i in range(40)]), run_of([[i if i % 4 else 99] for i in range(40)], k=1)
    measures = [MeasureName("recall", 1)]
    by_id = {query: query // 4 for query in range(40)}
    (mapped,) = score_run(run, truth, measures=measures, clusters=by_id, strata=by_id).scores
    (listed,) = score_run(run, truth, measures=measures, clusters=list(by_id.values())).scores
    (alone,) = score_run(run, truth, measures=measures).scores
    assert (mapped.clusters, alone.clusters) == (10, None)
    assert mapped.ci95 == listed.ci95 != alone.ci95
    assert len(mapped.strata) == 10
    with pytest.raises(InputError, match="the clusters name 39 of 40 queries \\(missing: 39\\)"):
        score_run(run, truth, measures=measures, clusters=dict.fromkeys(range(39), 0))
    with pytest.raises(InputError, match="there are 3 strata and 40 queries"):
        score_run(run, truth, measures=measures, strata=["a"] * 3)
