"""The geometry of charts: ticks stand inside, and labels stand clear of points, lines and each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerecall.model.measure_name import MeasureName
from truerecall.report.curve_parts import Spread
from truerecall.report.frame import Frame, around, labelled, log_ticks, share_ticks
from truerecall.report.spreads import bars

FRAME = Frame(800, 400, (0.01, 10.0), (0.5, 1.05))
PLACES = st.tuples(st.floats(0.02, 9.0), st.floats(0.52, 1.0))


@given(PLACES)
def test_places_and_pixels_are_inverse(place: tuple[float, float]) -> None:
    x, y = FRAME.place(*FRAME.pixel(*place))
    assert x == pytest.approx(place[0])
    assert y == pytest.approx(place[1])


@given(st.lists(PLACES, min_size=1, max_size=12))
def test_labels_do_not_touch_each_other_or_a_point(places: list[tuple[float, float]]) -> None:
    labels = labelled(FRAME, places, [("label",)] * len(places), [7.0] * len(places), [])
    pixels = [FRAME.pixel(label.x, label.y) for label in labels if label is not None]
    half = 5 * 6.6 / 2
    for place, (x, y) in enumerate(pixels):
        assert all(abs(x - ox) >= 2 * half - 1e-6 or abs(y - oy) >= 14 - 1e-6 for ox, oy in pixels[:place])
        for px, py in (FRAME.pixel(*p) for p in places):
            assert abs(x - px) >= half + 7 - 1e-6 or abs(y - py) >= 7 + 7 - 1e-6


def test_a_lone_point_has_its_label() -> None:
    assert labelled(FRAME, [(1.0, 0.8)], [("32",)], [7.0], [[(1.0, 0.8)]])[0] is not None


def test_where_the_full_name_has_no_room_the_short_one_stands() -> None:
    label = labelled(Frame(60, 400, (0.1, 10.0), (0.5, 1.05)), [(1.0, 0.8)], [("a long name", "knee")], [7.0], [])[0]
    assert label is not None
    assert label.text == "knee"
    assert labelled(FRAME, [(1.0, 0.8)], [("x" * 500,)], [7.0], []) == [None]


@pytest.mark.parametrize("most", [5, 9])
def test_ticks_are_few_and_inside(most: int) -> None:
    for low, high in ((0.01, 0.3), (1e-3, 1e4), (0.9, 1.1), (200.0, 210.0)):
        assert all(low <= tick <= high for tick in log_ticks(low, high, most))
    for low in (0.0, 0.5, 0.9, 0.99, 0.998):
        ticks = share_ticks(low, 1.02, most)
        assert 2 <= len(ticks) <= most
        assert max(ticks) == 1.0


def test_a_frame_holds_its_points() -> None:
    frame = around([0.05], [1.0], 100, 100)
    assert frame.x[0] < 0.05 < frame.x[1]
    assert frame.y[0] < 1.0 < frame.y[1]


def spread(*counts: tuple[float, int]) -> Spread:
    return Spread("", counts, sum(n for _, n in counts), 0, "", ())


def test_shallow_measures_have_a_bar_per_value_and_deep_ones_bands() -> None:
    k = MeasureName.parse("recall@4").k
    assert [n for _, _, n in bars(spread((0.5, 2), (1.0, 3)), k)] == [0, 0, 2, 0, 3]
    deep = bars(spread((0.0, 1), (0.96, 2), (1.0, 4)), 100)
    assert len(deep) == 21
    assert (deep[0][2], deep[19][2], deep[20][2]) == (1, 2, 4)
    # A truth shorter than k gives values off the grid: they go into bands.
    assert sum(n for _, _, n in bars(spread((1 / 3, 2), (1.0, 1)), 4)) == 3
