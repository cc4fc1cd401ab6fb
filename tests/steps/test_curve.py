"""Curves: one per build, by the cost of a call, with what is worth it and where it stops paying."""

from __future__ import annotations

from dataclasses import replace

from tests.nouns import run_of, truth_of
from truerecall.model.curve import Point
from truerecall.model.finding import CheckOutcome, Finding
from truerecall.model.measure_name import MeasureName
from truerecall.steps.curve import curves_of
from truerecall.steps.score import score_run

INVALID = Finding("planted", "invalid", "seen", "mend", {"x": 1})


def point(p50_s: float, hits: int, *, build: str = "b1", k: int = 10) -> Point:
    found = list(range(hits)) + list(range(100, 110 - hits))
    run = run_of([found], k=k, latency_s=[p50_s], build_id=build)
    return score_run(run, truth_of([list(range(10))]), measures=[MeasureName("recall", min(k, 10))])


def without_scores(p50_s: float) -> Point:
    whole = point(p50_s, 10)
    return Point((whole.run,), (), whole.latency, {}, (CheckOutcome("planted", "fired", INVALID),))


def test_points_stand_by_cost_and_the_front_and_knee_are_indices_of_them() -> None:
    (curve,) = curves_of([point(0.008, 10), point(0.001, 5), point(0.003, 4), point(0.002, 9)], "recall@10")
    assert [p.latency.p50_s for p in curve.points] == [0.001, 0.002, 0.003, 0.008]
    assert curve.front == (0, 1, 3)
    assert curve.knee == 1
    assert (curve.build_id, curve.label, curve.measure) == ("b1", "faiss HNSW32", "recall@10")
    reaching = curve.cheapest_reaching(0.85)
    assert reaching is not None
    assert reaching.latency.p50_s == 0.002
    assert curve.cheapest_reaching(1.01) is None


def test_an_invalid_point_stays_and_is_on_no_front() -> None:
    (curve,) = curves_of([point(0.004, 9), without_scores(0.002), point(0.001, 5)], "recall@10")
    assert [p.verdict == "invalid" for p in curve.points] == [False, True, False]
    assert curve.front == (0, 2)
    assert curve.knee is None


def test_a_point_without_a_p50_comes_last_and_is_on_no_front() -> None:
    timed = point(0.004, 9)
    untimed = replace(timed, latency=replace(timed.latency, p50_s=None))
    (curve,) = curves_of([untimed, timed], "recall@10")
    assert curve.points == (timed, untimed)
    assert curve.front == (0,)


def test_one_curve_per_build_in_order_of_appearance() -> None:
    curves = curves_of(
        [point(0.001, 5, build="z"), point(0.001, 6, build="a"), point(0.002, 7, build="z")], "recall@10"
    )
    assert [(curve.build_id, len(curve.points)) for curve in curves] == [("z", 2), ("a", 1)]


def test_another_k_is_another_curve() -> None:
    assert len(curves_of([point(0.001, 5), point(0.001, 5, k=20)], "recall@10")) == 2


def test_a_measure_that_no_point_has_leaves_an_empty_front() -> None:
    (curve,) = curves_of([point(0.001, 5)], "semantic_recall@10")
    assert (curve.front, curve.knee, len(curve.points)) == ((), None, 1)
    assert curves_of([], "recall@10") == ()


def test_another_warm_up_is_another_curve() -> None:
    first = point(0.001, 5)
    setup = replace(first.run.setup, warmup_calls=0)
    curves = curves_of([first, replace(first, runs=(replace(first.run, setup=setup),))], "recall@10")
    assert [len(curve.points) for curve in curves] == [1, 1]


def test_a_curve_is_called_by_what_was_built() -> None:
    first = point(0.001, 5)
    build = replace(first.run.setup.build, settings={"factory": "HNSW32", "efConstruction": 80})
    run = replace(first.run, setup=replace(first.run.setup, build=build))
    (curve,) = curves_of([replace(first, runs=(run,))], "recall@10")
    assert curve.label == "faiss HNSW32 efConstruction=80"


def over_passes(hits: int, *p50s: float) -> Point:
    own = point(sorted(p50s)[1], hits)
    return replace(own, latency=replace(own.latency, p50_by_pass_s=p50s))


def test_of_points_within_the_spread_over_passes_the_best_is_on_the_front() -> None:
    # By the medians alone the first three make a front of a hundredth each, and the second of them a knee.
    near = [over_passes(5, 1.00, 0.95, 1.05), over_passes(8, 1.01, 0.95, 1.05), over_passes(9, 1.02, 0.95, 1.05)]
    (curve,) = curves_of([*near, over_passes(10, 4.0, 3.9, 4.1)], "recall@10")
    assert (curve.front, curve.knee) == ((2, 3), None)


def test_a_chain_of_points_that_overlap_keeps_those_that_are_told_apart() -> None:
    chain = [over_passes(7, 1.00, 0.98, 1.03), over_passes(8, 1.04, 1.02, 1.07), over_passes(9, 1.08, 1.06, 1.11)]
    (curve,) = curves_of(chain, "recall@10")
    assert curve.front == (0, 2)


def test_points_that_are_equal_in_both_stand_together_on_the_front() -> None:
    (curve,) = curves_of([over_passes(9, 1.0, 1.0, 1.0), over_passes(9, 1.0, 1.0, 1.0)], "recall@10")
    assert curve.front == (0, 1)
