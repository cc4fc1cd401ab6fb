"""Run files: what is loaded is what was saved, whatever the ids, the answers and the failures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from truerecall.errors import FormatError, InputError
from truerecall.model.arrays import Ids, texts
from truerecall.model.drift import Drift
from truerecall.model.engine import IndexState, Value
from truerecall.model.neighbors import Neighbors, offsets_of
from truerecall.model.run import Build, Run, Setup
from truerecall.model.vectors import Fingerprint
from truerecall.store.artefact import Artefact, read_artefact, write_artefact
from truerecall.store.runs import RUN_FORMAT, load_run, save_run

PRINT = Fingerprint("00ff", 5, 3, "float32", "row")
STATE = IndexState("IndexHNSWFlat", 5, None, True, "none", 2**40, exact_by_design=False)


def a_run(lengths: list[int], ids: Ids, settings: dict[str, Value], **drifted: Any) -> Run:
    total = sum(lengths)
    distances = np.arange(total) / 7
    distances[-1:] = np.nan
    build = Build("ab", {"factory": "HNSW32"}, 2**62, 1, 0.1, STATE)
    setup = Setup("faiss", "1", "l2", 3, PRINT, PRINT, build, settings, {**settings, "max_codes": 0}, 100, STATE)
    return Run(
        setup,
        np.arange(len(lengths)),
        Neighbors(np.resize(ids, total), distances, offsets_of(np.array(lengths, np.int64))),
        np.linspace(0.1, 0.2, len(lengths)),
        texts(["" if length else "RuntimeError: ü" for length in lengths]),
        {"distance_computations": 2**60},
        {"processor": None, "load": 0.5},
        np.arange(len(lengths)),
        0.7,
        1e-7,
        ("vectors_scanned",),
        **drifted,
    )


def assert_same(a: Run, b: Run) -> None:
    assert a.setup == b.setup
    assert dict(a.cost) == dict(b.cost)
    assert dict(a.environment) == dict(b.environment)
    for x, y in (
        (a.query_ids, b.query_ids), (a.neighbors.ids, b.neighbors.ids), (a.neighbors.offsets, b.neighbors.offsets),
        (a.latency_s, b.latency_s), (a.failures, b.failures),
    ):  # fmt: skip
        assert x.dtype == y.dtype
        assert x.tolist() == y.tolist()
    np.testing.assert_array_equal(a.neighbors.distances, b.neighbors.distances)


@hypothesis_settings(deadline=None, max_examples=40)
@given(
    lengths=st.lists(st.integers(0, 3), min_size=1, max_size=5),
    ids=st.sampled_from([np.array([3, -1, 2**62]), np.array([2**64 - 1], np.uint64), texts(["a", "ö", ""])]),
    settings=st.dictionaries(
        st.sampled_from(["efSearch", "k", "w"]),
        st.integers(-(2**60), 2**60)
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.sampled_from(["", "ü", "1", "1.5"]),
    ),
)
def test_loading_gives_back_what_was_saved(
    tmp_path_factory: pytest.TempPathFactory, lengths: list[int], ids: Ids, settings: dict[str, Value]
) -> None:
    path = tmp_path_factory.mktemp("runs") / "r.parquet"
    run = a_run(lengths, ids, settings)
    save_run(run, path)
    loaded = load_run(path)
    assert_same(run, loaded)
    kinds = {name: type(value) for name, value in settings.items()}
    assert {name: type(value) for name, value in loaded.setup.asked.items()} == kinds
    assert not loaded.latency_s.flags.writeable


DRIFT = Drift("t", "c", 5, 1, 0, 1, "1 added (9), 1 changed (3)", 2, 1, 0.5)


@pytest.mark.parametrize("ids", [np.array([3, -1, 2**62]), np.array([2**64 - 1], np.uint64), texts(["a", "ö"])])
def test_under_a_drift_the_neighbours_of_now_are_kept(tmp_path: Path, ids: Ids) -> None:
    present = Neighbors(np.resize(ids, 3), np.array([0.1, 1 / 3, -2.0]), np.array([0, 3, 3]))
    run = a_run([1, 0], ids, {}, drift=DRIFT, present=present)
    save_run(run, tmp_path / "r.parquet")
    loaded = load_run(tmp_path / "r.parquet")
    assert_same(run, loaded)
    assert loaded.drift == DRIFT
    assert loaded.present is not None
    assert loaded.present.ids.dtype == present.ids.dtype
    assert loaded.present.same(present)
    assert not loaded.present.same(None)
    assert not loaded.present.same(replace(present, distances=np.array([0.1, 1 / 3, 2.0])))


def test_without_a_list_of_the_present_there_is_no_column_for_it(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    run = a_run([2, 1], np.array([3]), {}, drift=DRIFT)
    save_run(run, path)
    saved = read_artefact(path, "run", RUN_FORMAT)
    assert saved.table.column_names == ["query_id", "neighbor_ids", "distances", "latency_s", "call", "failure"]
    loaded = load_run(path)
    assert_same(run, loaded)
    assert (loaded.drift, loaded.present) == (DRIFT, None)


def test_what_is_not_a_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        load_run(tmp_path / "absent.parquet")
    path = tmp_path / "r.parquet"
    write_artefact(path, Artefact("run", 1, pa.table({"query_id": [1]}), {"setup": {}, "cost": {}}, {}))
    with pytest.raises(FormatError, match="not laid out as a run"):
        load_run(path)
    save_run(a_run([1], np.array([1]), {}), path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(FormatError):
        load_run(path)
