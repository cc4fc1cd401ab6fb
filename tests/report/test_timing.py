"""Latency as it is told: the spread over passes, what is within it, failures, the weight of the loop."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from tests.report.builders import curve, point, truth
from truerecall.model.curve import Point
from truerecall.model.mode import Mode
from truerecall.model.span import Span
from truerecall.report.html import to_html
from truerecall.report.markdown import to_markdown
from truerecall.report.summary import summarise
from truerecall.report.summary_parts import Summary
from truerecall.report.terminal import to_terminal


def of(*points: Point) -> Summary:
    return summarise([curve(points)], truth(), measure="recall@4")


def timed(efsearch: int, p50_s: float, passes: Any = (1.0, 0.97, 1.02), **others: Any) -> Point:
    return point(asked={"efSearch": efsearch}, p50_s=p50_s, passes=passes, **others)


def faces(summary: Summary) -> list[str]:
    console = Console(width=200, file=io.StringIO())
    with console.capture() as captured:
        console.print(to_terminal(summary))
    return [to_html(summary).replace("\u00a0", " "), to_markdown(summary), captured.get()]


@pytest.mark.parametrize(
    ("first", "second", "sooner"),
    [
        (Span(1.0, (0.98, 1.02)), Span(1.15, (1.12, 1.2)), True),
        (Span(1.0, (0.9, 1.1)), Span(1.15, (1.12, 1.2)), False),  # apart, but by less than the first varies
        (Span(1.0, (0.95, 1.05)), Span(1.2, (1.04, 1.2)), False),  # the passes overlap
        (Span(0.012, (0.011, 0.012)), Span(0.36, (0.28, 0.89)), True),  # thirty times as long, whatever its spread
        (Span(1.0, ()), Span(1.1, (1.1,)), True),  # nothing is known of either spread
        (Span(1.0, ()), Span(1.1, (1.0, 1.3)), False),
        (Span(1.0, (1.0, 1.0)), Span(1.0, (1.0, 1.0)), False),
    ],
)
def test_sooner_is_what_is_sooner_by_more_than_the_spread(first: Span, second: Span, *, sooner: bool) -> None:
    assert first.sooner_than(second) is sooner
    assert not second.sooner_than(first)


SPANS = st.lists(st.floats(0.01, 100), min_size=1, max_size=5).map(
    lambda own: Span(sorted(own)[len(own) // 2], tuple(own))
)


@given(SPANS, SPANS)
def test_no_two_settings_are_sooner_than_each_other(first: Span, second: Span) -> None:
    assert not (first.sooner_than(second) and second.sooner_than(first))
    if first.sooner_than(second):
        assert max(first.passes_s) < min(second.passes_s)


def test_the_cheapest_is_named_with_what_is_within_the_spread_of_it() -> None:
    summary = of(timed(8, 1e-4), timed(9, 1.01e-4), timed(64, 4e-4))
    assert summary.extremes[1] == (
        "Cheapest, within the spread over the passes: HNSW32 at efSearch=8, 65.0 % [60.0, 70.0], 0.10 ms a query"
        " (p50, 0.097 to 0.10 over 3 passes), n=5; HNSW32 at efSearch=9."
    )
    lone = of(timed(8, 1e-4, ()), timed(64, 4e-4, ()))
    assert lone.extremes[1].endswith("One pass each does not say how much that varies.")


def test_the_cheapest_is_told_for_each_mode() -> None:
    modes = [
        curve([timed(8, s, mode=m), timed(9, 9 * s, mode=m)]) for s, m in ((1e-4, Mode()), (1e-2, Mode("batch", 64)))
    ]
    summary = summarise(modes, truth(), measure="recall@4")
    assert [sentence.split(",")[0] for sentence in summary.extremes[1:]] == [
        "Cheapest (one-by-one): HNSW32 at efSearch=8", "Cheapest (batch:64): HNSW32 at efSearch=8",
    ]  # fmt: skip
    assert "10.0 ms a batch of 64 (p50, batch:64" in summary.extremes[2]


def test_a_point_is_beaten_only_beyond_the_spread() -> None:
    better, worse = (4, 4, 4, 4, 4), (4, 3, 2, 1, 0)

    def beaten(p50_s: float) -> bool:
        own = curve([timed(8, 1e-4), timed(9, p50_s)])
        own = replace(own, points=(replace(timed(8, 1e-4, hits=better)), timed(9, p50_s, hits=worse)), front=(0,))
        return summarise([own], truth(), measure="recall@4").curves[0].points[1].beaten

    assert not beaten(1.02e-4)
    assert beaten(2e-4)


def test_the_share_of_failed_calls_stands_beside_every_percentile_and_rate() -> None:
    # Case H27: three good of five.
    failing = point(passes=(1.0,), failed=2)
    page, text, lines = faces(of(failing))
    assert page.count("40.0 % failed") == 3  # p50, p95 and the answers a second; the p99 is withheld
    assert "40.0 % of calls failed" in page
    assert "2 (40.0 %)" in text
    assert "40.0 % of calls failed" in text
    assert "(40.0 % failed)" in lines


def test_passes_calls_queries_warm_up_and_the_weight_of_the_loop_are_told() -> None:
    own = timed(16, 1e-4, harness_s=4e-6)
    own = replace(own, latency=replace(own.latency, distinct_queries=1))
    assert of(own).families[0].timed == (
        "One query after the other: 3 passes over each setting of each build, 15 calls about 1 distinct query in all;"
        " 30 warm-up calls before them left out.",
        "An empty engine in the same loop takes 4.0 µs a call: at most 4.0 % of a p50 (at efSearch=16).",
    )
    lone = of(timed(16, 1e-4, (1.0,), harness_s=0.0, mode=Mode("clients", 4))).families[0].timed
    assert lone[0].startswith("By 4 clients at once, each asking when its last answer has come: 1 pass over")
    assert lone[1:] == ("With one pass nobody knows how much a p50 varies.",)
    assert all("1 distinct query" in face or "distinct queries" in face for face in faces(of(own)))


def test_every_face_shows_the_spread_over_the_passes() -> None:
    for face in faces(of(timed(8, 1e-4, (0.5, 1.0, 2.0)))):
        assert "0.050 to 0.20" in face
