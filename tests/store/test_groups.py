"""Groups of queries from files, by id."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from truerecall.errors import FormatError, InputError
from truerecall.store.attributes import read_groups


def test_parquet_and_jsonl_and_another_column(tmp_path: Path) -> None:
    columns = {"id": [2**60, 7], "stratum": ["head", "tail"], "year": [2024, 2025]}
    pq.write_table(pa.table(columns), tmp_path / "q.parquet")
    kind = {"column": "stratum", "query_kind": "int64"}
    assert read_groups(str(tmp_path / "q.parquet"), **kind) == {2**60: "head", 7: "tail"}
    assert read_groups(f"{tmp_path / 'q.parquet'}::year", **kind) == {2**60: "2024", 7: "2025"}
    (tmp_path / "q.jsonl").write_text('{"query_id": "7", "stratum": "a"}\n{"query_id": "8", "stratum": 3}\n')
    assert read_groups(str(tmp_path / "q.jsonl"), **kind) == {7: "a", 8: "3"}
    assert read_groups(str(tmp_path / "q.jsonl"), column="stratum", query_kind="string") == {"7": "a", "8": "3"}


def test_what_cannot_be_read(tmp_path: Path) -> None:
    kind = {"column": "cluster", "query_kind": "row"}
    np.save(tmp_path / "q.npy", np.arange(3))
    pq.write_table(pa.table({"cluster": ["a"]}), tmp_path / "bare.parquet")
    pq.write_table(pa.table({"id": [1, 1], "cluster": ["a", "b"]}), tmp_path / "twice.parquet")
    (tmp_path / "q.jsonl").write_text('{"query_id": 1}\n')
    for name, error, words in (
        ("absent.parquet", InputError, "does not exist"),
        ("q.npy", InputError, "not a kind of file"),
        ("bare.parquet", InputError, "none holds ids"),
        ("twice.parquet", InputError, "1 surplus rows under 1 repeated ids"),
        ("twice.parquet::other", InputError, "has no column other"),
        ("q.jsonl", FormatError, "line 1 lacks query_id or cluster"),
    ):
        with pytest.raises(error, match=words):
            read_groups(str(tmp_path / name), **kind)
