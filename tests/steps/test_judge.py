"""Runs judged together: checks of a point, of a curve and of all curves, and what they do to the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest

from tests.nouns import run_of, truth_of
from truerecall.errors import UnknownName
from truerecall.model.check import CannotTell
from truerecall.model.curve import Curve
from truerecall.model.finding import CheckOutcome, Finding, Severity
from truerecall.model.measure_name import MeasureName
from truerecall.model.mode import Mode
from truerecall.model.run import Run
from truerecall.model.truth import GroundTruth
from truerecall.shelf import checks
from truerecall.steps.judge import judge

TRUTH = truth_of([[0, 1, 2, 3]])
PLANTED = ("of-a-curve", "of-curves", "query-shift", "ties-at-cut")
FOUND = {"HNSW32": ([0, 1, 98, 99], [0, 1, 2, 99], [0, 1, 2, 3]), "IVF": ([0, 97, 98, 99], [0, 1, 2, 99])}


def sweep(build: str, *, number: int = 0, repeats: int = 2, slower: float = 1.0, **changes: Any) -> list[Run]:
    runs = []
    for repeat in range(repeats):
        for step, found in enumerate(FOUND[build]):
            run = run_of([found], k=4, build_id=f"{build}{number}", repeat=repeat, asked={"ef": step},
                         latency_s=[slower * (step + 1)], **changes)  # fmt: skip
            own = replace(run.setup.build, settings={"factory": build}, number=number)
            runs.append(replace(run, setup=replace(run.setup, build=own)))
    return runs


def curves(*runs: list[Run], **others: Any) -> tuple[Curve, ...]:
    given = [run for part in runs for run in part]
    return judge(given, TRUTH, measures=[MeasureName("recall", 4)], **others)


def codes(curve: Curve) -> list[list[str]]:
    """The planted findings at each point."""
    return [[f.code for f in point.findings if f.code in PLANTED] for point in curve.points]


def finding(code: str, severity: Severity) -> Finding:
    return Finding(code, severity, f"{code} was seen", "mend it", {"n": 1})


class OfACurve:
    """Objects to curves that were built as HNSW32."""

    title = "planted"

    def __init__(self, severity: Severity) -> None:
        self.severity = severity

    def examine(self, curve: Curve, truth: GroundTruth, scores: Any = None) -> Finding | None:
        assert truth is TRUTH
        assert scores is None, "what one point was scored is no evidence of a curve"
        assert all(point.scores for point in curve.points)
        return finding("of-a-curve", self.severity) if "HNSW32" in curve.label else None


class OfCurves:
    title = "planted"

    def __init__(self, severity: Severity) -> None:
        self.severity = severity

    def examine(self, curves: Sequence[Curve]) -> Finding | CannotTell:
        return finding("of-curves", self.severity) if len(curves) > 1 else CannotTell("one curve")


@pytest.fixture
def lent() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_the_passes_of_a_setting_are_one_point_and_the_points_of_a_build_one_curve() -> None:
    hnsw, ivf = curves(sweep("HNSW32"), sweep("IVF", repeats=3))
    assert [[len(point.runs) for point in curve.points] for curve in (hnsw, ivf)] == [[2, 2, 2], [3, 3]]
    assert [[point.scores[0].mean for point in curve.points] for curve in (hnsw, ivf)] == [
        [0.5, 0.75, 1.0],
        [0.25, 0.75],
    ]
    assert (hnsw.label, ivf.label, hnsw.measure) == ("faiss HNSW32", "faiss IVF", "recall@4")


def test_rounds_may_come_in_any_order() -> None:
    runs = [*sweep("HNSW32"), *sweep("IVF")]
    for order in (runs, runs[::-1], runs[::2] + runs[1::2]):
        assert {(curve.label, len(curve.points)) for curve in curves(order)} == {("faiss HNSW32", 3), ("faiss IVF", 2)}


def test_builds_modes_and_warm_ups_are_curves_of_their_own_and_no_label_is_used_twice() -> None:
    found = curves(
        sweep("HNSW32"), sweep("HNSW32", number=1), sweep("HNSW32", mode=Mode("batch", 8)),
        sweep("HNSW32", warmup_calls=1), sweep("IVF", mode=Mode("clients", 2)),
    )  # fmt: skip
    assert [curve.label for curve in found] == [
        "faiss HNSW32, build 1, 100 warm-up calls",
        "faiss HNSW32, build 2",
        "faiss HNSW32, batch:8",
        "faiss HNSW32, build 1, 1 warm-up call",
        "faiss IVF, clients:2",
    ]


def test_a_curve_that_nothing_tells_apart_is_numbered() -> None:
    runs = [sweep("IVF", environment={"processor": name}) for name in ("one", "two")]
    labels = [curve.label for curve in curves(*runs)]
    assert labels == ["faiss IVF (1)", "faiss IVF (2)"]


def test_what_is_said_of_a_curve_stands_at_each_of_its_points(lent: ExitStack) -> None:
    lent.enter_context(checks.lend("of_a_curve", OfACurve("warning")))
    hnsw, ivf = curves(sweep("HNSW32"), sweep("IVF"))
    assert (codes(hnsw), codes(ivf)) == ([["of-a-curve"]] * 3, [[], []])
    assert [outcome.outcome for outcome in ivf.points[0].checks if outcome.code == "of-a-curve"] == ["passed"]
    assert all(point.scores for point in hnsw.points)
    assert (hnsw.front, hnsw.knee is None) == ((0, 1, 2), True)


def test_an_invalid_finding_about_a_curve_withholds_its_numbers_and_no_others(lent: ExitStack) -> None:
    lent.enter_context(checks.lend("of_a_curve", OfACurve("invalid")))
    hnsw, ivf = curves(sweep("HNSW32"), sweep("IVF"))
    assert [point.scores for point in hnsw.points] == [(), (), ()]
    assert (hnsw.front, hnsw.knee) == ((), None)
    assert all(point.scores and point.verdict != "invalid" for point in ivf.points)
    assert ivf.front == (0, 1)


def test_what_is_said_of_all_curves_stands_at_every_point(lent: ExitStack) -> None:
    lent.enter_context(checks.lend("of_curves", OfCurves("note")))
    both = curves(sweep("HNSW32"), sweep("IVF"))
    assert [codes(curve) for curve in both] == [[["of-curves"]] * 3, [["of-curves"]] * 2]
    (alone,) = curves(sweep("IVF"))
    told = [outcome for point in alone.points for outcome in point.checks if outcome.code == "of-curves"]
    assert [(own.outcome, own.reason) for own in told] == [("cannot tell", "one curve")] * 2
    lent.enter_context(checks.lend("of_curves", OfCurves("invalid")))
    assert [curve.front for curve in curves(sweep("HNSW32"), sweep("IVF"))] == [(), ()]


def test_what_was_said_of_the_vectors_stands_beside_each_number_once() -> None:
    shift = CheckOutcome("query-shift", "fired", finding("query-shift", "note"))
    said_again = CheckOutcome("ties-at-cut", "fired", finding("ties-at-cut", "warning"))
    (curve,) = curves(sweep("IVF"), inspected=(shift, said_again))
    for point in curve.points:
        outcomes = [outcome.code for outcome in point.checks]
        assert outcomes == sorted(set(outcomes))
    assert codes(curve) == [["query-shift"]] * 2  # of ties the run's own truth has the say
    (withheld,) = curves(sweep("IVF"), inspected=(CheckOutcome("x", "fired", finding("x", "invalid")),))
    assert [point.scores for point in withheld.points] == [(), ()]


def test_where_a_point_cannot_tell_what_was_said_of_the_vectors_is_heard() -> None:
    unknown = replace(TRUTH, copies=TRUTH.copies - 1)  # nobody counted how many rows equal each query
    fired = CheckOutcome("queries-in-corpus", "fired", finding("queries-in-corpus", "warning"))
    for inspected, outcome in (((), "cannot tell"), ((fired,), "fired")):
        (curve,) = judge(sweep("IVF"), unknown, measures=[MeasureName("recall", 4)], inspected=inspected)
        own = [told.outcome for told in curve.points[0].checks if told.code == "queries-in-corpus"]
        assert own == [outcome]


def test_curves_are_of_the_first_measure_in_any_spelling() -> None:
    measures = [MeasureName.parse("Tie-Recall@4"), MeasureName("recall", 4)]
    (curve,) = judge(sweep("IVF"), TRUTH, measures=measures)
    # What came lies as near as what is true, place by place: both points find everything but for ties.
    assert (curve.measure, curve.front) == ("tie_recall@4", (0,))
    with pytest.raises(UnknownName):
        judge(sweep("IVF"), TRUTH, measures=[MeasureName("rekall", 4)])
    assert judge([], TRUTH, measures=measures) == ()
