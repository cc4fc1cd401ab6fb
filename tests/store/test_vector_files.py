"""Every vector format, from files written byte by byte: what is read in any block size, and what is refused."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import ml_dtypes
import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from truerecall.errors import FormatError, InputError
from truerecall.store.readers import hdf5
from truerecall.store.readers._records import announced_bytes
from truerecall.store.vectors import PLAIN, VECTOR_FILES, open_corpus, open_queries

SHARED = Path(__file__).parents[3] / "shared" / "data"
ROWS = np.arange(35).reshape(7, 5)

Writer = Callable[[Path, NDArray[Any]], None]


def write_vecs(path: Path, rows: NDArray[Any]) -> None:
    path.write_bytes(b"".join(struct.pack("<i", len(row)) + row.tobytes() for row in rows))


def write_bin(path: Path, rows: NDArray[Any]) -> None:
    path.write_bytes(struct.pack("<II", *rows.shape) + rows.tobytes())


def write_npy(path: Path, rows: NDArray[Any]) -> None:
    np.save(path, rows)


def write_hdf5(path: Path, rows: NDArray[Any]) -> None:
    with h5py.File(path, "w") as file:
        file["train"] = file["test"] = rows


def write_chunked_hdf5(path: Path, rows: NDArray[Any]) -> None:
    with h5py.File(path, "w") as file:
        file.create_dataset("train", data=rows, chunks=(2, 3), compression="gzip")
        file["test"] = file["train"]


def lists(rows: NDArray[Any]) -> pa.Array:
    return pa.ListArray.from_arrays(np.arange(len(rows) + 1) * rows.shape[1], pa.array(rows.reshape(-1)))


def write_parquet(path: Path, rows: NDArray[Any]) -> None:
    pq.write_table(pa.table({"v": lists(rows)}), path, row_group_size=3)


def write_fixed_parquet(path: Path, rows: NDArray[Any]) -> None:
    fixed = pa.FixedSizeListArray.from_arrays(pa.array(rows.reshape(-1)), rows.shape[1])
    pq.write_table(pa.table({"other": pa.array(range(len(rows))), "v": fixed}), path, row_group_size=4)


def write_feather(path: Path, rows: NDArray[Any]) -> None:
    feather.write_feather(pa.table({"v": lists(rows)}), str(path), chunksize=3)


def write_arrow(path: Path, rows: NDArray[Any]) -> None:
    table = pa.table({"text": pa.array(["x"] * len(rows)), "v": lists(rows)})
    with pa.ipc.new_file(str(path), table.schema) as writer:
        writer.write_table(table, 2)


def write_jsonl(path: Path, rows: NDArray[Any]) -> None:
    path.write_text("\n".join(json.dumps({"vector": row}) for row in rows.tolist()))


FORMATS: list[tuple[str, str, Writer]] = [
    *((".npy", dtype, write_npy) for dtype in ("<f8", ">f4", "<f2", "i1", "u1")),
    (".fvecs", "<f4", write_vecs),
    (".bvecs", "u1", write_vecs),
    (".fbin", "<f4", write_bin),
    (".hbin", "<f2", write_bin),
    (".u8bin", "u1", write_bin),
    (".i8bin", "i1", write_bin),
    *((".hdf5", dtype, write_hdf5) for dtype in ("<f8", ">f4", "<f2", "i1", "u1")),
    (".h5", "<f4", write_chunked_hdf5),
    *((".parquet", dtype, write_parquet) for dtype in ("f8", "f4", "f2", "i1", "u1")),
    (".parquet", "f4", write_fixed_parquet),
    (".feather", "f4", write_feather),
    (".arrow", "f2", write_arrow),
    (".jsonl", "f4", write_jsonl),
]


def test_every_ending_is_tested() -> None:
    assert {ending for ending, _, _ in FORMATS} == set(VECTOR_FILES)


@pytest.mark.parametrize(("ending", "dtype", "write"), FORMATS)
@pytest.mark.parametrize("block", [1, 3, 100])
def test_blocks_and_picked_rows_are_the_array(
    tmp_path: Path, ending: str, dtype: str, write: Writer, block: int
) -> None:
    path, array = tmp_path / f"x{ending}", ROWS.astype(dtype)
    write(path, array)
    source = open_corpus(path).source
    assert (source.rows, source.dimensions, source.dtype, source.bits) == (7, 5, array.dtype.newbyteorder("="), None)
    assert str(path) in source.name
    read = [(start, vectors.copy()) for start, vectors in source.blocks(block)]
    assert [start for start, _ in read] == list(range(0, 7, block))
    for first in range(7):
        later = [(start, vectors.copy()) for start, vectors in source.blocks(block, first)]
        assert [start for start, _ in later] == list(range(first, 7, block))
        assert (np.concatenate([vectors for _, vectors in later]) == array[first:]).all()
    together = np.concatenate([vectors for _, vectors in read])
    assert together.dtype == source.dtype
    assert (together == array).all()
    for wanted in ([], [6], [0, 1, 2], [5, 0, 5, 3, 4]):
        assert (source.take(np.array(wanted, np.int64)) == array[wanted]).all()
    queries = open_queries(path)
    assert (queries.vectors == array).all()


@given(rows=st.integers(1, 40), width=st.integers(1, 9), block=st.integers(1, 45), seed=st.integers(0, 2**32 - 1))
def test_any_shape_is_read_back_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, rows: int, width: int, block: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    array = random.normal(size=(rows, width)).astype("<f4")
    wanted = random.integers(0, rows, 20)
    folder = tmp_path_factory.mktemp("any")
    for name, write in (("x.fvecs", write_vecs), ("x.fbin", write_bin), ("x.parquet", write_parquet)):
        write(folder / name, array)
        source = open_corpus(folder / name).source
        assert (np.concatenate([vectors.copy() for _, vectors in source.blocks(block)]) == array).all()
        assert (source.take(wanted) == array[wanted]).all()


@pytest.mark.parametrize(
    ("name", "write"),
    [("x.npy", write_npy), ("x.hdf5", write_hdf5), ("x.h5", write_chunked_hdf5), ("x.parquet", write_parquet)],
)
def test_bits_are_packed_eight_to_a_byte(tmp_path: Path, name: str, write: Writer) -> None:
    bits = np.array([[1, 0, 0, 0, 0, 0, 0, 1, 1, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]], bool)
    write(tmp_path / name, bits)
    source = open_corpus(tmp_path / name).source
    assert (source.bits, source.dimensions, source.dtype.name) == (10, 2, "uint8")
    right = [[0b10000001, 0b10000000], [0, 0b01000000]]
    assert [block.tolist() for _, block in source.blocks(5)] == [right]
    assert source.take(np.array([1, 0])).tolist() == right[::-1]
    assert open_queries(tmp_path / name).bits == 10


def test_bfloat16_is_what_numpy_saves_as_two_bytes(tmp_path: Path) -> None:
    array = np.array([[1.5, -2.0], [3.140625, 1e30]], ml_dtypes.bfloat16)
    np.save(tmp_path / "x.npy", array)
    source = open_corpus(tmp_path / "x.npy").source
    assert source.dtype == ml_dtypes.bfloat16
    assert (source.take(np.arange(2)) == array).all()


def test_h29_fvecs_under_the_name_of_a_bin(tmp_path: Path) -> None:
    path = tmp_path / "x.fbin"
    rows = np.arange(12, dtype="<f4").reshape(3, 4)
    write_vecs(path, rows)
    assert path.stat().st_size == 60
    with pytest.raises(FormatError, match=r"60 bytes = 3 records of 4\+16: this looks like fvecs, d=4; name it .fvecs"):
        open_corpus(path)
    # The first value 1.0 would be 1,065,353,216 dimensions.
    write_vecs(path, rows + 1)
    with pytest.raises(FormatError, match=r"4 rows of 1065353216 .* looks like fvecs, d=4"):
        open_corpus(path)


def test_h29_u8bin_under_the_name_of_bvecs(tmp_path: Path) -> None:
    path = tmp_path / "x.bvecs"
    write_bin(path, np.arange(12, dtype="u1").reshape(3, 4))
    with pytest.raises(FormatError, match=r"8 \+ 3\*4 = 20: looks like u8bin or i8bin; name it .u8bin"):
        open_corpus(path)


def test_fvecs_whose_size_would_also_be_that_of_bvecs(tmp_path: Path) -> None:
    path = tmp_path / "x.bvecs"
    write_vecs(path, np.ones((2, 4), "<f4"))
    assert path.stat().st_size % (4 + 4) == 0
    with pytest.raises(
        FormatError, match=r"first row announces 4 dimensions and the last one 1065353216.*looks like fvecs"
    ):
        open_corpus(path)


@pytest.mark.parametrize("ending", [".fbin", ".npy", ".parquet", ".hdf5"])
@pytest.mark.parametrize(
    ("raw", "kind"), [(b"<!DOCTYPE html><p>404</p>", "failed download"), (b"\x1f\x8b\x08\0\0\0\0\0", "gzip archive")]
)
def test_downloads_that_went_wrong_are_told(tmp_path: Path, ending: str, raw: bytes, kind: str) -> None:
    (tmp_path / f"x{ending}").write_bytes(raw)
    with pytest.raises(FormatError, match=f"this looks like .*{kind}"):
        open_corpus(tmp_path / f"x{ending}")


@pytest.mark.parametrize("ending", [*PLAIN, ".hdf5", ".parquet", ".arrow"])
@pytest.mark.parametrize(("name", "write"), [("npy", write_npy), ("parquet", write_parquet), ("hdf5", write_hdf5)])
def test_a_file_of_another_format_is_named(tmp_path: Path, ending: str, name: str, write: Writer) -> None:
    if ending.removeprefix(".") == name:
        return
    made, path = tmp_path / f"made.{name}", tmp_path / f"x{ending}"
    write(made, ROWS.astype("<f4"))
    made.rename(path)
    with pytest.raises(FormatError, match=f"is not a {ending} file .* this looks like .*; name it .{name}"):
        open_corpus(path)


@pytest.mark.parametrize("ending", [".fvecs", ".bvecs", ".fbin", ".hdf5", ".parquet", ".arrow", ".npy"])
@pytest.mark.parametrize("raw", [b"", b"a", b"some words and nothing else", b"\0" * 64, b"\xff" * 64])
def test_rubbish_is_refused(tmp_path: Path, ending: str, raw: bytes) -> None:
    (tmp_path / f"x{ending}").write_bytes(raw)
    with pytest.raises(FormatError, match=f"x{ending}"):
        open_corpus(tmp_path / f"x{ending}")


@pytest.mark.parametrize(("ending", "dtype", "write"), FORMATS)
@pytest.mark.parametrize("length", [-1, -5, 0.5])
def test_a_truncated_file_is_refused(tmp_path: Path, ending: str, dtype: str, write: Writer, length: float) -> None:
    path = tmp_path / f"x{ending}"
    write(path, ROWS.astype(dtype))
    raw = path.read_bytes()
    path.write_bytes(raw[: int(len(raw) * length) if length > 0 else int(length)])
    with pytest.raises(FormatError, match=f"x{ending}"):
        for _ in open_corpus(path).source.blocks(2):
            pass


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # NumPy reads the header of .npy as Python
@pytest.mark.parametrize(("ending", "dtype", "write"), FORMATS)
def test_damage_is_read_or_refused_and_nothing_else(tmp_path: Path, ending: str, dtype: str, write: Writer) -> None:
    path, random = tmp_path / f"x{ending}", np.random.default_rng(7)
    write(path, ROWS.astype(dtype))
    raw = path.read_bytes()
    refused: list[str] = []
    for _ in range(60):
        damaged = bytearray(raw)
        for place in random.integers(0, len(raw), 3):
            damaged[place] = random.integers(0, 256)
        path.write_bytes(damaged)
        try:
            source = open_corpus(path).source
            assert sum(len(block) for _, block in source.blocks(3)) == source.rows
        except InputError as error:
            refused.append(str(error))
    assert refused
    assert all(f"x{ending}" in line for line in refused)


def test_h15_a_header_of_ten_rows_on_eight(tmp_path: Path) -> None:
    path = tmp_path / "x.fbin"
    path.write_bytes(struct.pack("<II", 10, 3) + np.ones((8, 3), "<f4").tobytes())
    with pytest.raises(FormatError, match="10 rows announced, 8 held"):
        open_corpus(path)


def test_h30_sizes_are_never_computed_in_32_bits(tmp_path: Path) -> None:
    rows, dimensions = np.int32(10_000_000), np.int32(1024)
    assert announced_bytes(rows, dimensions, 1) == 10_240_000_000
    assert announced_bytes(rows, dimensions, 4) + 8 == 40_960_000_008
    path = tmp_path / "x.fbin"
    with path.open("wb") as file:
        file.write(struct.pack("<II", rows, dimensions))
        file.truncate(40_960_000_008)  # sparse
    source = open_corpus(path).source
    assert (source.rows, source.dimensions) == (10_000_000, 1024)
    assert (source.take(np.array([9_999_999])) == 0).all()
    with path.open("r+b") as file:
        file.truncate(8 + 4 * 1_650_065_408)
    with pytest.raises(FormatError, match="10000000 rows announced, 1611392 held"):
        open_corpus(path)


def test_every_record_says_its_own_dimension(tmp_path: Path) -> None:
    path = tmp_path / "x.fvecs"
    write_vecs(path, ROWS.astype("<f4"))
    raw = bytearray(path.read_bytes())
    raw[24 * 4 : 24 * 4 + 4] = struct.pack("<i", 6)
    path.write_bytes(raw)
    source = open_corpus(path).source
    with pytest.raises(FormatError, match="row 4 announces 6 dimensions, row 0 5"):
        list(source.blocks(3))
    with pytest.raises(FormatError, match="row 4 announces 6"):
        source.take(np.array([0, 4]))


def test_a_folder_is_its_parquet_files_in_the_order_of_names(tmp_path: Path) -> None:
    for name, part in (("b", ROWS[4:]), ("a", ROWS[:4]), ("c", ROWS[:0])):
        write_parquet(tmp_path / f"{name}.parquet", part.astype("f4"))
    source = open_corpus(tmp_path).source
    assert (np.concatenate([block.copy() for _, block in source.blocks(2)]) == ROWS).all()
    assert (source.take(np.array([6, 0, 3])) == ROWS[[6, 0, 3]]).all()
    write_parquet(tmp_path / "d.parquet", ROWS.astype("f8"))
    with pytest.raises(InputError, match=r"d.parquet: column v holds double, in .*a.parquet float"):
        open_corpus(tmp_path)
    write_fixed_parquet(tmp_path / "d.parquet", ROWS[:, :3].astype("f4"))
    with pytest.raises(FormatError, match="row 7 of column v has 3 dimensions, row 0 has 5"):
        list(open_corpus(tmp_path).source.blocks(2))
    (tmp_path / "none").mkdir()
    with pytest.raises(InputError, match=r"folder without a \.parquet file"):
        open_corpus(tmp_path / "none")


@pytest.mark.parametrize(
    ("first", "second", "ids"),
    [
        (pa.array(["a"]), pa.array(["b"], pa.large_string()), ["a", "b"]),
        (pa.array([1], pa.int32()), pa.array([2]), [1, 2]),
        (pa.array([1], pa.uint8()), pa.array([2**63 - 1], pa.uint64()), [1, 2**63 - 1]),
    ],
)
def test_ids_in_a_folder_may_differ_in_width(tmp_path: Path, first: pa.Array, second: pa.Array, ids: list[Any]) -> None:
    for name, column in (("a", first), ("b", second)):
        pq.write_table(pa.table({"id": column, "v": [[1.0, 2.0]]}), tmp_path / f"{name}.parquet")
    assert open_corpus(tmp_path).ids.tolist() == ids


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (pa.array([1]), pa.array(["b"]), "column id holds int64 and string in its files"),
        (pa.array([2**60 + 1]), pa.array([0.5]), "column id holds double and int64 in its files"),
        (pa.array([1]), pa.array([0.5]), "column id holds double and int64 in its files"),
        (pa.array([-1]), pa.array([2**63], pa.uint64()), "column id holds int64 and uint64 in its files"),
        (pa.array([1]), None, r"b\.parquet has no column id, which other files of"),
        (None, pa.array([1]), r"a\.parquet has no column id, which other files of"),
    ],
)
def test_files_of_a_folder_that_disagree_about_ids(
    tmp_path: Path, first: pa.Array | None, second: pa.Array | None, words: str
) -> None:
    for name, column in (("a", first), ("b", second)):
        ids = {} if column is None else {"id": column}
        pq.write_table(pa.table({**ids, "v": [[1.0, 2.0]]}), tmp_path / f"{name}.parquet")
    with pytest.raises(InputError, match=words):
        open_corpus(tmp_path)


def test_a_column_or_data_set_is_named_after_two_colons(tmp_path: Path) -> None:
    two = pa.table({"a": lists(ROWS.astype("f4")), "b": lists(ROWS.astype("f8")), "n": pa.array(range(7))})
    pq.write_table(two, tmp_path / "x.parquet")
    write_hdf5(tmp_path / "x.hdf5", ROWS.astype("f4"))
    assert open_corpus(tmp_path / "x.parquet::b").source.dtype == np.float64
    assert open_corpus(tmp_path / "x.hdf5::test").source.name.endswith("x.hdf5::test")
    for path, message in (
        ("x.parquet", r"2 columns of lists \(a, b\) among a, b, n; name one: .*::COLUMN"),
        ("x.parquet::c", "no column c, only a, b, n"),
        ("x.parquet::n", "holds int64 and no lists"),
        ("x.parquet::", "names no part"),
        ("x.hdf5::base", "no data set base, only test, train"),
        ("absent.parquet::a", "does not exist"),
        ("absent.fbin", "does not exist"),
    ):
        with pytest.raises(InputError, match=message):
            open_corpus(tmp_path / path)
    write_bin(tmp_path / "x.fbin", ROWS.astype("<f4"))
    with pytest.raises(InputError, match="names the part v of a file that has no parts"):
        open_corpus(tmp_path / "x.fbin::v")
    (tmp_path / "x.csv").write_text("1,2")
    with pytest.raises(InputError, match=r"x.csv \(.csv\) is not a kind of file"):
        open_corpus(tmp_path / "x.csv")


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array([[1.0, 2.0], [3.0]]), "row 1 of column v has 1 dimensions, row 0 has 2"),
        (pa.array([[1.0, 2.0], None]), "row 1 of column v is missing"),
        (pa.array([[1.0, 2.0], [3.0, None]]), "row 1 of column v has a missing value"),
        (pa.array([[1, 2], [3, 4]], pa.list_(pa.int64())), "elements of type int64; save it as one of float64"),
        (pa.array([["a"], ["b"]]), "elements of type string"),
        (pa.array([[], []], pa.list_(pa.float32())), "the first vector of column v is empty"),
        (pa.array([], pa.list_(pa.float32())), "holds 0 rows"),
        (pa.array([1.0, 2.0]), "no such column among v"),
    ],
)
@pytest.mark.parametrize("ending", [".parquet", ".feather"])
def test_columns_that_are_no_vectors(tmp_path: Path, column: pa.Array, message: str, ending: str) -> None:
    path = tmp_path / f"x{ending}"
    write = pq.write_table if ending == ".parquet" else feather.write_feather
    write(pa.table({"v": column}), str(path))
    with pytest.raises(InputError, match=message):
        list(open_corpus(path).source.blocks(1))


def test_a_data_set_that_holds_no_vectors(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "x.hdf5", "w") as file:
        file["train"], file["flat"], file["group/x"] = np.ones((2, 2), np.int64), np.ones(3), np.ones((2, 2))
    for name, message in (
        ("", "elements of type int64"),
        ("::flat", r"shape \(3,\)"),
        ("::group", "no data set group"),
    ):
        with pytest.raises(InputError, match=message):
            open_corpus(Path(f"{tmp_path / 'x.hdf5'}{name}"))


def test_a_missing_library_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_hdf5(tmp_path / "x.hdf5", ROWS.astype("f4"))
    np.save(tmp_path / "x.npy", np.ones((2, 2), ml_dtypes.bfloat16))
    monkeypatch.setitem(__import__("sys").modules, "h5py", None)
    monkeypatch.setitem(__import__("sys").modules, "ml_dtypes", None)
    for name, extra in (("x.hdf5", "hdf5"), ("x.npy", "bfloat16")):
        with pytest.raises(InputError, match=rf"is not installed; run: pip install 'truerecall\[{extra}\]'"):
            open_corpus(tmp_path / name)


@pytest.mark.skipif(not SHARED.exists(), reason="the shared files are not beside the repository")
def test_files_that_others_wrote() -> None:
    queries = open_queries(SHARED / "texmex-format" / "siftsmall_query.fvecs")
    assert queries.vectors.shape == (100, 128)
    assert queries.vectors.min() >= 0
    assert (queries.vectors == np.round(queries.vectors)).all()
    folder = SHARED / "hdf5-annb"
    for name, rows, dimensions, bits in (
        ("digits-64-euclidean", 1600, 64, None),
        ("random-xs-20-angular", 9000, 20, None),
        ("random-xs-16-hamming", 9900, 2, 16),
    ):
        source = open_corpus(folder / f"{name}.hdf5").source
        assert (source.rows, source.dimensions, source.bits) == (rows, dimensions, bits)
        with hdf5.hdf5_file(folder / f"{name}.hdf5") as file:
            train = file["train"][:]
        expected = np.packbits(train, axis=1) if bits else train
        assert (np.concatenate([block.copy() for _, block in source.blocks(1000)]) == expected).all()


@pytest.mark.parametrize("write", [write_parquet, write_fixed_parquet])
def test_a_row_group_is_decoded_a_few_rows_at_a_time(tmp_path: Path, write: Writer) -> None:
    path = tmp_path / "x.parquet"
    array = np.random.default_rng(0).normal(size=(40_000, 128)).astype("f4")
    values = pa.array(array.reshape(-1))
    kind = pa.list_(pa.float32()) if write is write_parquet else pa.list_(pa.float32(), 128)
    pq.write_table(pa.table({"v": pa.FixedSizeListArray.from_arrays(values, 128).cast(kind)}), path)
    del values
    source = open_corpus(path).source
    assert pq.read_metadata(path).num_row_groups == 1
    before = pa.total_allocated_bytes()
    held = [pa.total_allocated_bytes() - before for _ in source.blocks(1000)]
    assert max(held) < array.nbytes / 2
    assert (source.take(np.array([39_999, 5])) == array[[39_999, 5]]).all()
