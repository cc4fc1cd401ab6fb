"""The geometry of charts: ticks stand inside, and labels stand clear of points, lines and each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerecall.model.measure_name import MeasureName
from truerecall.report.curve_parts import Spread
from truerecall.report.frame import Frame, around, height_ticks, labelled, log_ticks, share_ticks
from truerecall.report.spreads import bars
from truerecall.report.stretch import Stretch, stretch_of

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


def test_a_stretched_axis_gives_fewer_misses_their_own_heights() -> None:
    """From 0.9 to 0.99 is as far as from 0.99 to 0.999, and nothing missed lies at the end."""
    frame = around([1.0], [0.5], 100, 360, Stretch(1e-4))
    down = [frame.pixel(1.0, share)[1] for share in (0.9, 0.99, 0.999, 1.0)]
    assert down == sorted(down, reverse=True)
    assert down[0] - down[1] == pytest.approx(down[1] - down[2])
    ticks = height_ticks(frame)
    assert ticks == sorted(ticks)
    assert frame.y[0] < ticks[0]
    assert ticks[-1] == frame.height_of(1.0) < frame.y[1]
    assert all(tick == pytest.approx(frame.height_of(1 - 10**-tick)) for tick in ticks[:-1])
    plain = around([1.0], [0.5], 100, 360)
    assert height_ticks(plain) == share_ticks(*plain.y, 7)


@pytest.mark.parametrize(
    ("shares", "stretched"),
    [
        ([0.5] * 12 + [0.99] * 12, True),
        ([0.5] * 11 + [0.99] * 12, False),  # few
        ([0.5] * 13 + [0.99] * 12, False),  # most lie below
        ([0.95, 1.0] * 12, False),  # the plain axis begins high
        ([1.0] * 30, False),
    ],
)
def test_only_a_crowd_near_the_top_is_stretched(shares: list[float], stretched: bool) -> None:
    found = stretch_of(shares)
    assert (found is not None) == stretched
    if found is not None:
        assert found.least == pytest.approx(0.005)
        assert stretch_of([*shares, 1 - 1e-9]) == Stretch(1e-5)


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
