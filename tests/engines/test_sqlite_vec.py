"""sqlite-vec on small seeded vectors: it scans everything and says so; and where it misleads all the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engines.brute import DIMENSIONS, ROWS, K, Q, X, answers, distances, nearest, share
from truerecall import shelf
from truerecall.engines._sqlite_vec_index import SqliteVecIndex
from truerecall.engines._sqlite_vec_table import opened
from truerecall.engines.sqlite_vec import engine
from truerecall.errors import Incapable, InputError, UnknownName
from truerecall.model.engine import Place
from truerecall.model.source import ArraySource


@pytest.fixture(autouse=True)
def installed() -> None:
    if engine.version() is None:
        pytest.skip("needs sqlite-vec and apsw")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "place")


def built(place: Place, distance: str = "l2", rows: Any = X, bits: int | None = None) -> SqliteVecIndex:
    return engine.build(ArraySource(rows, bits=bits), distance, {}, seed=0, threads=1, place=place)


def test_it_stands_on_its_shelf() -> None:
    assert shelf.engines.get("sqlite-vec") is engine


@pytest.mark.parametrize("distance", ["l2", "cosine", "l1"])
def test_it_equals_brute_force_and_says_why(distance: str, place: Place, tmp_path: Path) -> None:
    index, truth = built(place, distance), nearest(X, Q, distance)
    assert index.configure({}) == {}
    assert answers(index) == truth
    assert index.exact(Q[:1], K) == truth[0]
    state = index.state()
    assert (state.kind, state.rows, state.exact_by_design, state.exhaustive) == ("vec0 float[32]", ROWS, True, True)
    assert state.path == "full scan"
    assert state.told.startswith("SCAN vectors VIRTUAL TABLE INDEX")
    assert index.vectors_scanned(K) == ROWS
    index.save(tmp_path / "index")
    index.close()
    loaded = engine.load(tmp_path / "index", ArraySource(X), distance, {}, threads=1, place=Place(tmp_path / "other"))
    assert answers(loaded) == truth
    assert loaded.state() == state
    loaded.close()


def test_bits_and_int8_are_kept_as_they_are(place: Place) -> None:
    draw = np.random.default_rng(8)
    bits, asks = draw.integers(0, 256, (500, 4), np.uint8), draw.integers(0, 256, (10, 4), np.uint8)
    index = built(place, "hamming", bits, bits=30)
    far = distances(bits, asks, "hamming")
    for found, row in zip(answers(index, asks), far, strict=True):
        assert [row[i] for i in found] == sorted(row)[:K]
    assert index.state().kind == "vec0 bit[32]"
    index.close()
    small = draw.integers(-128, 128, (500, DIMENSIONS), np.int8)
    for distance in ("l2", "l1", "cosine"):
        index = built(place, distance, small)
        assert (index.state().kind, index.state().transform) == ("vec0 int8[32]", "none")
        for found, row in zip(answers(index, small[:20]), distances(small, small[:20], distance), strict=True):
            assert [row[i] for i in found] == pytest.approx(sorted(row)[:K], abs=1e-9)
        with pytest.raises(InputError, match="vectors are float32 and the table holds int8"):
            index.prepare(Q)
        index.close()


def test_a_loss_of_digits_is_declared_and_not_exact(place: Place) -> None:
    state = built(place, rows=X.astype(np.float64)).state()
    assert (state.transform, state.exact_by_design) == ("cast from float64 to float32", False)


@pytest.mark.parametrize(
    "clause", ["indexed by ivf(nlist=4)", "indexed by diskann()", "indexed by rescore(quantizer=bit)"]
)
def test_there_is_no_index_to_be_had(clause: str, place: Place) -> None:
    connection = built(place).connection
    with pytest.raises(Exception, match="could not parse vector column"):
        connection.execute(f"CREATE VIRTUAL TABLE other USING vec0(v float[8] {clause})")
    with pytest.raises(UnknownName, match="unknown setting nlist; there are none here"):
        engine.search_settings({"nlist": 4}, distance="l2", dimensions=8)


def test_it_gives_at_most_4096_neighbours(place: Place) -> None:
    index = built(place)
    assert len(index.search(Q[:1], 4096)) == ROWS
    with pytest.raises(InputError, match="k is 4097, and sqlite-vec gives at most 4096"):
        index.search(Q[:1], 4097)


@pytest.mark.parametrize("distance", ["l2", "cosine"])
def test_rows_of_zeros_make_it_lose_neighbours_under_cosine(distance: str, place: Place) -> None:
    rows = X.copy()
    rows[0] = 0
    index = built(place, distance, rows)
    truth = [[row + 1 for row in found] for found in nearest(rows[1:], Q, distance)]
    state = index.state()
    if distance == "l2":
        assert (answers(index), state.exact_by_design) == (nearest(rows, Q, "l2"), True)
    else:
        assert share(answers(index), truth) < 0.9
        assert (state.exact_by_design, state.exhaustive) == (False, False)
        assert state.told.endswith("1 rows of zeros, beside which it loses neighbours")


@pytest.mark.parametrize(("distance", "bits"), [("hamming", None), ("l2", 32)])
def test_a_distance_that_such_vectors_do_not_have(distance: str, bits: int | None, place: Place) -> None:
    rows = X if bits is None else X[:, :4].astype(np.uint8)
    with pytest.raises(InputError, match=f"sqlite-vec has no {distance} for them"):
        built(place, distance, rows, bits)
    assert "ip" not in engine.distances


def test_deletes_and_updates_show(place: Place) -> None:
    index = built(place)
    truth = nearest(X, Q[:1], "l2", K + 3)[0]
    index.delete(truth[:3])
    assert answers(index, Q[:1])[0] == truth[3:]
    index.update([truth[-1]], Q[:1])
    assert answers(index, Q[:1])[0] == [truth[-1], *truth[3:-1]]
    assert index.state().rows == ROWS - 3


def test_several_clients_at_once_get_what_one_gets(place: Place) -> None:
    index = built(place)
    alone = answers(index)
    with ThreadPoolExecutor(4) as clients:
        found = list(clients.map(lambda i: index.search(Q[i % len(Q) :][:1], K), range(200)))
    assert all(answer == alone[i % len(Q)] for i, answer in enumerate(found))


@pytest.mark.parametrize(
    ("key", "values"),
    [("id text primary key", ["ä", "b", "0x"]), ("id integer primary key", [2**53 + 1, -5, 2**63 - 1])],
)
def test_attached_ids_come_back_as_they_are(key: str, values: list[Any], tmp_path: Path, place: Place) -> None:
    path = tmp_path / "theirs.db"
    connection = opened(path)
    connection.execute(
        f"create virtual table theirs using vec0({key}, v float[{DIMENSIONS}] distance_metric=cosine, +note text)"
    )
    for value, row in zip(values, X, strict=False):
        connection.execute("insert into theirs(id, v) values (?, ?)", (value, row.tobytes()))
    connection.close()
    before = path.read_bytes()
    index = engine.attach(f"{path}?table=theirs", "cosine", place=place)
    assert [index.search(X[i : i + 1], 1) for i in range(3)] == [[value] for value in values]
    with pytest.raises(Incapable):
        index.delete(values)
    with pytest.raises(Incapable):
        index.update(values, X[:3])
    with pytest.raises(Incapable):
        index.save(path)
    with pytest.raises(Exception, match="readonly"):
        index.connection.execute("delete from theirs")
    index.close()
    assert path.read_bytes() == before
    with pytest.raises(InputError, match="theirs is made for cosine, not l2"):
        engine.attach(str(path), "l2", place=place)
    with pytest.raises(InputError, match="0 columns of vectors fit this name; tables of vec0: theirs"):
        engine.attach(f"{path}?vector=w", "cosine", place=place)


def test_a_file_that_is_no_database_or_of_another_corpus(place: Place, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"nothing of the kind" * 1000)
    with pytest.raises(InputError, match="is no SQLite database"):
        engine.load(tmp_path / "x", ArraySource(X), "l2", {}, threads=1, place=place)
    with pytest.raises(InputError, match="cannot be opened"):
        engine.attach(str(tmp_path / "nothing"), "l2", place=place)
    built(place).save(tmp_path / "y")
    with pytest.raises(InputError, match=r"holds 3000 rows of float\[32\] under l2"):
        engine.load(tmp_path / "y", ArraySource(X[:5]), "l2", {}, threads=1, place=Place(tmp_path / "other"))


def test_a_short_answer_is_short(place: Place) -> None:
    assert {len(answer) for answer in answers(built(place, rows=X[:7]))} == {7}


def test_the_seed_has_no_say_and_the_same_rows_give_the_same_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        built(Place(tmp_path / f"{name}.place")).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
