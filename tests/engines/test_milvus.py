"""Milvus Lite on small seeded vectors, in this process and over gRPC: what it answers, and where it misleads."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engines.vectors import DIMENSIONS, ROWS, K, Q, X, asked, nearest, recall
from truerecall import shelf
from truerecall.engines import _milvus_collection as collections
from truerecall.engines._milvus_client import Address, connected, let_go, pymilvus
from truerecall.engines._milvus_index import MilvusIndex
from truerecall.engines.milvus import engine
from truerecall.errors import EngineFailed, Incapable, InputError, UnknownName
from truerecall.model.engine import Place
from truerecall.model.source import ArraySource
from truerecall.model.truth import MOVING
from truerecall.model.vectors import QuerySet
from truerecall.steps.truth import build_truth

KINDS: dict[str, set[str]] = {
    "HNSW": {"ef"},
    "HNSW_SQ": {"ef"},
    "IVF_FLAT": {"nprobe"},
    "IVF_SQ8": {"nprobe"},
    "FLAT": set(),
    "AUTOINDEX": {"ef"},
}
SMALL = X[:500]


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    if "milvus-lite" not in (engine.version() or ""):
        pytest.skip("needs pymilvus and milvus-lite")
    for name in ("MILVUS_URI", "MILVUS_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "place")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of Milvus Lite, in a process of its own."""
    with running(tmp_path_factory.mktemp("server")) as (uri, _):
        yield uri


@contextmanager
def running(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A server for as long as the context lasts. Left alone it would listen on every interface."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "milvus_lite", "server", "--data-dir", str(folder), "--host", "127.0.0.1"]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([*command, "--port", str(port)], **quiet)
    try:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}", process
    finally:
        process.kill()
        process.wait()


def built(place: Place, distance: str = "l2", rows: Any = X, **settings: Any) -> MilvusIndex:
    return engine.build(ArraySource(rows), distance, settings, seed=0, threads=1, place=place)


def foreign(uri: str, name: str, ids: list[Any], rows: Any, index: str = "HNSW") -> None:
    """A collection that somebody else made, with a key of their own, indexed and loaded."""
    client, types = connected(Address(uri)), pymilvus().DataType
    schema = client.create_schema(auto_id=False)
    text = isinstance(ids[0], str)
    schema.add_field(
        "key", types.VARCHAR if text else types.INT64, is_primary=True, **({"max_length": 64} if text else {})
    )
    schema.add_field("v", types.FLOAT_VECTOR, dim=DIMENSIONS)
    client.create_collection(name, schema=schema)
    client.insert(name, [{"key": key, "v": row} for key, row in zip(ids, rows, strict=True)])
    client.flush(name)
    if index:
        wanted = client.prepare_index_params()
        wanted.add_index("v", index_type=index, metric_type="COSINE", params={"params": {"M": 8}})
        client.create_index(name, wanted)
        client.load_collection(name)
    let_go(client, Address(uri).file)


def test_it_stands_on_its_shelf() -> None:
    assert shelf.engines.get("milvus") is engine


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_builds_searches_saves_and_loads(kind: str, place: Place, tmp_path: Path) -> None:
    index = built(place, rows=SMALL, index_type=kind)
    assert {s.name for s in engine.search_settings({"index_type": kind}, distance="l2", dimensions=8)} == KINDS[kind]
    assert set(index.configure({})) == KINDS[kind]
    found = asked(index)
    index.save(tmp_path / "index")
    assert asked(index) == found
    state = index.state()
    assert (state.kind, state.rows, state.indexed_rows) == (kind, len(SMALL), len(SMALL))
    assert (state.path == "full scan") == state.exact_by_design == (kind == "FLAT")
    if kind == "FLAT":
        assert found == nearest(SMALL, Q, "l2")
    index.close()
    again = Place(tmp_path / "again")
    loaded = engine.load(tmp_path / "index", ArraySource(SMALL), "l2", {"index_type": kind}, threads=1, place=again)
    assert asked(loaded) == found
    assert loaded.state().indexed_rows == len(SMALL)
    loaded.close()


@pytest.mark.parametrize("distance", ["l2", "ip", "cosine"])
def test_full_effort_equals_brute_force(distance: str, place: Place) -> None:
    rows = (X * np.random.default_rng(3).uniform(0.5, 2, size=(ROWS, 1))).astype(np.float32)
    index = built(place, distance, rows, index_type="IVF_FLAT", nlist=16)
    assert index.configure({"nprobe": 16}) == {"nprobe": 16}
    assert asked(index) == nearest(rows, Q, distance)
    assert index.state().exhaustive
    index.configure({"nprobe": 1})
    assert recall(asked(index), nearest(rows, Q, distance)) < 1
    assert index.state().exhaustive is False
    assert index.search_batch(index.prepare(Q), K) == asked(index)
    index.close()


def test_more_effort_finds_more(place: Place) -> None:
    index, truth = built(place, M=4, efConstruction=10), nearest(X, Q, "l2")
    found = []
    for ef in (1, 20, 500):
        assert index.configure({"ef": ef}) == {"ef": ef}
        found.append(recall(asked(index), truth))
    assert found[0] < found[1] < found[2]
    index.close()


def test_parameters_of_an_index_that_milvus_loses_are_missed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """pymilvus sends them as its own documentation has it, Milvus Lite takes others and says nothing."""
    library = pymilvus()
    add = library.milvus_client.IndexParams.add_index

    def as_documented(own: Any, field: str, *, params: Any, **rest: Any) -> None:
        add(own, field, params=params["params"], **rest)

    assert dict(built(place, rows=SMALL, M=4).collection.parameters) == {"M": 4, "efConstruction": 200}
    monkeypatch.setattr(library.milvus_client.IndexParams, "add_index", as_documented)
    with pytest.raises(
        EngineFailed, match=r"was told HNSW L2 \{'M': 4, 'efConstruction': 200\} and holds HNSW L2 \{\}"
    ):
        built(Place(place.folder / "other"), rows=SMALL, M=4)


def test_describe_index_counts_rows_that_no_index_covers(place: Place) -> None:
    index = built(place, rows=SMALL)
    index.update([1, 2, 3], Q[:3])
    said = index.client.describe_index("vectors", "vector")
    assert (said["indexed_rows"], said["pending_index_rows"], said["state"]) == (500, 0, "Finished")
    assert index.client.get_collection_stats("vectors")["row_count"] == 500
    more = [{"id": 500 + i, "vector": row} for i, row in enumerate(X[500:800])]
    index.client.insert("vectors", more)
    assert index.client.describe_index("vectors", "vector")["indexed_rows"] == 800
    state = index.state()
    assert (state.rows, state.indexed_rows, state.path) == (800, 500, "index")
    assert "Milvus Lite says so of any index" in state.told
    index.close()


def test_rows_that_were_never_flushed_are_scanned(place: Place) -> None:
    place.folder.mkdir()
    client, types = connected(Address(str(place.folder / "x.db"))), pymilvus().DataType
    schema = client.create_schema()
    schema.add_field("id", types.INT64, is_primary=True)
    schema.add_field("vector", types.FLOAT_VECTOR, dim=DIMENSIONS)
    client.create_collection("unflushed", schema=schema)
    client.insert("unflushed", [{"id": i, "vector": row} for i, row in enumerate(SMALL)])
    wanted = client.prepare_index_params()
    wanted.add_index("vector", index_type="HNSW", metric_type="L2", params={"params": {"M": 2, "efConstruction": 1}})
    client.create_index("unflushed", wanted)
    client.load_collection("unflushed")
    held = collections.collection_in(client, "unflushed", None)
    index = MilvusIndex(client, Address(str(place.folder / "x.db")), held, np.dtype(np.float32))
    index.configure({"ef": 1})
    assert client.describe_index("unflushed", "vector")["indexed_rows"] == 500
    assert (index.state().indexed_rows, index.state().path, index.state().exhaustive) == (0, "full scan", True)
    assert asked(index) == nearest(SMALL, Q, "l2")
    index.close()


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("DISKANN", "unknown index_type: 'DISKANN'"),
        ("SCANN", "unknown index_type: 'SCANN'"),
        ("IVF_PQ", "is reserved for"),
    ],
)
def test_kinds_that_it_does_not_have_are_refused_in_its_own_words(kind: str, words: str, place: Place) -> None:
    with pytest.raises(InputError, match=words) as caught:
        built(place, rows=SMALL, index_type=kind)
    assert "\n" not in str(caught.value)


def test_settings_that_milvus_takes_and_does_not_heed_are_refused(place: Place) -> None:
    index = built(place, rows=SMALL)
    for taken in ({"eff": 1}, {"ef": -1}):
        index.client.search("vectors", data=Q[:1], limit=3, search_params={"params": taken})
    with pytest.raises(UnknownName, match="did you mean ef"):
        index.configure({"eff": 1})
    with pytest.raises(InputError, match="ef is 0"):
        index.configure({"ef": 0})
    index.close()
    with pytest.raises(InputError, match="M is 0"):
        engine.search_settings({"M": 0}, distance="l2", dimensions=DIMENSIONS)
    with pytest.raises(InputError, match="M means nothing to IVF_FLAT"):
        engine.search_settings({"index_type": "IVF_FLAT", "M": 8}, distance="l2", dimensions=DIMENSIONS)


def test_few_candidates_for_many_neighbours_give_short_answers(place: Place) -> None:
    index = built(place)
    index.configure({"ef": 1})
    lengths = {len(answer) for answer in asked(index, k=50)}
    assert min(lengths) < 50
    index.close()


def test_an_answer_brings_no_vectors(place: Place) -> None:
    """Which Milvus Lite sends along where nobody says what it shall send."""
    index = built(place, rows=SMALL)
    assert "vector" in index.client.search("vectors", data=Q[:1], limit=1)[0][0]["entity"]
    search = index.client.search
    index.client.search = lambda *args, **named: [
        hits for hits in search(*args, **named) if "vector" not in hits[0]["entity"]
    ]
    assert len(index.search(Q[:1], 3)) == 3
    index.close()


def test_deletes_and_updates_show(place: Place) -> None:
    index = built(place, index_type="FLAT")
    truth = nearest(X, Q[:1], "l2", K + 3)[0]
    index.delete(truth[:3])
    assert asked(index, Q[:1])[0] == truth[3:]
    index.update([truth[-1]], Q[:1])
    assert asked(index, Q[:1])[0] == [truth[-1], *truth[3:-1]]
    index.close()


def test_it_is_quiet_and_leaves_the_environment_alone(
    place: Place, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    index = built(place, rows=SMALL, index_type="IVF_FLAT")
    with pytest.raises(InputError):
        built(Place(tmp_path / "b"), rows=SMALL, index_type="SCANN")
    index.close()
    assert capfd.readouterr() == ("", "")
    (tmp_path / ".env").write_text("MILVUS_URI=http://elsewhere:1\n")
    script = (
        "from truerecall.engines._milvus_client import os, pymilvus; pymilvus(); print(os.environ.get('MILVUS_URI'))"
    )
    out = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert out.stdout == "None\n"


def test_closing_lets_go_of_the_server_behind_the_file(tmp_path: Path) -> None:
    from milvus_lite import server_manager_instance

    one, other = built(Place(tmp_path / "a"), rows=SMALL), built(Place(tmp_path / "b"), rows=X[:100])
    assert [one.state().rows, other.state().rows] == [500, 100]
    one.client.close()
    assert str(tmp_path / "a" / "milvus.db") in server_manager_instance._servers
    one.close()
    assert str(tmp_path / "a" / "milvus.db") not in server_manager_instance._servers
    other.close()


@pytest.mark.parametrize("ids", [[-5, 2**53 + 1, 2**63 - 1], ["", "0x", "ä"]])
def test_a_file_is_attached_to_by_a_copy(ids: list[Any], place: Place, tmp_path: Path, monkeypatch: Any) -> None:
    file = tmp_path / "theirs.db"
    foreign(str(file), "theirs", ids, X[:3])
    before = {part: part.read_bytes() for part in file.rglob("*") if part.is_file()}
    monkeypatch.setenv("MILVUS_URI", str(file))
    index = engine.attach("theirs?vector=v", "cosine", place=place)
    assert [list(index.search(X[i : i + 1], 1)) for i in range(3)] == [[id_] for id_ in ids]
    assert (index.answers, index.state().indexed_rows, dict(index.collection.parameters)) == ("ids", 3, {"M": 8})
    with pytest.raises(Incapable):
        index.delete(ids)
    with pytest.raises(Incapable):
        index.save(tmp_path / "x")
    index.close()
    assert {part: part.read_bytes() for part in file.rglob("*") if part.is_file()} == before
    for name, distance, words in (
        ("theirs", "l2", "is made for COSINE, not L2"),
        ("their", "cosine", "has no collection their; there are: theirs"),
        ("theirs?vector=w", "cosine", "has 0 fields of float vectors"),
    ):
        with pytest.raises(InputError, match=words):
            engine.attach(name, distance, place=place)


def test_a_corpus_is_streamed_from_where_it_lives(server: str, place: Place, monkeypatch: Any) -> None:
    order = np.random.default_rng(4).permutation(ROWS)
    ids = (order + 2**60).tolist()
    foreign(server, "streamed", ids, X)
    monkeypatch.setenv("MILVUS_URI", server)
    corpus = engine.source("streamed", place=place)
    source, by_id = corpus.source, X[np.argsort(order)]
    assert corpus.ids.tolist() == sorted(ids)
    assert corpus.moving == "Milvus gives what is there at each request"
    truth = build_truth(corpus, QuerySet(X[:2]), "l2", 3)
    assert truth.provenance[MOVING] == corpus.moving
    assert (source.rows, source.dimensions, source.dtype.name) == (ROWS, DIMENSIONS, "float32")
    for start in (0, 1234):
        read = np.concatenate([block.copy() for _, block in source.blocks(700, start)])
        assert (read == by_id[start:]).all()
    assert (source.take(np.array([7, 3, 7])) == by_id[[7, 3, 7]]).all()
    connected(Address(server)).delete("streamed", ids=[ids[0]])
    with pytest.raises(EngineFailed, match="came or went while it was read"):
        list(source.blocks(700))


def test_string_ids_are_streamed_too(server: str, place: Place, monkeypatch: Any) -> None:
    ids = ['q"uote', "back\\slash", "ä", "z", "1"]
    foreign(server, "texts", ids, X[:5])
    monkeypatch.setenv("MILVUS_URI", server)
    corpus = engine.source("texts", place=place)
    assert corpus.ids.tolist() == sorted(ids)
    rows = [ids.index(id_) for id_ in corpus.ids.tolist()]
    for start in range(5):
        assert (np.concatenate([b.copy() for _, b in corpus.source.blocks(2, start)]) == X[rows[start:]]).all()
    assert (corpus.source.take(np.arange(5)) == X[rows]).all()


def test_over_grpc_nothing_is_claimed_of_the_index(server: str, tmp_path: Path) -> None:
    dsn = tmp_path / "dsn"
    dsn.write_text(f"{server}\n")
    place = Place(tmp_path / "grpc.place", dsn)
    index = built(place)
    name = index.collection.name
    assert name.startswith("truerecall_")
    assert index.server.startswith("Milvus ")
    index.configure({"ef": 400})
    assert recall(asked(index), nearest(X, Q, "l2")) > 0.95
    state = index.state()
    assert (state.rows, state.indexed_rows, state.path, state.size_bytes) == (ROWS, None, None, None)
    alone = asked(index)
    with ThreadPoolExecutor(4) as clients:
        found = list(clients.map(lambda i: list(index.search(Q[i % len(Q) :][:1], K)), range(80)))
    assert all(answer == alone[i % len(Q)] for i, answer in enumerate(found))
    index.save(tmp_path / "saved")
    assert (tmp_path / "saved").read_text() == f'{{"collection": "{name}"}}'
    index.close()
    loaded = engine.load(tmp_path / "saved", ArraySource(X), "l2", {}, threads=1, place=place)
    loaded.configure({"ef": 400})
    assert asked(loaded) == alone
    attached = engine.attach(name, "l2", place=place)
    attached.configure({"ef": 400})
    assert asked(attached) == alone
    with pytest.raises(InputError, match="holds other vectors than"):
        engine.load(tmp_path / "saved", ArraySource(X[:5]), "l2", {}, threads=1, place=place)


def test_a_collection_that_is_not_loaded_is_left_as_it_is(server: str, place: Place, monkeypatch: Any) -> None:
    foreign(server, "released", [1, 2, 3], X[:3])
    connected(Address(server)).release_collection("released")
    monkeypatch.setenv("MILVUS_URI", server)
    with pytest.raises(InputError, match="released is not loaded"):
        engine.attach("released", "cosine", place=place)
    foreign(server, "bare", [1, 2, 3], X[:3], index="")
    with pytest.raises(InputError, match=r"bare\.v has no index"):
        engine.attach("bare", "cosine", place=place)


def test_a_killed_server_fails_each_query_and_does_not_hang(tmp_path: Path) -> None:
    with running(tmp_path / "server") as (uri, process):
        dsn = tmp_path / "dsn"
        dsn.write_text(uri)
        index = built(Place(tmp_path / "killed", dsn), rows=SMALL)
        assert len(index.search(Q[:1], K)) == K
        process.kill()
        process.wait()
        begun = time.monotonic()
        for _ in range(3):
            with pytest.raises(pymilvus().exceptions.MilvusException):
                index.search(Q[:1], K)
        assert time.monotonic() - begun < 20


def test_credentials_are_not_shown(tmp_path: Path, monkeypatch: Any) -> None:
    dsn = tmp_path / "dsn"
    dsn.write_text("http://user:s3cret@127.0.0.1:1")
    monkeypatch.setattr("truerecall.engines._milvus_client.CONNECT_TIMEOUT_S", 1)
    with pytest.raises(EngineFailed, match=r"cannot be reached at http://127\.0\.0\.1:1") as caught:
        engine.attach("x", "l2", place=Place(tmp_path, dsn))
    assert "s3cret" not in str(caught.value)
    assert "s3cret" not in repr(Address("http://x", "user:s3cret"))
    for text, words in (("", "holds no address"), ("s3cret", "neither a URI nor a file")):
        dsn.write_text(text)
        with pytest.raises(InputError, match=words) as refused:
            engine.attach("x", "l2", place=Place(tmp_path, dsn))
        assert "s3cret" not in str(refused.value)
    with pytest.raises(InputError, match="nothing says where Milvus is"):
        engine.attach("x", "l2", place=Place(tmp_path))
    assert "MILVUS_URI" not in os.environ
