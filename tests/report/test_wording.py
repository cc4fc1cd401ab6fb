"""How numbers are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerecall.report.point_parts import ScoreRow
from truerecall.report.wording import (
    distance_text,
    duration,
    flat_facts,
    interval,
    percent,
    significant,
    size,
    value_text,
)


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.953, "95.3 %"), (1.0, "100.0 %"), (0.0, "0.0 %"), (0.9998, "99.98 %"), (0.0002, "0.02 %"), (0.5, "50.0 %")],
)
def test_percent(share: float, text: str) -> None:
    assert percent(share) == text


@given(st.floats(min_value=1e-6, max_value=1 - 1e-6))
def test_what_is_not_all_never_reads_as_all_or_nothing(share: float) -> None:
    assert float(percent(share)[:-2]) not in (0.0, 100.0)


@pytest.mark.parametrize(
    ("mean", "low", "high", "text"),
    [
        (0.953, 0.946, 0.96, "[94.6, 96.0]"),
        (1.0, 1 - 3 / 10_000, 1.0, "[99.97, 100.00]"),  # the rule of three: never of no width
        (0.0, 0.0, 3 / 10_000, "[0.00, 0.03]"),
        (0.999, 0.998, 0.9998, "[99.80, 99.98]"),
        (0.5, None, None, ""),
    ],
)
def test_an_interval_never_reads_as_all_or_nothing_where_it_is_not(
    mean: float, low: float | None, high: float | None, text: str
) -> None:
    assert interval(ScoreRow("recall@10", mean, low, high, "bca", 9, (), 0, mean)) == text


@pytest.mark.parametrize(
    ("distance", "text"),
    [(0.0, "0.0000"), (0.12345, "0.1235"), (-12.5, "-12.5000"), (1.23456e-7, "1.235e-07"), (4.5e140, "4.5e+140")],
)
def test_distances_of_any_size_can_be_read(distance: float, text: str) -> None:
    assert distance_text(distance) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.000108, "0.11 ms"), (0.0123, "12.3 ms"), (0.12345, "123 ms"), (1.5, "1.50 s"), (8.6e-6, "0.0086 ms")],
)
def test_duration(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_sizes_and_values() -> None:
    assert [size(n) for n in (0, 1023, 1024, 16.5 * 2**20)] == ["0 bytes", "1,023 bytes", "1.00 KiB", "16.5 MiB"]
    assert [significant(x) for x in (0.0, 1234567.0, 0.5)] == ["0", "1,234,567", "0.500"]
    assert [value_text(v) for v in (None, True, 0.4, [], [1, 2])] == ["not known", "yes", "0.4", "none", "1, 2"]


def test_units_move_from_the_name_into_the_value() -> None:
    facts = flat_facts({"memory_bytes": 2048, "build_s": 2.0, "libraries": {"numpy": "2.4"}})
    assert [(f.name, f.value) for f in facts] == [
        ("memory", "2.00 KiB"), ("build", "2.00 s"), ("libraries: numpy", "2.4"),
    ]  # fmt: skip
