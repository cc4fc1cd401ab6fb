"""What is written never takes the place of somebody's vectors, and a place that cannot be is refused at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pyarrow as pa
import pytest

from truerecall.errors import InputError
from truerecall.model.foreign import ForeignLists
from truerecall.store.artefact import Artefact, read_artefact, write_artefact
from truerecall.store.lists import write_lists
from truerecall.store.pages import write_page
from truerecall.store.places import demand_folder_place


def artefact(kind: str, value: int) -> Artefact:
    return Artefact(kind, 1, pa.table({"x": [value]}), {}, {})


def test_an_artefact_replaces_its_own_kind_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    for value in (1, 2):
        write_artefact(path, artefact("truth", value))
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"t\.parquet is a truth file and would be replaced"):
        write_artefact(path, artefact("run", 3))
    assert path.read_bytes() == before
    assert read_artefact(path, "truth", 1).table.column("x").to_pylist() == [2]


def test_two_writers_at_once_do_not_mix_what_they_write(tmp_path: Path) -> None:
    path, barrier = tmp_path / "t.parquet", Barrier(2)

    def write(value: int) -> None:
        own = Artefact("truth", 1, pa.table({"x": np.full(50_000, value)}), {}, {})
        for _ in range(10):
            barrier.wait(60)
            write_artefact(path, own)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, (1, 2)))
    assert np.unique(read_artefact(path, "truth", 1).table["x"].to_numpy()).tolist() in ([1], [2])
    assert [there.name for there in tmp_path.iterdir()] == ["t.parquet"]


def test_nothing_replaces_vectors(tmp_path: Path) -> None:
    vectors = tmp_path / "base.npy"
    np.save(vectors, np.arange(6, dtype=np.float32).reshape(2, 3))
    before = vectors.read_bytes()
    with pytest.raises(InputError, match="is no truth file and would be replaced"):
        write_artefact(vectors, artefact("truth", 1))
    with pytest.raises(InputError, match="is no text and would be replaced"):
        write_page(vectors, "page")
    with pytest.raises(InputError, match=r"base\.npy is there already and would be replaced"):
        write_lists(vectors, ForeignLists(np.arange(6), np.array([0, 3, 6])))
    assert vectors.read_bytes() == before


def test_a_page_replaces_a_page_and_no_artefact(tmp_path: Path) -> None:
    page, run = tmp_path / "report.html", tmp_path / "run.parquet"
    write_page(page, "ä" * 4096)  # a character lies across the end of what is looked at
    write_page(page, "b ä")
    assert page.read_text(encoding="utf-8") == "b ä\n"
    write_page(page, "name \udcff")  # of a file whose name is no UTF-8
    assert page.read_text(encoding="utf-8") == "name \\udcff\n"
    write_artefact(run, artefact("run", 1))
    with pytest.raises(InputError, match="would be replaced"):
        write_page(run, "page")


def test_places_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="is a folder; name a file in it"):
        write_page(tmp_path, "page")
    with pytest.raises(InputError, match="file is a file; name a folder"):
        demand_folder_place(tmp_path / "file" / "deep" / "deeper")
    demand_folder_place(tmp_path / "not" / "there" / "yet")
    assert not (tmp_path / "not").exists()
