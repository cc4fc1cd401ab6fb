"""Scores with all that belongs to them: errors, halves, the low end, shares, clusters and strata."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.nouns import run_of, truth_of
from truerecall.errors import InputError
from truerecall.model.arrays import texts
from truerecall.model.groups import Groups
from truerecall.model.measure import Measure, PerQuery
from truerecall.model.measure_name import MeasureName
from truerecall.model.score import Score
from truerecall.steps.aggregate import aggregate, low_tail
from truerecall.steps.score import score_run


class Share(Measure):
    title = "a share of queries"
    share = True


class Boundless(Measure):
    title = "anything"
    bounds = (0.0, np.inf)


class Plain(Measure):
    title = "a recall"


def score(values: Any, measure: Any = Plain, **groups: Any) -> Score:
    per_query = PerQuery(np.asarray(values, np.float64), texts([""] * len(values)))
    return aggregated(per_query, measure, **groups)


def aggregated(per_query: PerQuery, measure: Any = Plain, **groups: Any) -> Score:
    nobody = np.zeros(len(per_query.values), np.bool_)
    own = Groups.of(np.arange(len(nobody)), **groups)
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


def test_exact_search_stands_beside_a_measure_against_labels() -> None:
    came, exact, reasons = [0.5, 0.0, 1.0, 0.0], [1.0, 0.5, 1.0, 0.0], ["", "", "", "no row is labelled relevant"]
    per_query = PerQuery(np.array(came), texts(reasons), exact=np.array(exact))
    found = aggregated(per_query).beside
    assert found is not None
    assert found.exact == pytest.approx(5 / 6)
    assert found.lost == pytest.approx(1 / 3)
    assert found.lost_ci95 is not None
    assert found.lost_ci95[0] < 1 / 3 < found.lost_ci95[1]
    assert score([1.0, 0.0]).beside is None
    alike = PerQuery(np.array(exact), texts([""] * 4), exact=np.array(exact))
    none = aggregated(alike).beside
    assert none is not None
    assert (none.lost, none.lost_method) == (0.0, "rule-of-three")


def test_groups_stand_in_the_order_of_their_numbers_and_without_the_undefined() -> None:
    names = ["80 to 90 relevant", "9 relevant", "0 relevant", "9 relevant", "20 to 79 relevant"]
    per_query = PerQuery(np.array([1.0, 0.5, 0.0, 0.25, 0.75]), texts(["", "", "none", "", ""]), groups=texts(names))
    found = aggregated(per_query).groups
    assert [(own.name, own.n, own.mean) for own in found] == [
        ("9 relevant", 2, 0.375), ("20 to 79 relevant", 1, 0.75), ("80 to 90 relevant", 1, 1.0),
    ]  # fmt: skip


def test_strata_each_with_n_and_thin_ones_named() -> None:
    found = score([1.0] * 40 + [0.0] * 10, strata=["head"] * 40 + ["tail"] * 10)
    assert [(s.name, s.n, s.mean, s.thin) for s in found.strata] == [("head", 40, 1.0, False), ("tail", 10, 0.0, True)]
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
