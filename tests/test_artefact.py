"""Stored artefacts: what comes back is what was written, and no changed byte goes unnoticed."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from truerecall.errors import FormatError, InputError
from truerecall.store.artefact import (
    Artefact,
    artefacts_in,
    attached,
    kind_of,
    read_artefact,
    table_of,
    write_artefact,
)

TABLE = pa.table(
    {
        "id": pa.array(["a", "b", None], pa.large_string()),
        "list": pa.array([[1, 2], [], [3]], pa.large_list(pa.int64())),
        "x": pa.array([0.5, None, 2.0], pa.float64()),
    }
)
ARTEFACT = Artefact("truth", 1, TABLE, {"k": 10, "name": "ü"}, {"when": "now"})
OTHER = pa.table({"digest": pa.array([b"0123456789abcdef"] * 5, pa.binary(16))})
WITH_ATTACHMENTS = replace(ARTEFACT, attachments={"other": attached(OTHER), "raw": pa.py_buffer(b"\0" * 77)})


def test_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    write_artefact(path, ARTEFACT)
    back = read_artefact(path, "truth", 1)
    assert back.table.equals(TABLE)
    assert (back.content, back.provenance) == ({"k": 10, "name": "ü"}, {"when": "now"})
    assert back.content_digest == ARTEFACT.content_digest
    assert kind_of(path) == "truth"
    assert artefacts_in(tmp_path, "truth") == [path]
    assert artefacts_in(tmp_path, "run") == []
    assert [p.name for p in tmp_path.iterdir()] == ["t.parquet"]


def test_attachments_lie_where_no_reader_of_parquet_looks(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    write_artefact(path, WITH_ATTACHMENTS)
    back = read_artefact(path, "truth", 1)
    assert table_of(back.attachments["other"]).equals(OTHER)
    assert back.attachments["raw"].to_pybytes() == b"\0" * 77
    assert back.content_digest == ARTEFACT.content_digest == WITH_ATTACHMENTS.content_digest
    assert pq.read_table(path).equals(TABLE)


@pytest.mark.parametrize("artefact", [ARTEFACT, WITH_ATTACHMENTS])
def test_every_single_changed_byte_is_detected(tmp_path: Path, artefact: Artefact) -> None:
    path = tmp_path / "t.parquet"
    write_artefact(path, artefact)
    raw = path.read_bytes()
    for place in range(len(raw)):
        damaged = bytearray(raw)
        damaged[place] ^= 1 << (place % 8)
        path.write_bytes(damaged)
        with pytest.raises(FormatError):
            read_artefact(path, "truth", 1)


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    write_artefact(path, ARTEFACT)
    raw = path.read_bytes()
    for length in (0, 1, 3, len(raw) // 2, len(raw) - 1):
        path.write_bytes(raw[:length])
        with pytest.raises(FormatError):
            read_artefact(path, "truth", 1)


def test_the_digest_is_of_content_not_of_provenance_or_chunking() -> None:
    chunked = pa.concat_tables([TABLE.slice(0, 1), TABLE.slice(1)])
    same = Artefact("truth", 1, chunked, ARTEFACT.content, {"when": "later"})
    assert same.content_digest == ARTEFACT.content_digest
    others = [
        Artefact("truth", 1, TABLE, {"k": 11, "name": "ü"}, {}),
        Artefact("truth", 2, TABLE, ARTEFACT.content, {}),
        Artefact("truth", 1, TABLE.set_column(2, "x", pa.array([0.5, 0.0, 2.0])), ARTEFACT.content, {}),
        Artefact("truth", 1, TABLE.rename_columns(["id", "list", "y"]), ARTEFACT.content, {}),
        Artefact(
            "truth", 1,
            TABLE.set_column(1, "list", pa.array([[1], [2], [3]], pa.large_list(pa.int64()))), ARTEFACT.content, {},
        ),
        Artefact(
            "truth", 1, TABLE.set_column(0, "id", pa.array(["", "ab", None], pa.large_string())), ARTEFACT.content, {}
        ),
    ]  # fmt: skip
    digests = {other.content_digest for other in others}
    assert len(digests) == len(others)
    assert ARTEFACT.content_digest not in digests


def test_wrong_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    with pytest.raises(InputError, match="does not exist"):
        read_artefact(path, "truth", 1)
    with pytest.raises(InputError, match="is a folder"):
        read_artefact(tmp_path, "truth", 1)
    write_artefact(path, ARTEFACT)
    with pytest.raises(FormatError, match="is a truth file"):
        read_artefact(path, "run", 1)
    with pytest.raises(FormatError, match="upgrade"):
        read_artefact(path, "truth", 0)
    pq.write_table(TABLE, path)
    with pytest.raises(FormatError, match="truerecall did not write"):
        read_artefact(path, "truth", 1)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc")
def test_reading_parquet_starts_no_thread(tmp_path: Path) -> None:
    """One that is still starting when a short process ends may abort it, with an exit status that is none of ours."""
    table = pa.table({"id": np.arange(1000), "vector": np.ones((1000, 2)).tolist()})
    write_artefact(tmp_path / "t.parquet", Artefact("truth", 1, table, {}, {}, {"more": attached(table)}))
    pq.write_table(table, tmp_path / "b.parquet", row_group_size=100)
    code = """
import os, sys
from pathlib import Path
import numpy as np
from truerecall.store.artefact import read_artefact, table_of
from truerecall.store.attributes import read_ids
from truerecall.store.vectors import open_corpus
def threads():
    names = [Path(f"/proc/self/task/{task}/comm").read_text().strip() for task in os.listdir("/proc/self/task")]
    return len([name for name in names if name != "jemalloc_bg_thd"])
before, folder = threads(), Path(sys.argv[1])
table_of(read_artefact(folder / "t.parquet", "truth", 1).attachments["more"])
read_ids(folder / "b.parquet")
open_corpus(folder / "b.parquet").source.take(np.arange(1000))
print(threads() - before)
"""
    shown = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert shown.stdout == "0\n"
