"""Judging a run: right values, refusals, failed queries, intervals, latency and what must not change."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.nouns import CORPUS, Lists, queries_print, run_of, truth_of
from truerecall.errors import InputError, NotAMeasurement, StaleTruth, UnknownName
from truerecall.measures.semantic_recall import NONE_RELEVANT
from truerecall.model.curve import Point
from truerecall.model.finding import CheckOutcome, Finding
from truerecall.model.labels import Labels
from truerecall.model.measure import NO_TRUE_NEIGHBOUR
from truerecall.model.measure_name import MeasureName
from truerecall.model.run import Run
from truerecall.model.score import Score
from truerecall.model.truth import GroundTruth
from truerecall.steps import check_passes
from truerecall.steps.score import score_run

ten = list(range(10))
hundred = list(range(100))


def judged(run: Run, truth: GroundTruth, *names: str, **others: Any) -> Point:
    measures = [MeasureName.parse(name) for name in names or (f"recall@{run.setup.k}",)]
    return score_run(run, truth, measures=measures, **others)


def only(point: Point) -> Score:
    (score,) = point.scores
    return score


def uneven(n: int = 40) -> tuple[Run, GroundTruth]:
    """Queries of which the i-th finds i modulo 6 of its five neighbours, or all."""
    truth = [[10 * i + j for j in range(5)] for i in range(n)]
    found = [[10 * i + j if j < i % 6 else 10_000 + j for j in range(5)] for i in range(n)]
    return run_of(found, k=5), truth_of(truth)


@pytest.mark.parametrize(
    ("truth", "found", "k", "measure", "expected"),
    [
        ([ten], [[0] * 10], 10, "recall@10", 0.1),  # H03
        ([list(range(10_000))], [hundred], 100, "recall@100", 1.0),  # H16 a
        ([list(range(10_000))], [list(range(100, 200))], 100, "recall@100", 0.0),  # H16 b
        ([hundred] * 5, [hundred[:40]] * 5, 100, "recall@100", 0.4),  # H19
        ([hundred] * 5, [hundred[:40]] * 5, 100, "recall@40", 1.0),  # H19 (asked 100)
        ([list(range(50))], [list(range(44))], 50, "recall@50", 0.88),  # H20
        ([[0, 8, 5, 2]], [[0, 5, 8, 2]], 4, "recall@4", 1.0),  # H25 b
    ],
)
def test_right_values(truth: Lists, found: Lists, k: int, measure: str, expected: float) -> None:
    score = only(judged(run_of(found, k=k), truth_of(truth), measure))
    assert score.measure == measure
    assert score.mean == score.answered_mean == expected


def test_h13_a_query_without_eligible_rows_is_left_out_and_counted() -> None:
    score = only(judged(run_of([[17], []], k=100), truth_of([[17], []], k=100, eligible=[1, 0])))
    assert (score.mean, score.n, score.undefined) == (1.0, 1, {NO_TRUE_NEIGHBOUR: 1})
    assert (score.ci95, score.ci_method) == (None, "none")


def test_h16_a_truth_narrower_than_k_is_refused() -> None:
    with pytest.raises(InputError, match="holds 10 neighbours per query and k is 100; ask for k <= 10"):
        judged(run_of([hundred], k=100), truth_of([ten]))
    assert only(judged(run_of([ten], k=100), truth_of([ten], k=10, eligible=[10]))).mean == 1.0


def test_a_measure_deeper_than_the_run_asked_is_refused() -> None:
    with pytest.raises(InputError, match="recall@10 needs 10 answers per query and the run asked for 5"):
        judged(run_of([ten[:5]], k=5), truth_of([ten]), "recall@10")


def test_h19_the_short_answers_are_found() -> None:
    point = judged(run_of([hundred[:40]] * 5, k=100), truth_of([hundred] * 5))
    assert point.verdict == "suspect"
    assert "short-answers" in [finding.code for finding in point.findings]


def test_h26_answers_belong_to_queries_not_to_arrival() -> None:
    truth = truth_of([[10 * i, 10 * i + 1] for i in range(10)])
    for workers in (1, 2, 5):
        shares = np.array_split(np.arange(10), workers)
        arrival = np.concatenate(shares[::-1]).tolist()
        run = run_of([[10 * i, 10 * i + 1] for i in arrival], k=2, query_ids=arrival)
        assert only(judged(run, truth)).mean == 1.0
        # The planted bug: each worker reads the truth from row 0.
        misread = [10 * place for share in shares for place in range(len(share))]
        wrong = run_of([[i, i + 1] for i in misread], k=2)
        assert only(judged(wrong, truth)).mean == pytest.approx(1 / workers)


def test_h26_every_query_weighs_the_same() -> None:
    found = [[i] for i in range(8)] + [[99], [99]]
    assert only(judged(run_of(found, k=1), truth_of([[i] for i in range(10)]))).mean == 0.8


def test_h27_nothing_answered_is_no_measurement() -> None:
    run = run_of([[]] * 60, k=1, failures=["ConnectionError: refused"] * 60)
    point = judged(run, truth_of([[1]] * 60))
    assert (point.scores, point.verdict, point.cost, point.latency.p50_s) == ((), "invalid", {}, None)
    assert any("60 of 60 queries failed" in finding.message for finding in point.findings)


def test_h27_three_good_ones_of_five() -> None:
    truth = truth_of([[i] for i in range(5)])
    run = run_of(
        [[0], [], [2], [], [9]],
        k=1,
        failures=["", "timeout", "", "timeout", ""],
        latency_s=[0.1, 9, 0.2, 9, 0.3],
        cost={"distance_computations": 33},
    )
    point = judged(run, truth)
    score = only(point)
    assert (score.mean, score.answered_mean, score.n, score.failed) == (2 / 5, 2 / 3, 5, 2)
    assert (point.latency.calls, point.latency.failed, point.latency.p50_s) == (3, 2, 0.2)
    assert point.cost == {"distance_computations": 11.0}


def test_a_failed_query_that_no_row_may_answer_is_undefined_first() -> None:
    truth = truth_of([[1], []], eligible=[1, 0])
    score = only(judged(run_of([[1], []], k=1, failures=["", "timeout"]), truth))
    assert (score.mean, score.n, score.failed, score.undefined) == (1.0, 1, 0, {NO_TRUE_NEIGHBOUR: 1})


def test_nothing_to_score_is_refused() -> None:
    with pytest.raises(NotAMeasurement, match="0 queries evaluated"):
        judged(run_of([], k=1), truth_of([]))
    with pytest.raises(NotAMeasurement, match="no row may answer any of the 2 queries"):
        judged(run_of([[1], [2]], k=1), truth_of([[], []], eligible=[0, 0]))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"distance": "cosine"}, "its distance is cosine, not l2"),
        ({"corpus": replace(CORPUS, rows=990)}, "of other corpus: 990 rows, not 1,000"),
        ({"corpus": replace(CORPUS, dtype="float16")}, "of other corpus: elements of float16, not float32"),
        ({"queries": replace(queries_print(1), digest="e" * 32)}, "digest eeeeeeeeeeee, not dddddddddddd"),
    ],
)
def test_a_stale_truth_is_refused_in_words_and_numbers(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(StaleTruth) as caught:
        judged(run_of([[1]], k=1), truth_of([[1]], **changes))
    assert words in str(caught.value)


def test_recall_and_semantic_recall_side_by_side() -> None:
    run = run_of([[0, 1, 2, 3, 99], [5, 6, 7, 8, 9]], k=5)
    labels = Labels("person", np.array([0, 0, 0, 1]), np.array([0, 2, 3, 77]))
    point = judged(run, truth_of([[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]), "recall@5", "semantic-recall@5", labels=labels)
    recall, semantic = point.scores
    assert recall.mean == 0.9
    assert (semantic.measure, semantic.mean, semantic.n) == ("semantic_recall@5", 1.0, 1)
    assert semantic.undefined == {NONE_RELEVANT: 1}


def test_a_mean_over_no_query_is_absent() -> None:
    labels = Labels("person", np.array([0]), np.array([77]))
    score = only(judged(run_of([[1]], k=1), truth_of([[1]]), "semantic_recall@1", labels=labels))
    assert (score.mean, score.answered_mean, score.ci95, score.n) == (None, None, None, 0)


def test_what_cannot_be_measured_is_refused() -> None:
    with pytest.raises(InputError, match="semantic_recall@1 needs labels"):
        judged(run_of([[1]], k=1), truth_of([[1]]), "semantic_recall@1")
    with pytest.raises(UnknownName, match="did you mean recall"):
        judged(run_of([[1]], k=1), truth_of([[1]]), "recal@1")


def test_all_perfect_has_an_interval_with_width() -> None:
    lists = [[i] for i in range(300)]
    score = only(judged(run_of(lists, k=1), truth_of(lists)))
    assert score.mean == 1.0
    assert score.ci95 == pytest.approx((0.99, 1.0))
    assert score.ci_method == "rule-of-three"


def test_one_seed_one_score_and_another_seed_another_interval() -> None:
    run, truth = uneven()
    first, again, other = (only(judged(run, truth, seed=seed)) for seed in (1, 1, 2))
    assert first.ci_method == "bca"
    assert (first.mean, first.ci95) == (again.mean, again.ci95)
    assert np.array_equal(first.per_query.values, again.per_query.values)
    assert other.mean == first.mean
    assert other.ci95 != first.ci95


def test_the_order_of_the_queries_changes_nothing() -> None:
    run, truth = uneven()
    order = np.random.default_rng(0).permutation(len(run)).tolist()
    found = [run.neighbors.of(i)[0].tolist() for i in order]
    there, here = only(judged(run_of(found, k=5, query_ids=order), truth)), only(judged(run, truth))
    assert (there.mean, there.ci95) == (here.mean, here.ci95)
    moved = truth_of([truth.neighbors.of(i)[0].tolist() for i in order], query_ids=order)
    elsewhere = only(judged(run, moved))
    assert (elsewhere.mean, elsewhere.ci95) == (here.mean, here.ci95)


def test_scoring_does_not_touch_what_it_reads() -> None:
    run, truth = uneven()
    arrays = [run.neighbors.ids, run.neighbors.distances, run.latency_s, truth.neighbors.ids, truth.eligible]
    before = [array.copy() for array in arrays]
    point = judged(run, truth)
    assert point.run is run
    assert all(np.array_equal(array, copy) for array, copy in zip(arrays, before, strict=True))
    assert not any(array.flags.writeable for array in arrays)


def test_percentiles_are_withheld_where_calls_are_too_few() -> None:
    for n, held_back in ((99, {"p95_s": 100, "p99_s": 1000}), (500, {"p99_s": 1000}), (1000, {})):
        lists = [[1]] * n
        latency = judged(run_of(lists, k=1, latency_s=list(range(1, n + 1))), truth_of(lists)).latency
        assert latency.withheld == {name: f"needs {least:,} calls, has {n}" for name, least in held_back.items()}
        assert latency.p50_s == math.ceil(n / 2)
        assert latency.p95_s == (None if "p95_s" in held_back else math.ceil(0.95 * n))
        assert latency.p99_s == (None if "p99_s" in held_back else math.ceil(0.99 * n))
        assert (latency.calls, latency.distinct_queries, latency.warmup_calls) == (n, n, 100)


def test_an_invalid_finding_withholds_the_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    finding = Finding("planted", "invalid", "nothing was indexed", "build the index", {"indexed": 0})
    seen: dict[str, object] = {}

    def planted(evidence: dict[str, object]) -> tuple[CheckOutcome, ...]:
        seen.update(evidence)
        return (CheckOutcome("planted", "fired", finding),)

    monkeypatch.setattr(check_passes, "examine", planted)
    point = judged(run_of([[1]], k=1), truth_of([[1]]))
    assert (point.scores, point.verdict, point.findings) == ((), "invalid", (finding,))
    assert set(seen) == {
        "run", "runs", "truth", "copies", "answers", "scores", "latency", "drift", "k", "asked_k", "failures",
    }  # fmt: skip
