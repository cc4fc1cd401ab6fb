"""Builds of one configuration together, apart from other modes: names, means over builds, and what is drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.report.builders import built, curve, point, sweep, truth
from truerecall.model.curve import Curve, Point
from truerecall.model.mode import Mode
from truerecall.report.builds import build_pictures
from truerecall.report.charts import latency_pictures, other_pictures, rate_picture, work_picture
from truerecall.report.dots import Axis, Cost, dots_of
from truerecall.report.estimates import measured_text
from truerecall.report.html import to_html
from truerecall.report.markdown import to_markdown
from truerecall.report.summary import summarise
from truerecall.report.summary_parts import Summary


def of(*curves: Curve, **options: Any) -> Summary:
    return summarise(curves, truth(), measure="recall@4", **options)


def with_mean(own: Point, mean: float) -> Point:
    return replace(own, scores=(replace(own.scores[0], mean=mean, ci95=None),))


def three_builds() -> tuple[Curve, ...]:
    """Case H23: the same graph built three times."""
    return tuple(
        curve([with_mean(point(build=built("HNSW16", str(n) * 64, number=n)), mean)], build_id=str(n) * 64)
        for n, mean in enumerate((0.973862, 0.972478, 0.972676))
    )


def test_three_builds_are_one_family_with_a_mean_and_a_spread() -> None:
    (family,) = of(*three_builds()).families
    own = family.settings[0].measured("recall@4")
    assert own is not None
    assert (round(own.mean, 6), own.builds) == (0.973005, 3)
    assert own.sd is not None
    assert round(own.sd, 6) == 0.000748
    # Two digits of the spread, 0.075 points, and as many decimals of the mean.
    assert measured_text(own) == "97.301 % ± 0.075 over 3 builds"
    assert (
        of(*three_builds())
        .headline[0]
        .startswith("faiss HNSW16 finds 97.301 % ± 0.075 over 3 builds of the true top 4")
    )


def test_a_single_build_has_no_spread_of_builds() -> None:
    own = of(curve([point()])).families[0].settings[0].measured("recall@4")
    assert own is not None
    assert (own.sd, own.only is not None) == (None, True)


def test_builds_without_a_score_are_counted_and_left_out() -> None:
    first, second, third = three_builds()
    third = replace(third, points=(replace(third.points[0], scores=()),))
    row = of(first, second, third).families[0].settings[0]
    own = row.measured("recall@4")
    assert own is not None
    assert (own.builds, row.builds, own.mean) == (2, 3, (0.973862 + 0.972478) / 2)


def test_a_family_has_a_knee_where_most_builds_agree() -> None:
    builds = [sweep(build_id=str(n) * 64, number=n) for n in range(3)]
    agreed = of(*builds[:2], replace(builds[2], knee=1)).families[0]
    assert [(row.setting, row.knees) for row in agreed.settings if row.is_knee] == [("efSearch=32", 2)]
    split = of(*(replace(own, knee=knee) for own, knee in zip(builds, (0, 1, 2), strict=True))).families[0]
    assert not any(row.is_knee for row in split.settings)
    reading = split.reading("recall@4")
    assert reading is not None
    assert reading.setting == "efSearch=64"


def test_a_family_is_named_by_what_its_builds_share_and_tells_it_from_others() -> None:
    def named(label: str, number: int, **others: Any) -> Curve:
        return replace(sweep(build_id=str(number) * 64, number=number, **others), label=label)

    clients = {"mode": Mode("clients", 4)}
    several = [named("a", 0), named("b", 1), named("c", 0, **clients), named("d", 1, **clients), sweep("Flat")]
    summary = of(*several)
    assert [family.label for family in summary.families] == ["faiss HNSW32", "faiss HNSW32, clients:4", "Flat"]
    assert [curve.label for curve in summary.curves] == ["a", "b", "c", "d", "Flat"]


@pytest.mark.parametrize(
    ("change", "label"),
    [({"warmup_calls": 0}, "0 warm-up calls"), ({"engine_version": "2"}, "faiss 2"), ({"k": 5}, "k=5")],
)
def test_families_of_one_label_are_told_apart(change: dict[str, Any], label: str) -> None:
    def changed(own: Curve) -> Curve:
        points = tuple(
            replace(p, runs=tuple(replace(run, setup=replace(run.setup, **change)) for run in p.runs))
            for p in own.points
        )
        return replace(own, points=points)

    builds = [sweep(build_id=str(n) * 64, number=n) for n in range(2)]
    summary = of(*builds, *map(changed, builds))
    assert [len(family.curves) for family in summary.families] == [2, 2]
    assert summary.families[1].label == f"faiss HNSW32, {label}"


def test_builds_on_another_machine_are_another_family() -> None:
    builds = [sweep(build_id=str(n) * 64, number=n, environment={"processor": f"CPU {n // 2}"}) for n in range(4)]
    assert [f.label for f in of(*builds).families] == ["faiss HNSW32, CPU 0", "faiss HNSW32, CPU 1"]


def test_settings_stand_in_the_order_of_their_values_not_of_their_latency() -> None:
    asked = [{"efSearch": value, "kind": "b"} for value in (100, 9, 30)]
    points = [point(asked=own, p50_s=1e-4 * n) for n, own in enumerate(asked, start=1)]
    rows = of(curve(points)).families[0].settings
    assert [row.setting for row in rows] == [f"efSearch={value}, kind=b" for value in (9, 30, 100)]


def test_families_share_a_picture_only_where_the_cost_is_the_same_thing() -> None:
    batch = sweep("A", 40.0, mode=Mode("batch", 64))
    summary = of(sweep("A"), sweep("A", 2.0, mode=Mode("clients", 4)), batch, sweep("B", build_id="2" * 64))
    drawn = latency_pictures(summary)
    assert [(own.title, own.numbers) for own in drawn] == [
        ("recall@4 against ms a query, p50", (0, 1, 3)), ("recall@4 against ms a batch of 64, p50", (2,)),
    ]  # fmt: skip
    rate = rate_picture(summary)
    assert rate is not None
    assert rate.numbers == (0, 1, 2, 3)
    assert rate_picture(of(sweep("A"))) is None
    work = work_picture(summary)
    assert work is not None
    assert work.numbers == (0, 3)  # the work of one build is the same in every mode


def test_many_indexes_near_the_top_are_drawn_on_a_stretched_axis_in_every_picture() -> None:
    def crowd(count: int) -> Summary:
        curves = []
        for n in range(count):
            means = (0.6, 0.99 - n / 1000, 0.999 - n / 10000)
            own = built(f"HNSW{n + 2}", f"{n:x}" * 64)
            points = [
                with_mean(
                    point(asked={"ef": ef}, p50_s=1e-4 * (n + ef), cost={"distance_computations": 9.0 * ef}, build=own),
                    mean,
                )
                for ef, mean in zip((1, 8, 64), means, strict=True)
            ]
            curves.append(curve(points, label=f"own {n}", build_id=f"{n:x}" * 64))
        return of(*curves)

    told = "equal steps up are equal factors of fewer misses"
    for count, stretched in ((7, False), (8, True)):
        summary = crowd(count)
        work = work_picture(summary)
        assert work is not None
        assert [own.stretched for own in (*latency_pictures(summary), work)] == [stretched] * 2
        page = to_html(summary)
        assert page.count(told) == 2 * stretched
        assert (">97 %<" in work.wide) == stretched  # a tick that only such an axis has
        assert all(f"own {n}" in page for n in range(count))


def test_what_is_counted_and_what_is_known_by_formula_are_drawn_together_and_told_apart() -> None:
    flat = curve(
        [point((4, 4, 4, 4, 4), asked={}, cost={"vectors_scanned": 1000.0}, by_formula=["vectors_scanned"],
               build=built("Flat", "f" * 64))], label="Flat", build_id="f" * 64,
    )  # fmt: skip
    lists = curve(
        [point(asked={"nprobe": n}, cost={"lists_visited": float(n), "coarse_distance_computations": 9.0},
               build=built("IVF", "e" * 64))
         for n in (1, 2)], label="IVF", build_id="e" * 64,
    )  # fmt: skip
    summary = of(sweep(), flat, lists)
    work = work_picture(summary)
    assert work is not None
    assert work.numbers == (0, 1)
    assert [own.title for own in other_pictures(summary)] == ["recall@4 against lists visited a query"]
    page, text = to_html(summary).replace("\u00a0", " "), to_markdown(summary)
    assert "the vectors scanned, by formula: Flat" in page
    assert "vectors scanned (by formula)" in text
    assert "distance computations (by formula)" not in text


def test_each_build_is_a_faint_line_and_the_mean_a_full_one() -> None:
    summary = of(*(sweep(scale=1 + n / 10, build_id=str(n) * 64, number=n) for n in range(3)))
    axis = Axis(
        "a", "ms", lambda row: None if row.span is None else Cost(row.span.p50_s, *row.span.ends_s or (0, 0)), True
    )
    dots = dots_of(list(enumerate(summary.families)), "recall@4", axis)
    assert [sum(d.faint for d in dots), sum(not d.faint for d in dots)] == [12, 4]
    assert {d.line for d in dots if d.faint} == {"0/0", "0/1", "0/2"}
    first = next(d for d in dots if not d.faint)
    # The middle build's p50, from the quickest pass of the first to the slowest of the last.
    assert (first.cost.at, first.cost.low, first.cost.high) == pytest.approx((1.1e-4, 0.97e-4, 1.2 * 1.02e-4))


def test_builds_are_listed_once_whatever_was_asked_of_them() -> None:
    builds = [sweep(build_id=str(n) * 64, number=n) for n in range(2)]
    summary = of(*builds, sweep(build_id="0" * 64, mode=Mode("clients", 2)))
    rows = [(row.name, row.series, row.seed, row.size_bytes, row.bytes_a_row) for row in summary.builds]
    assert rows == [
        ("faiss HNSW32, build 1", 0, 7, 123_456, 123.456), ("faiss HNSW32, build 2", 0, 8, 123_456, 123.456),
    ]  # fmt: skip
    assert [title for title, _ in build_pictures(summary.builds)] == ["Build time", "Index size"]
    assert build_pictures(summary.builds[:1]) == []
