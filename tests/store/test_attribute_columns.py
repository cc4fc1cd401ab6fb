"""Attributes: columns of the corpus itself and of files beside it, brought to the rows by id or by order."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from truerecall.errors import InputError
from truerecall.store.attributes import read_attribute
from truerecall.store.vectors import open_corpus

VECTORS = [[0.0], [1.0], [2.0]]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    table = pa.table({"id": [30, 10, 20], "v": VECTORS, "lang": ["de", None, "en"], "year": [1999, 2000, 1999]})
    pq.write_table(table, tmp_path / "base.parquet", row_group_size=2)
    return tmp_path / "base.parquet"


def values(named: str, path: Path) -> list[str]:
    found: list[str] = read_attribute(named, path, open_corpus(path)).values.tolist()
    return found


def test_a_column_of_the_corpus(base: Path, tmp_path: Path) -> None:
    assert values("lang", base) == ["de", "(none)", "en"]
    assert values("year", base) == ["1999", "2000", "1999"]
    feather.write_feather(pq.read_table(base), str(tmp_path / "base.feather"))
    assert values("lang", tmp_path / "base.feather") == ["de", "(none)", "en"]
    dictionary = pq.read_table(base).set_column(2, "lang", pa.array(["a", "b", "a"]).dictionary_encode())
    pq.write_table(dictionary, tmp_path / "dictionary.parquet")
    assert values("lang", tmp_path / "dictionary.parquet") == ["a", "b", "a"]


def test_a_folder(base: Path, tmp_path: Path) -> None:
    (tmp_path / "all").mkdir()
    for name, ids in (("a", [1, 2, 3]), ("b", [4, 5, 6])):
        pq.write_table(pa.table({"id": ids, "v": VECTORS, "part": [name] * 3}), tmp_path / "all" / f"{name}.parquet")
    assert values("part", tmp_path / "all") == ["a"] * 3 + ["b"] * 3


def test_a_field_of_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('{"vector": [1], "lang": "de", "n": 1}\n{"vector": [2], "n": 2, "deep": {"a": 1}}\n')
    assert values("lang", path) == ["de", "(none)"]
    assert values("n", path) == ["1", "2"]
    for field, words in (("tongue", "no line of"), ("deep", "lists or objects")):
        with pytest.raises(InputError, match=words):
            values(field, path)


@pytest.mark.parametrize("ending", [".parquet", ".arrow", ".jsonl"])
def test_another_file_by_id(ending: str, base: Path, tmp_path: Path) -> None:
    beside = tmp_path / f"beside{ending}"
    rows = {"id": [10, 20, 30, 40], "kind": ["ten", "twenty", "thirty", "forty"]}
    if ending == ".parquet":
        pq.write_table(pa.table(rows), beside)
    elif ending == ".arrow":
        with pa.ipc.new_file(str(beside), pa.table(rows).schema) as writer:
            writer.write_table(pa.table(rows))
    else:
        table = pa.table(rows).to_pylist()
        lines = [json.dumps(row) for row in table]
        beside.write_text("\n".join(lines))
    assert values(f"{beside}::kind", base) == ["thirty", "ten", "twenty"]


def test_another_file_by_order(tmp_path: Path) -> None:
    np.save(tmp_path / "base.npy", np.array(VECTORS))
    pq.write_table(pa.table({"kind": ["a", "b", "a"]}), tmp_path / "beside.parquet")
    assert values(f"{tmp_path / 'beside.parquet'}::kind", tmp_path / "base.npy") == ["a", "b", "a"]


def test_refusals(base: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "base.npy", np.array(VECTORS))
    few, short = tmp_path / "few.parquet", tmp_path / "short.parquet"
    pq.write_table(pa.table({"id": [10, 20], "kind": ["a", "b"]}), few)
    pq.write_table(pa.table({"kind": ["a", "b"]}), short)
    pq.write_table(pa.table({"id": [10, 10, 20], "kind": ["a", "b", "c"]}), tmp_path / "twice.parquet")
    for named, path, words in (
        ("lang", tmp_path / "base.npy", "holds vectors alone and no column lang"),
        ("tongue", base, "has no column tongue, only id, v, lang, year"),
        ("v", base, "the attribute holds list"),
        ("::lang", base, "names no column"),
        (f"{few}::", base, "names no column"),
        (f"{few}::kinds", base, "has no column kinds"),
        (f"{few}::kind", base, r"no entry for 1 of 3 rows of .* \(first: 30\)"),
        (f"{short}::kind", base, "holds 2 values and .* 3 rows"),
        (f"{tmp_path / 'twice.parquet'}::kind", base, "1 surplus rows under 1 repeated ids"),
        (f"{tmp_path / 'absent.parquet'}::kind", base, "does not exist"),
        (f"{tmp_path / 'base.npy'}::kind", base, "not a kind of file that attributes are read from"),
    ):
        with pytest.raises(InputError, match=words):
            values(named, path)
