"""The summary: the sentences and the numbers that every face shows, worked by hand."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from tests.nouns import run_of, truth_of
from tests.report.builders import curve, fired, point, sweep, truth
from truerecall.model.arrays import texts
from truerecall.model.finding import CheckOutcome
from truerecall.model.ids import as_ids
from truerecall.model.labels import Labels
from truerecall.model.measure_name import MeasureName
from truerecall.report.summary import summarise
from truerecall.report.summary_parts import Summary
from truerecall.steps.curve import curves_of
from truerecall.steps.score import score_run


def of(*curves: Any, **options: Any) -> Summary:
    return summarise(curves, truth(), measure="recall@4", **options)


def test_the_headline_speaks_of_the_knee_and_then_of_the_extremes() -> None:
    summary = of(sweep())
    # The knee finds 4, 4, 4, 4 and 2 of 4: 90 %. The builder's interval is the mean plus and minus five points.
    assert summary.headline == (
        "HNSW32 finds 90.0 % [85.0, 95.0] of the true top 4 at efSearch=32,"
        " 0.40 ms a query (p50, 0.39 to 0.41 over 3 passes), n=5.",
    )
    assert summary.extremes == (
        "Best: HNSW32 at efSearch=64, 95.0 % [90.0, 100.0], 0.80 ms a query (p50, 0.78 to 0.82 over 3 passes), n=5.",
        "Cheapest: HNSW32 at efSearch=8, 50.0 % [45.0, 55.0], 0.10 ms a query (p50, 0.097 to 0.10 over 3 passes), n=5.",
    )


def test_without_a_knee_the_best_point_speaks() -> None:
    summary = of(curve([point((4, 4, 4, 4, 4), asked={"efSearch": 8}), point((4, 0, 0, 0, 0), asked={"efSearch": 9})]))
    assert summary.headline[0].startswith("HNSW32 finds 100.0 % [95.0, 100.0] of the true top 4 at efSearch=8")
    assert summary.headline[0].endswith("That is its best setting; the curve has no knee.")
    only = of(curve([point(p50_s=None, asked={})]))
    assert only.headline == ("HNSW32 finds 65.0 % [60.0, 70.0] of the true top 4, no latency, n=5.",)
    assert only.extremes == ()


def test_one_query_has_no_interval() -> None:
    summary = summarise([curve([point((3,), passes=())])], truth(1), measure="recall@4")
    assert summary.headline == ("HNSW32 finds 75.0 % of the true top 4 at efSearch=16, 0.10 ms a query (p50), n=1.",)


def test_an_invalid_point_shows_no_number() -> None:
    bad = point(checks=[fired("stale", "invalid", rows=3)])
    summary = of(curve([bad]))
    assert summary.headline == ("HNSW32 shows no number: none of its points has a valid score.",)
    assert (summary.trust.verdict, summary.trust.answer) == ("invalid", "No")
    assert summary.worst is None
    assert summary.curves[0].spread is None
    mixed = of(curve([bad, point(asked={"efSearch": 99})]))
    assert (mixed.trust.verdict, mixed.trust.answer) == ("invalid", "In part")
    assert mixed.trust.sentence.startswith("1 of 2 points is not valid")
    assert "No score is shown at efSearch=16" in " ".join(mixed.curves[0].remarks)


def test_a_score_without_a_mean_is_shown_as_undefined() -> None:
    reason = dict.fromkeys(range(5), "no eligible row")
    p = point()
    nothing = dataclasses.replace(p.scores[0], mean=None, ci95=None, n=0, undefined={"no eligible row": 5})
    summary = of(curve([dataclasses.replace(p, scores=(nothing,))]))
    assert summary.curves[0].points[0].scores[0].mean is None
    assert "no number" in summary.headline[0]
    assert summary.curves[0].remarks[-1] == f"recall@4 leaves out 5 queries: {reason[0]}."


def test_findings_are_merged_over_points_and_ordered_by_weight() -> None:
    checks = [
        [fired("b-note", "note"), fired("a-warning", "warning", "3 are short.", queries=3)],
        [fired("b-note", "note"), fired("a-warning", "warning", "5 are short.", queries=5)],
    ]
    points = [point(asked={"efSearch": n}, checks=c) for n, c in enumerate(checks)]
    trust = of(curve(points)).trust
    assert [(f.code, f.severity) for f in trust.findings] == [("a-warning", "warning"), ("b-note", "note")]
    assert [(s.message, s.places) for s in trust.findings[0].sightings] == [
        ("3 are short.", ("efSearch=0",)),
        ("5 are short.", ("efSearch=1",)),
    ]
    assert trust.findings[1].sightings[0].places == ("every point",)
    assert (trust.verdict, trust.answer) == ("suspect", "With care")


def test_places_name_the_curve_where_there_are_several() -> None:
    one = curve(
        [point(checks=[fired("x", "note")]), point(asked={"efSearch": 32}, checks=[fired("x", "note")])], label="A"
    )
    two = curve([point(checks=[fired("x", "note")]), point(asked={"efSearch": 32})], label="B")
    places = of(one, two).trust.findings[0].sightings[0].places
    assert places == ("A, every point", "B efSearch=16")


def test_nothing_checked_is_not_a_pass() -> None:
    assert of(curve([point()])).trust.answer == "Not known"
    silent = CheckOutcome("a", "cannot tell", None, "no corpus at hand")
    trust = of(curve([point(checks=[silent])])).trust
    assert trust.answer == "Not known"
    assert trust.checks[0].reasons == ("no corpus at hand",)
    assert of(curve([point(checks=[silent, CheckOutcome("b", "passed")])])).trust.answer == "No doubts found"


def test_the_spread_counts_the_queries_by_value() -> None:
    spread = of(sweep()).curves[0].spread
    assert spread is not None
    assert spread.counts == ((0.5, 1), (1.0, 4))
    assert (spread.n, spread.perfect, spread.setting) == (5, 4, "efSearch=32")


def test_the_worst_queries_say_what_was_missed_and_what_came_instead() -> None:
    summary = of(curve([point()]), corpus_texts={"42": "missed text"}, query_texts={"4": "the query"})
    worst = summary.worst
    assert worst is not None
    assert (worst.imperfect, worst.n) == (3, 5)
    assert [(q.id, q.value) for q in worst.queries] == [("4", 0.0), ("3", 0.5), ("2", 0.75)]
    first = worst.queries[0]
    assert (first.text, first.cut, first.returned) == ("the query", 4.0, 4)
    assert [(n.rank, n.id, n.text, n.distance) for n in first.missed] == [
        (1, "40", None, 1.0), (2, "41", None, 2.0), (3, "42", "missed text", 3.0), (4, "43", None, 4.0),
    ]  # fmt: skip
    assert [(n.id, n.distance) for n in first.instead] == [("900", 5.0), ("901", 6.0), ("902", 7.0), ("903", 8.0)]
    assert [n.id for n in worst.queries[1].found] == ["30", "31"]
    assert [n.id for n in worst.queries[1].missed] == ["32", "33"]


def test_queries_are_matched_by_id_whatever_their_order() -> None:
    # The run asked 2, 0, 1 and lost one neighbour of query 0 and all of query 1; the truth holds 0, 1, 2.
    run = run_of([[20, 21], [0, 900], [901, 902]], k=2, query_ids=[2, 0, 1])
    exact = truth_of([[0, 1], [10, 11], [20, 21]])
    judged = score_run(run, exact, measures=[MeasureName("recall", 2)])
    worst = summarise(curves_of([judged], "recall@2"), exact, measure="recall@2").worst
    assert worst is not None
    assert [(q.id, q.value, [n.id for n in q.missed], [n.id for n in q.instead]) for q in worst.queries] == [
        ("1", 0.0, ["10", "11"], ["901", "902"]), ("0", 0.5, ["1"], ["900"]),
    ]  # fmt: skip


def test_labels_mark_what_is_relevant_among_the_missed() -> None:
    labels = Labels("a judge", as_ids(np.array([4]), what="q"), as_ids(np.array([41]), what="c"))
    summary = of(curve([point()]), labels=labels)
    assert summary.judge == "a judge"
    assert summary.worst is not None
    assert [n.relevant for n in summary.worst.queries[0].missed] == [False, True, False, False]


def test_semantic_recall_is_set_beside_recall_on_the_same_queries() -> None:
    summary = of(curve([point(semantic=[1.0, 1.0, 1.0, 0.5, np.nan])]))
    row = summary.curves[0].semantic[0]
    # Without the last query recall is (1 + 1 + 0.75 + 0.5) / 4.
    assert (row.on_same.mean, row.on_same.n, row.on_same.ci_method) == (0.8125, 4, "bayesian-bootstrap")
    assert row.on_same.low is not None
    assert row.on_same.high is not None
    assert 0 <= row.on_same.low < 0.8125 < row.on_same.high <= 1.0
    assert row.semantic.mean == 0.875
    assert dict(row.semantic.undefined) == {"no relevant row": 1}
    assert not of(curve([point()])).has_semantic


def test_a_withheld_percentile_gives_its_reason() -> None:
    row = of(curve([point()])).curves[0]
    assert [(p.name, p.seconds) for p in row.points[0].timing.percentiles] == [
        ("p50", 1e-4),
        ("p95", 1e-4),
        ("p99", None),
    ]
    assert "p99 is withheld: needs 1,000 calls, there were 5." in row.remarks


def test_the_truth_card_counts_ties_across_the_cut() -> None:
    summary = summarise([curve([point()])], truth(tied=[1, 1, 2, 5, 1]), measure="recall@4")
    facts = {fact.name: fact.value for fact in summary.truth}
    assert facts["tie across the cut at 4"] == "2 queries"
    assert facts["corpus"] == "1,000 rows × 16 dimensions, float32"
    assert facts["corpus fingerprint"] == "c" * 12


def test_the_failure_of_a_query_is_told() -> None:
    p = point()
    failed = dataclasses.replace(p.run, failures=texts(["", "", "", "", "timeout"]))
    worst = of(curve([dataclasses.replace(p, runs=(failed,))])).worst
    assert worst is not None
    assert worst.queries[0].failure == "timeout"
