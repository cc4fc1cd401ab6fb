"""Ids, texts and labels from files: every format says the same, and what cannot be used is refused in plain words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerecall.errors import FormatError, InputError
from truerecall.store.attributes import read_ids, read_labels, read_texts
from truerecall.store.attributes.ids import ids_of_kind, ids_of_values

INTEGERS = [3, 1, -(2**63), 2**53 + 1]
UNSIGNED = [0, 2**63, 2**64 - 1]
STRINGS = ["a", "ü", "017", "with space"]


def written(path: Path, values: list[Any]) -> Path:
    """The values as a file of ids, in the format that the name says."""
    if path.suffix == ".npy":
        np.save(path, np.array(values, np.uint64 if values is UNSIGNED else None))
    elif path.suffix == ".txt":
        path.write_text("".join(f"{value}\n" for value in values), encoding="utf-8")
    elif path.suffix == ".json":
        path.write_text(json.dumps(values), encoding="utf-8")
    else:
        kept = pa.array(values, pa.uint64() if values is UNSIGNED else None)
        pq.write_table(pa.table({"other": list(range(len(values))), "id": kept}), path)
    return path


@pytest.mark.parametrize("name", ["ids.npy", "ids.txt", "ids.json", "ids.parquet"])
@pytest.mark.parametrize(
    ("values", "kind"), [(INTEGERS, "i"), (UNSIGNED, "u"), (STRINGS, "T")], ids=["int64", "uint64", "string"]
)
def test_every_format_gives_the_same_ids(name: str, values: list[Any], kind: str, tmp_path: Path) -> None:
    ids = read_ids(written(tmp_path / name, values))
    assert ids.tolist() == values
    assert ids.dtype.kind == kind
    assert not ids.flags.writeable


def test_text_ids_are_integers_only_where_all_are_spelt_as_such(tmp_path: Path) -> None:
    path = tmp_path / "ids.txt"
    for text, values in (
        ("1\r\n2\r\n", [1, 2]),
        ("\ufeff1\n2", [1, 2]),
        ("01\n2\n", ["01", "2"]),
        ("1\nb\n", ["1", "b"]),
        ("-0\n1\n", ["-0", "1"]),
        ("+1\n2\n", ["+1", "2"]),
        ("1.0\n", ["1.0"]),
    ):
        path.write_bytes(text.encode())
        assert read_ids(path).tolist() == values


def test_the_only_column_of_a_parquet_file_holds_the_ids(tmp_path: Path) -> None:
    path = tmp_path / "ids.parquet"
    pq.write_table(pa.table({"key": pa.array(["x", "y"]).dictionary_encode()}), path)
    assert read_ids(path).tolist() == ["x", "y"]
    pq.write_table(pa.table({"key": ["x"], "name": ["y"]}), path)
    with pytest.raises(InputError, match="columns key, name"):
        read_ids(path)
    pq.write_table(pa.table({"id": ["x", None]}), path)
    with pytest.raises(FormatError, match="1 values of column id are missing"):
        read_ids(path)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("ids.json", b"{}", "no JSON list"),
        ("ids.json", b"[1, true]", "bool, int"),
        ("ids.json", b"[1.0]", "float"),
        ("ids.json", b"[18446744073709551616]", "64 bits"),
        ("ids.json", b"[null]", "NoneType"),
        ("ids.json", b"[1,", "is not JSON: line 1"),
        ("ids.txt", b"a\n\nb\n", "line 2 is empty"),
        ("ids.txt", b"\xff\xfe", "is not UTF-8"),
        ("ids.txt", b"1\n99999999999999999999\n", "64 bits"),
        ("ids.npy", b"nothing", "is not a .npy file"),
        ("ids.npy", b"", "is not a .npy file"),
        ("ids.parquet", b"PAR1PAR1", "is not a Parquet file"),
        ("ids.csv", b"1\n", r"\(.csv\) is not a kind of file"),
        ("ids", b"1\n", "without an ending"),
    ],
)
def test_unusable_id_files_are_refused(name: str, content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=words):
        read_ids(path)


def test_float_and_pickled_ids_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "ids.npy"
    np.save(path, np.array([1.0, 2.0]))
    with pytest.raises(InputError, match="float64"):
        read_ids(path)
    np.save(path, np.array([1, "a", None], dtype=object), allow_pickle=True)
    with pytest.raises(FormatError, match="file of numbers or strings"):
        read_ids(path)
    with pytest.raises(InputError, match="does not exist"):
        read_ids(tmp_path / "absent.npy")
    with pytest.raises(InputError, match="is a folder"):
        read_ids(tmp_path)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1))
def test_integers_survive_being_spelt(values: list[int]) -> None:
    spelt = ids_of_values([str(value) for value in values], what="test")
    assert ids_of_kind(spelt, "int64", what="test").tolist() == values
    assert ids_of_kind(ids_of_values(values, what="test"), "string", what="test").tolist() == [str(v) for v in values]


def test_texts_from_every_format(tmp_path: Path) -> None:
    wanted = {"7": "seven", "3": "drei, three"}
    table, lines = tmp_path / "t.parquet", tmp_path / "t.jsonl"
    pq.write_table(pa.table({"text": list(wanted.values()), "id": [7, 3]}), table)
    lines.write_text('{"_id": "7", "text": "seven"}\n\n{"_id": "3", "text": "drei, three", "title": ""}\n')
    for kind in ("int64", "row", "string"):
        assert read_texts(table, kind=kind) == wanted
        assert read_texts(lines, kind=kind) == wanted
    by_row = tmp_path / "t.txt"
    by_row.write_text("seven\ndrei, three\n")
    assert read_texts(by_row, kind="row") == {"0": "seven", "1": "drei, three"}
    assert read_texts(by_row, kind="int64", ids=np.array([7, 3])) == wanted
    with pytest.raises(InputError, match="by row number and the vectors have ids"):
        read_texts(by_row, kind="string")
    with pytest.raises(InputError, match="2 lines for 3 vectors"):
        read_texts(by_row, kind="int64", ids=np.array([7, 3, 4]))


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('{"id": 1, "text": "a"}\n{"id": 1, "text": "b"}\n', "1 repeated ids"),
        ('{"id": 1}\n', "line 1 has no fitting text"),
        ('{"id": 1, "text": 3}\n', "line 1 has no fitting text"),
        ('{"id": 1.5, "text": "a"}\n', "line 1 has no fitting id"),
        ('{"id": 1, "text": "a"}\n[]\n', "line 2 is not a JSON object"),
        ('{"id": "x", "text": "a"}\n', "names the id 'x' where ids are whole numbers"),
    ],
)
def test_unusable_texts_are_refused(lines: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(lines)
    with pytest.raises(InputError, match=words):
        read_texts(path, kind="int64")


def test_labels_from_every_format(tmp_path: Path) -> None:
    table = tmp_path / "judge.parquet"
    pq.write_table(pa.table({"query_id": [1, 1, 2], "id": [17, 18, 5], "grade": [1, 0, 2]}), table)
    trec = tmp_path / "judge.qrels"
    trec.write_text("1 0 17 1\n1 0 18 0\n2 Q0 5 2\n")
    tabs = tmp_path / "judge.tsv"
    tabs.write_text("query-id\tcorpus-id\tscore\n1\t17\t1\n1\t18\t-1\n2\t5\t2\n")
    lines = tmp_path / "judge.jsonl"
    lines.write_text('{"query_id": 1, "id": 17}\n{"query_id": 1, "id": 18, "grade": 0}\n{"query_id": 2, "id": 5}\n')
    for path in (table, trec, tabs, lines):
        labels = read_labels(path, query_kind="int64", corpus_kind="row")
        assert (labels.judge, labels.query_ids.tolist(), labels.ids.tolist()) == ("judge", [1, 2], [17, 5])
        graded = [1.0, 1.0] if path == lines else [1.0, 2.0]
        assert (np.asarray(labels.grades).tolist(), labels.relevant_from) == (graded, 0.0)
        labels = read_labels(path, query_kind="string", corpus_kind="string")
        assert (labels.query_ids.tolist(), labels.ids.tolist()) == (["1", "2"], ["17", "5"])


def test_labels_with_a_threshold_keep_the_grades_below_it(tmp_path: Path) -> None:
    trec = tmp_path / "judge.qrels"
    trec.write_text("1 0 17 1\n1 0 18 0\n2 Q0 5 2\n")
    labels = read_labels(trec, query_kind="int64", corpus_kind="row", relevant_from=2.0)
    assert (labels.ids.tolist(), np.asarray(labels.grades).tolist(), labels.relevant_from) == ([17, 5], [1.0, 2.0], 2.0)
    with pytest.raises(InputError, match="give labels with grades of 3 or more"):
        read_labels(trec, query_kind="int64", corpus_kind="row", relevant_from=3.0)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("l.qrels", "1 0 17\n", "line 1 has 3 columns and TREC qrels have 4"),
        ("l.qrels", "1 0 17 good\n", "line 1 has the grade 'good'"),
        ("l.qrels", "1 0 17 nan\n", "line 1 has the grade 'nan'"),
        ("l.qrels", "1 0 17 0\n", "no row relevant"),
        ("l.qrels", "", "no row relevant"),
        ("l.qrels", "1 0 doc17 1\n", "names the id 'doc17' where ids are row numbers"),
        ("l.tsv", "query-id\tcorpus-id\n1\n", "line 2 has 1 columns"),
        ("l.jsonl", '{"query_id": 1}\n', "line 1 lacks query_id or id"),
        ("l.jsonl", '{"query_id": 1, "id": 2, "grade": null}\n', "line 1 has the grade None"),
    ],
)
def test_unusable_labels_are_refused(name: str, text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        read_labels(path, query_kind="int64", corpus_kind="row")
