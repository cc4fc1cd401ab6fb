"""Neighbour files of other tools: what each byte means, what comes back, and what cannot be written."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from truerecall.errors import FormatError, InputError
from truerecall.model.foreign import ForeignLists
from truerecall.model.neighbors import offsets_of
from truerecall.store.attributes.ids import ids_of_values
from truerecall.store.lists import READERS_OF_PARTS, WRITERS, read_lists, write_lists

SHARED = Path(__file__).parents[3] / "shared" / "data"


def lists_of(rows: list[list[Any]], *, distances: bool = True, query_ids: list[Any] | None = None) -> ForeignLists:
    flat = [value for row in rows for value in row]
    return ForeignLists(
        ids_of_values(flat, what="a test"),
        offsets_of(np.array([len(row) for row in rows], np.int64)),
        np.arange(len(flat)) / 4 if distances else None,
        None if query_ids is None else ids_of_values(query_ids, what="a test"),
        "l2",
    )


def rows_of(lists: ForeignLists) -> list[list[Any]]:
    return [part.tolist() for part in np.split(lists.ids, lists.offsets[1:-1])]


def test_ivecs_byte_by_byte(tmp_path: Path) -> None:
    path = tmp_path / "gt.ivecs"
    path.write_bytes(struct.pack("<4i", 3, 7, 5, -1) + struct.pack("<4i", 3, 2, 1, 0))
    assert rows_of(read_lists(path)) == [[7, 5], [2, 1, 0]]
    path.write_bytes(struct.pack("<4i", 3, 7, -1, 5))
    with pytest.raises(FormatError, match="in list 0 an id follows the padding -1"):
        read_lists(path)


@pytest.mark.parametrize("name", ["gt.ibin", "gt.bin", "gt.knn", "gt"])
def test_big_ann_files_byte_by_byte(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(struct.pack("<II4I4f", 2, 2, 9, 3_000_000_000, 4, 2**32 - 1, 0.5, 1.5, 2.5, 0.0))
    lists = read_lists(path)
    assert rows_of(lists) == [[9, 3_000_000_000], [4]]
    assert lists.distances is not None
    assert lists.distances.tolist() == [0.5, 1.5, 2.5]
    path.write_bytes(struct.pack("<II4i", 2, 2, 9, 8, 4, 1))
    assert rows_of(read_lists(path)) == [[9, 8], [4, 1]]
    assert read_lists(path).distances is None
    path.write_bytes(struct.pack("<II3i", 2, 2, 9, 8, 4))
    with pytest.raises(FormatError, match=r"2 rows of 2 uint32 announced \(16 bytes\), 12 bytes held"):
        read_lists(path)
    path.write_bytes(struct.pack("<8i", 3, 7, 5, 6, 3, 2, 1, 0))
    with pytest.raises(FormatError, match=r"32 bytes = 2 records of 4\+12: this looks like fvecs, d=3"):
        read_lists(path)
    path.write_bytes(struct.pack("<II", 2**31, 2**31))
    with pytest.raises(FormatError, match="announced"):
        read_lists(path)


def test_ann_benchmarks_files(tmp_path: Path) -> None:
    path = tmp_path / "gt.hdf5"
    with h5py.File(path, "w") as file:
        file["neighbors"], file["distances"] = np.array([[1, 2], [0, 2]]), np.array([[0.1, 0.2], [0.3, 0.4]])
        file["other"] = np.array([[5]], np.uint64)
        file.attrs["distance"] = "angular"
    lists = read_lists(path)
    assert (rows_of(lists), lists.distance) == ([[1, 2], [0, 2]], "cosine")
    assert lists.distances is not None
    assert lists.distances.tolist() == [0.1, 0.2, 0.3, 0.4]
    assert rows_of(read_lists(Path(f"{path}::other"))) == [[5]]
    with h5py.File(path, "w") as file:
        file["neighbors"], file["distances"] = np.array([[1, 2]]), np.array([[0.1]])
    with pytest.raises(FormatError, match=r"neighbours of shape \(1, 2\) and distances of shape \(1, 1\)"):
        read_lists(path)
    with h5py.File(path, "w") as file:
        file["neighbors"] = np.array([[1.5]])
    with pytest.raises(InputError, match="elements of type float64; save it as one of whole numbers"):
        read_lists(path)


@pytest.mark.parametrize("ending", [".parquet", ".feather"])
def test_tables(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"gt{ending}"

    def write(**columns: pa.Array) -> None:
        (pq.write_table if ending == ".parquet" else feather.write_feather)(pa.table(columns), str(path))

    write(neighbors=pa.array([["a"], ["b", "c"]]), query_id=pa.array([4, 2**63], pa.uint64()))
    lists = read_lists(path)
    assert rows_of(lists) == [["a"], ["b", "c"]]
    assert lists.query_ids is not None
    assert lists.query_ids.tolist() == [4, 2**63]
    write(found=pa.FixedSizeListArray.from_arrays(pa.array([1, 2, 3, 4]), 2))
    assert rows_of(read_lists(Path(f"{path}::found"))) == [[1, 2], [3, 4]]
    for columns, message in (
        ({"found": pa.array([[1]])}, "no column of neighbour lists neighbor_ids, only found"),
        ({"neighbors": pa.array([1])}, "no column of neighbour lists"),
        ({"neighbors": pa.array([[1], None])}, "column neighbors has missing values"),
        ({"neighbors": pa.array([[1, None]])}, "column neighbors has missing values"),
        ({"neighbors": pa.array([[1.5]])}, "ids of type float64"),
        ({"neighbors": pa.array([[1]]), "distances": pa.array([[1.0, 2.0]])}, "not of one length"),
    ):
        write(**columns)
        with pytest.raises(InputError, match=message):
            read_lists(path)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"neighbours": [[1]]}, "has neighbours"),
        ({"distances": [[1]]}, "has no neighbors"),
        ([1, 2], "no list of lists"),
        ({"neighbors": [[1.0]]}, "ids of type float"),
        ({"neighbors": [[True]]}, "ids of type bool"),
        ({"neighbors": [[None]]}, "ids of type NoneType"),
        ({"neighbors": [[1]], "distances": [[1, 2]]}, "not of one length"),
        ({"neighbors": [[1]], "distances": [["x"]]}, "distances that are no numbers"),
        ({"neighbors": [[1]], "query_ids": [1, 2]}, "query_ids are not one for each list"),
        ({"neighbors": [[2**64]]}, "more than 64 bits"),
        ("words", "no list of lists"),
    ],
)
def test_json_that_holds_no_lists(tmp_path: Path, document: Any, message: str) -> None:
    path = tmp_path / "gt.json"
    path.write_text(json.dumps(document))
    with pytest.raises(InputError, match=message):
        read_lists(path)


def test_matrices_of_ids_in_npy(tmp_path: Path) -> None:
    path = tmp_path / "gt.npy"
    for matrix, right in (
        (np.array([[1, -1], [2, 3]], ">i4"), [[1], [2, 3]]),
        (np.array([[2**64 - 1]], np.uint64), [[2**64 - 1]]),
        (np.array([["a", "longer"]]), [["a", "longer"]]),
    ):
        np.save(path, matrix)
        assert rows_of(read_lists(path)) == right
    for wrong, message in ((np.ones((2, 2)), "elements of type float64"), (np.ones(3, int), r"shape \(3,\)")):
        np.save(path, wrong)
        with pytest.raises(InputError, match=message):
            read_lists(path)


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize(
    ("rows", "exact_in"),
    [
        ([[1, 2], [3, 0]], set(WRITERS)),
        ([[1, 2], [3]], set(WRITERS)),
        ([[-1, 2], [3, 4]], {".parquet", ".json"}),
        ([[2**31, 2], [3, 4]], {".npy", ".hdf5", ".parquet", ".json"}),
        ([[2**64 - 1, 2], [3, 4]], {".npy", ".hdf5", ".parquet", ".json"}),
        ([[2**64 - 1, 2], [3]], {".parquet", ".json"}),
        ([["a", "ü"], ["c", ""]], {".npy", ".parquet", ".json"}),
        ([["a", "b"], ["c"]], {".parquet", ".json"}),
    ],
)
def test_what_is_written_is_read_back_or_refused(
    tmp_path: Path, ending: str, rows: list[list[Any]], exact_in: set[str]
) -> None:
    path = tmp_path / "folder" / f"gt{ending}"
    lists = lists_of(rows, query_ids=[10, 2**60])
    if ending not in exact_in:
        with pytest.raises(InputError, match=r"--by row|write .parquet or .json"):
            write_lists(path, lists)
        assert list(path.parent.iterdir()) == []
        return
    write_lists(path, lists)
    assert list(path.parent.iterdir()) == [path]
    back = read_lists(path)
    written = rows if ending != ".json" or 2**64 - 1 not in rows[0] else [[str(i) for i in row] for row in rows]
    assert rows_of(back) == written
    if ending in (".hdf5", ".parquet", ".json"):
        assert back.distances is not None
        assert lists.distances is not None
        assert back.distances.tolist() == lists.distances.tolist()
    if ending in (".parquet", ".json"):
        assert back.query_ids is not None
        assert [int(own) for own in back.query_ids.tolist()] == [10, 2**60]
    assert back.distance == ("l2" if ending == ".hdf5" else None)


def test_endings_and_paths_that_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"x.csv \(.csv\) is not a kind of file that neighbours are written to"):
        write_lists(tmp_path / "x.csv", lists_of([[1]]))
    (tmp_path / "x.csv").write_text("")
    for path, message in (
        (tmp_path / "x.csv", r"\(.csv\) is not a kind of file that neighbours are read from"),
        (tmp_path / "absent.npy", "does not exist"),
        (tmp_path, "is a folder"),
        (Path(f"{tmp_path}/x.csv::a"), "has no parts"),
    ):
        with pytest.raises(InputError, match=message):
            read_lists(path)
    assert set(READERS_OF_PARTS) == {".hdf5", ".h5", ".parquet", ".arrow", ".feather"}


@pytest.mark.skipif(not SHARED.exists(), reason="the shared files are not beside the repository")
def test_a_texmex_file_that_others_wrote() -> None:
    rows = rows_of(read_lists(SHARED / "texmex-format" / "siftsmall_groundtruth.ivecs"))
    assert [len(row) for row in rows] == [100] * 100
    assert all(0 <= own < 10_000 for row in rows for own in row)
    assert all(len(set(row)) == 100 for row in rows)
