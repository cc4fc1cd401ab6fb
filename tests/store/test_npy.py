"""The .npy reader: what it reads, in any block size, and what it refuses before it allocates anything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from truerecall.errors import FormatError, InputError
from truerecall.store.readers.npy import open_npy


def saved(path: Path, array: NDArray[Any]) -> Path:
    np.save(path / "x.npy", array)
    return path / "x.npy"


@pytest.mark.parametrize("dtype", ["<f8", "<f4", "<f2", ">f4", "i1", "u1"])
@pytest.mark.parametrize("block", [1, 3, 7, 100])
def test_blocks_and_rows_are_the_array(tmp_path: Path, dtype: str, block: int) -> None:
    array = np.arange(35).reshape(7, 5).astype(dtype)
    source = open_npy(saved(tmp_path, array))
    assert (source.rows, source.dimensions, source.dtype.isnative) == (7, 5, True)
    read = [(start, vectors.copy()) for start, vectors in source.blocks(block)]
    assert [start for start, _ in read] == list(range(0, 7, block))
    assert (np.concatenate([vectors for _, vectors in read]) == array).all()
    for wanted in ([], [6], [0, 1, 2], [5, 0, 5, 3, 4]):
        assert (source.take(np.array(wanted, np.int64)) == array[wanted]).all()


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.ones(3, np.float32), r"shape \(3,\)"),
        (np.ones((2, 2, 2), np.float32), r"shape \(2, 2, 2\)"),
        (np.ones((2, 2), np.int64), "elements of type int64; save it as one of float64"),
        (np.ones((2, 2), complex), "elements of type complex128"),
        (np.array([["a"]]), "elements of type <U1"),
        (np.ones((0, 3), np.float32), "0 rows of 3 dimensions"),
        (np.asfortranarray(np.ones((2, 3), np.float32)), "column by column"),
    ],
)
def test_refused_arrays(tmp_path: Path, array: NDArray[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        open_npy(saved(tmp_path, array))


def test_objects_are_never_unpickled(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.array([[print]], object), allow_pickle=True)
    with pytest.raises(InputError, match="elements of type object"):
        open_npy(tmp_path / "x.npy")


def test_h30_a_header_larger_than_the_file_is_refused_before_anything_is_allocated(tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    with path.open("wb") as file:
        header = {"descr": "<f4", "fortran_order": False, "shape": (10_000_000, 1024)}
        np.lib.format.write_array_header_1_0(file, header)
        start = file.tell()
        file.write(b"\0" * 64)
    with pytest.raises(FormatError, match=r"\(40960000000 bytes\), 64 bytes held"):
        open_npy(path)
    with path.open("r+b") as file:
        file.truncate(start + 40_960_000_000)  # sparse
    source = open_npy(path)
    assert (source.rows, source.dimensions) == (10_000_000, 1024)
    assert (source.take(np.array([9_999_999])) == 0).all()


def test_damaged_and_foreign_files(tmp_path: Path) -> None:
    path = saved(tmp_path, np.ones((4, 4), np.float32))
    raw = path.read_bytes()
    for content, message in (
        (b"", "no usable .npy file: it starts with b''"),
        (b"PAR1" + raw, "not a .npy file .*: it begins with b'PAR1': this looks like a Parquet file; name it .parquet"),
        (raw[:-1], "63 bytes held"),
        (raw + b"\0", "65 bytes held"),
        (raw[:9], "header of .* cannot be read"),
        (raw[:60], "header of .* cannot be read"),
    ):
        path.write_bytes(content)
        with pytest.raises(FormatError, match=message):
            open_npy(path)


def test_a_file_cut_while_it_is_read_is_noticed(tmp_path: Path) -> None:
    path = saved(tmp_path, np.ones((4, 4), np.float32))
    source = open_npy(path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(FormatError, match="ended early"):
        list(source.blocks(2))
