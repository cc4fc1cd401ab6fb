"""Values on the command line: settings, grids and sizes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerecall.cli.values import parse_set, parse_value, parse_vary
from truerecall.errors import InputError
from truerecall.model.amounts import parse_size


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("16", 16), ("-3", -3), ("0.5", 0.5), ("1e-3", 0.001), (".5", 0.5), ("2.", 2.0),
        ("HNSW32", "HNSW32"), ("IVF256,Flat", "IVF256,Flat"), ("nan", "nan"), ("1_000", "1_000"), ("inf", "inf"),
    ],
)  # fmt: skip
def test_a_value_is_an_integer_else_a_number_else_text(text: str, value: int | float | str) -> None:
    assert parse_value(text) == value
    assert type(parse_value(text)) is type(value)


@given(st.integers())
def test_every_integer_comes_back(value: int) -> None:
    assert parse_value(str(value)) == value


def test_commas_belong_to_the_value_of_set() -> None:
    assert parse_set(["factory=IVF256,Flat", "efConstruction = 40"]) == {"factory": "IVF256,Flat", "efConstruction": 40}


def test_vary_parts_at_commas_and_at_semicolons_where_there_are_any() -> None:
    assert parse_vary(["efSearch=16,32, 64", "factory=HNSW32;IVF256,Flat"]) == {
        "efSearch": (16, 32, 64),
        "factory": ("HNSW32", "IVF256,Flat"),
    }


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["efSearch"], "is not NAME=VALUE"),
        (["=16"], "is not NAME=VALUE"),
        (["efSearch="], "is not NAME=VALUE"),
        (["efSearch=16,,32"], "empty value"),
        (["efSearch=16,16"], "twice"),
        (["efSearch=16", "efSearch=32"], "twice"),
    ],
)
def test_a_vary_that_cannot_be_meant_is_refused(flags: list[str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        parse_vary(flags)


def test_a_setting_given_twice_is_refused() -> None:
    with pytest.raises(InputError, match="twice"):
        parse_set(["factory=Flat", "factory=HNSW32"])


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1000", 1000), ("512k", 512_000), ("512kB", 512_000), ("256MB", 256_000_000), ("2GB", 2_000_000_000),
        ("1GiB", 1_073_741_824), ("1.5 KiB", 1536), ("1g", 1_000_000_000), ("10b", 10),
    ],
)  # fmt: skip
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "0", "0GB", "-1GB", "2XB", "GB", "1 2", "i", "1i", "nan", "1e9"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="write"):
        parse_size(text)
