"""Columns by which a search is narrowed, with their types and missing values, from files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from truerecall.errors import InputError
from truerecall.model.attributes import Attributes
from truerecall.steps.corpora import open_corpus

VECTORS = [[0.0], [1.0], [2.0]]
LARGE = 2**53 + 1
COLUMNS: dict[str, Any] = {
    "price": pa.array([1.5, None, float("nan")]),
    "stock": pa.array([LARGE, None, -LARGE]),
    "small": pa.array([1, 2, None], pa.uint8()),
    "half": pa.array(np.array([1, 2, 3], np.float16)),
    "sold": pa.array([True, None, False]),
    "lang": pa.array(["de", None, "Ünï'\"%"]),
    "coded": pa.array(["a", None, "a"]).dictionary_encode(),
    "empty": pa.nulls(3),
}
EXPECTED: dict[str, list[Any]] = {
    "price": [1.5, None, None],
    "stock": [LARGE, None, -LARGE],
    "small": [1, 2, None],
    "half": [1.0, 2.0, 3.0],
    "sold": [True, None, False],
    "lang": ["de", None, "Ünï'\"%"],
    "coded": ["a", None, "a"],
    "empty": [None, None, None],
}
KINDS = {"price": "floats", "stock": "integers", "small": "integers", "sold": "booleans", "lang": "texts"}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    table = pa.table({"id": [30, 10, 20], "v": VECTORS, **COLUMNS})
    pq.write_table(table, tmp_path / "base.parquet", row_group_size=2)
    return tmp_path / "base.parquet"


def read(path: Path, names: Sequence[str], **more: Any) -> Attributes:
    source = open_corpus(path, **more).attributes
    assert source is not None
    return source.read(names)


def values(found: Attributes) -> dict[str, list[Any]]:
    return {name: column.of_rows(np.arange(len(found))) for name, column in found.columns.items()}


def test_each_type_with_what_is_missing(base: Path, tmp_path: Path) -> None:
    found = read(base, list(EXPECTED))
    assert values(found) == EXPECTED
    assert {name: found.columns[name].kind for name in KINDS} == KINDS
    feather.write_feather(pq.read_table(base), str(tmp_path / "base.feather"))
    assert values(read(tmp_path / "base.feather", list(EXPECTED))) == EXPECTED


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_another_file_goes_by_id_or_by_order(base: Path, tmp_path: Path, ending: str) -> None:
    rows: list[dict[str, Any]] = [
        {"id": 10, "g": 1, "t": "x"},
        {"id": 20, "g": None, "t": "y"},
        {"id": 30, "g": 3, "t": None},
    ]
    beside = tmp_path / f"beside.{ending}"

    def write(entries: list[dict[str, Any]]) -> None:
        if ending == "jsonl":
            beside.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
        else:
            pq.write_table(pa.Table.from_pylist(entries), beside)

    write(rows)
    assert values(read(base, ["g", "t"], attributes=beside)) == {"g": [3, 1, None], "t": [None, "x", "y"]}
    write([{key: value for key, value in row.items() if key != "id"} for row in rows])
    assert values(read(base, ["g"], attributes=beside)) == {"g": [1, None, 3]}
    write(rows[:2])
    with pytest.raises(InputError, match="has no entry for 1 of 3 rows"):
        read(base, ["g"], attributes=beside)
    if ending == "jsonl":
        write([{"g": 1}, *rows])
        with pytest.raises(InputError, match=r"line 1 of .* has no id, and others have one"):
            read(base, ["g"], attributes=beside)


def test_a_selection_has_the_columns_of_its_rows(base: Path, tmp_path: Path) -> None:
    from truerecall.cli.main import main

    drawn = tmp_path / "drawn.parquet"
    assert main(["sample", str(base), "-n", "2", "--as", "corpus", "--seed", "0", "--out", str(drawn)]) == 0
    corpus = open_corpus(drawn)
    places = [[30, 10, 20].index(own) for own in corpus.ids.tolist()]
    assert values(read(drawn, ["lang"]))["lang"] == [EXPECTED["lang"][place] for place in places]


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("nope", "has no column nope, only id, v, price"),
        ("v", "column v holds list"),
        ("when", "column when holds date32"),
        ("huge", "column huge holds whole numbers beyond"),
    ],
)
def test_what_cannot_be_compared_is_refused(base: Path, tmp_path: Path, column: str, said: str) -> None:
    table = pq.read_table(base)
    table = table.append_column("when", pa.array([1, 2, 3], pa.date32()))
    pq.write_table(table.append_column("huge", pa.array([2**64 - 1] * 3, pa.uint64())), base)
    with pytest.raises(InputError, match=said):
        read(base, [column])


def test_vectors_alone_have_no_columns(tmp_path: Path) -> None:
    np.save(tmp_path / "base.npy", np.eye(3))
    with pytest.raises(InputError, match="holds vectors alone and no column g"):
        read(tmp_path / "base.npy", ["g"])


def test_a_file_that_is_not_there_is_missed_at_once(base: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.parquet does not exist"):
        open_corpus(base, attributes=tmp_path / "nowhere.parquet")
