"""Ids of every kind, exactly: through vector files, truths, text and JSON (H11, H12)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerecall.cli.main import main
from truerecall.errors import InputError
from truerecall.model.arrays import texts
from truerecall.model.ids import NO_ROW, as_ids, double_rounded, rows_of
from truerecall.store.truths import load_truth
from truerecall.store.vectors import open_corpus

PAST = 2**53 + 1
SMALLEST = -(2**63)
UUIDS = [UUID(int=value) for value in (0xA << 124, 5, (2**128) - 1)]
VECTORS = pa.array([[0.0, 1.0], [0.0, 2.0], [0.0, 3.0]], pa.list_(pa.float32()))
KINDS: list[tuple[pa.Array, list[Any], str]] = [
    (pa.array([PAST, PAST + 2, SMALLEST]), [PAST, PAST + 2, SMALLEST], "int64"),
    (pa.array([2**64 - 1, 0, PAST], pa.uint64()), [2**64 - 1, 0, PAST], "uint64"),
    (pa.array([7, 2, 9], pa.uint16()), [7, 2, 9], "int64"),
    (pa.array(["b", "", "ü"]), ["b", "", "ü"], "string"),
    (pa.array(["b", "a", "c"]).dictionary_encode(), ["b", "a", "c"], "string"),
    (pa.array(["b", "a", "c"], pa.string_view()), ["b", "a", "c"], "string"),
    (pa.array([u.bytes for u in UUIDS], pa.binary(16)), [str(u) for u in UUIDS], "string"),
    (pa.array([u.bytes for u in UUIDS], pa.uuid()), [str(u) for u in UUIDS], "string"),
    (pa.array([str(u).upper() for u in UUIDS]), [str(u).upper() for u in UUIDS], "string"),
]


@pytest.mark.parametrize(("column", "ids", "kind"), KINDS)
def test_the_column_id_names_the_rows_to_the_end(
    tmp_path: Path, column: pa.Array, ids: list[Any], kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, truth = tmp_path / "base.parquet", tmp_path / "t.parquet"
    pq.write_table(pa.table({"id": column, "v": VECTORS}), path)
    np.save(tmp_path / "q.npy", np.array([[0.0, 0.0]], np.float32))
    corpus = open_corpus(path)
    assert (corpus.ids.tolist(), corpus.id_kind) == (ids, kind)
    flags = ["--queries", str(tmp_path / "q.npy"), "--distance", "l2"]
    assert main(["truth", "build", str(path), *flags, "-k", "3", "--out", str(truth)]) == 0
    assert load_truth(truth).neighbors.ids.tolist() == ids
    for name in ("out.json", "out.parquet"):
        out, back = tmp_path / name, tmp_path / "back.parquet"
        assert main(["truth", "export", str(truth), str(out)]) == 0
        assert main(["truth", "import", str(out), "--corpus", str(path), *flags, "--out", str(back)]) == 0
        assert load_truth(back).neighbors.ids.tolist() == ids
        assert load_truth(back).neighbors.distances.tolist() == [1.0, 2.0, 3.0]
    capsys.readouterr()


def test_uuids_order_as_their_bytes() -> None:
    spelt = [str(u) for u in UUIDS]
    assert [UUID(s).bytes for s in sorted(spelt)] == sorted(u.bytes for u in UUIDS)


def test_h11_ids_past_2_53_are_written_exactly_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pq.write_table(pa.table({"id": pa.array([PAST, PAST + 2, 3]), "v": VECTORS}), tmp_path / "base.parquet")
    np.save(tmp_path / "q.npy", np.array([[0.0, 0.0]], np.float32))
    files = ["--queries", str(tmp_path / "q.npy"), "--distance", "l2"]
    base, truth, out = str(tmp_path / "base.parquet"), str(tmp_path / "t.parquet"), tmp_path / "out.json"
    assert main(["truth", "build", base, *files, "-k", "3", "--out", truth]) == 0
    assert main(["truth", "export", truth, str(out)]) == 0
    assert json.loads(out.read_text())["neighbors"] == [["9007199254740993", "9007199254740995", 3]]
    # The same list after a program that keeps numbers as doubles.
    out.write_text("[[9007199254740992, 9007199254740996]]")
    capsys.readouterr()
    assert main(["truth", "import", str(out), "--corpus", base, *files, "--out", truth]) == 3
    said = capsys.readouterr().err
    assert "2 of 2 ids are not in" in said
    assert "each is the double-rounded form of an id of it" in said


def test_only_doubles_of_ids_are_called_so() -> None:
    ids = as_ids(np.array([PAST, PAST + 2, 3]), what="ids")

    def told(*strange: Any) -> bool:
        return double_rounded(as_ids(np.array(strange), what="ids"), ids)

    assert told(2**53, 2**53 + 4)
    assert not told(2**53, 17)
    assert not told(PAST + 4)
    assert not told("9007199254740992")


def test_h12_repeated_ids_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "base.parquet"
    vectors = pa.array([[float(row)] for row in range(1000)], pa.list_(pa.float32()))
    pq.write_table(pa.table({"id": pa.array([row % 10 for row in range(1000)]), "v": vectors}), path)
    with pytest.raises(InputError, match="990 surplus rows under 10 repeated ids"):
        open_corpus(path)
    ids = tmp_path / "ids.txt"
    ids.write_text("".join(f"{row}\n" for row in range(1000)))
    assert open_corpus(path, ids=ids).ids.tolist() == list(range(1000))


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array([1.0, 2.0, 3.0]), "holds ids of type float64"),
        (pa.array([1, None, 3]), "1 values of column id are missing"),
        (pa.array([True, False, True]), "holds ids of type bool"),
    ],
)
def test_columns_that_are_no_ids(tmp_path: Path, column: pa.Array, message: str) -> None:
    pq.write_table(pa.table({"id": column, "v": VECTORS}), tmp_path / "base.parquet")
    with pytest.raises(InputError, match=message):
        open_corpus(tmp_path / "base.parquet")


@given(
    st.lists(st.text(max_size=40), unique=True, max_size=30).flatmap(
        lambda ids: st.tuples(st.just(ids), st.lists(st.sampled_from(ids) if ids else st.text(), max_size=30))
    ),
    st.lists(st.text(min_size=14, max_size=20), max_size=5),
)
def test_strings_of_any_length_find_their_row(known: tuple[list[str], list[str]], strange: list[str]) -> None:
    ids, wanted = known[0], [*known[1], *strange]
    expected = [ids.index(own) if own in ids else NO_ROW for own in wanted]
    assert rows_of(texts(wanted), texts(ids)).tolist() == expected


def test_uuids_find_their_row() -> None:
    ids = [str(UUID(int=value << 100)) for value in range(50)]
    assert rows_of(texts([ids[7], ids[7], "x" * 36, ids[0]]), texts(ids[::-1])).tolist() == [42, 42, NO_ROW, 49]
