"""The engine for Qdrant servers against a stub: what it asks, what it believes, and what it refuses."""

from __future__ import annotations

import os
import uuid
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from qdrant_client import QdrantClient, models

from tests.engines.brute import answers, exact_answers, nearest
from tests.engines.qdrant_grpc_stub import over_grpc
from tests.engines.qdrant_stub import Stub, running_stub
from truerecall import shelf
from truerecall.engines import _qdrant_collection
from truerecall.engines._qdrant_server import refuse_local
from truerecall.engines._qdrant_words import QUANTIZATIONS
from truerecall.engines.qdrant import engine
from truerecall.errors import EngineFailed, Incapable, InputError, UnknownName
from truerecall.model.engine import Index, Place, Value
from truerecall.model.filter import Compared, Filter, Missing
from truerecall.model.source import ArraySource

ROWS, DIMENSIONS = 600, 16
X = np.random.default_rng(1).normal(size=(ROWS, DIMENSIONS)).astype(np.float32)
Q = np.random.default_rng(2).normal(size=(5, DIMENSIONS)).astype(np.float32)
NOWHERE = Place(Path("nowhere"))
EUCLID = {"size": DIMENSIONS, "distance": "Euclid"}
LOW = {"full_scan_threshold": 10}


@pytest.fixture(params=["REST", "gRPC"])
def stub(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    """One that is asked in one of the two ways alone."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("QDRANT_API_KEY", raising=False)
    with running_stub() as running, over_grpc(running) as port:
        if request.param == "gRPC":
            running.url = "http://127.0.0.1:1"
            monkeypatch.setenv("QDRANT_GRPC_PORT", str(port))
        else:
            monkeypatch.delenv("QDRANT_GRPC_PORT", raising=False)
        monkeypatch.setenv("QDRANT_URL", running.url)
        yield running


def built(distance: str = "l2", rows: Any = X, **settings: Any) -> Index:
    return engine.build(ArraySource(rows), distance, settings, seed=0, threads=1, place=NOWHERE)


def test_it_stands_on_its_shelf_as_tested_against_a_stub() -> None:
    assert shelf.engines.get("qdrant") is engine
    assert engine.version() == "1.20.0"
    assert (engine.extra, engine.tested) == ("qdrant", "stub")


@pytest.mark.parametrize("distance", ["l2", "ip", "cosine", "l1"])
def test_it_builds_and_asks(distance: str, stub: Stub) -> None:
    before = X.copy()
    index = built(distance)
    truth = nearest(X, Q, distance)
    assert answers(index, Q) == exact_answers(index, Q) == truth
    assert [list(found) for found in index.search_batch(index.prepare(Q), 10)] == truth
    assert (before == X).all()
    state = index.state()
    assert (state.kind, state.rows, state.indexed_rows, state.path) == ("HNSW", ROWS, ROWS, "index")
    assert state.transform == ("normalised by Qdrant" if distance == "cosine" else "none")
    assert (state.exact_by_design, state.exhaustive) == (False, False)
    assert [len(found) for found in answers(index, Q, ROWS + 5)] == [ROWS] * len(Q)
    index.close()
    assert stub.collections == {}  # it was not saved


def test_settings_reach_the_server(stub: Stub) -> None:
    index = built(quantization="scalar", m=8, ef_construct=50, indexing_threshold=7)
    (created,) = [body for method, path, body in stub.asked if method == "PUT" and path.count("/") == 2]
    assert created["hnsw_config"]["m"] == 8
    assert created["optimizers_config"]["indexing_threshold"] == 7
    assert created["quantization_config"] == {"scalar": {"type": "int8"}}
    asked: dict[str, Value] = {
        "hnsw_ef": 77,
        "indexed_only": "yes",
        "rescore": "yes",
        "oversampling": 3.0,
        "ignore": "no",
    }
    assert index.configure(asked) == asked
    index.search(index.prepare(Q[:1]), 4)
    body = stub.bodies("points/query")[-1]
    assert body["params"]["hnsw_ef"] == 77
    assert body["params"]["quantization"] == {"ignore": False, "rescore": True, "oversampling": 3.0}
    assert (body["params"]["exact"], body["params"]["indexed_only"], body["limit"]) == (False, True, 4)
    assert body["with_payload"] is False
    index.exact(index.prepare(Q[:1]), 4)
    assert stub.bodies("points/query")[-1]["params"]["exact"] is True
    assert index.configure({})["hnsw_ef"] == 50
    index.close()


@pytest.mark.parametrize("quantization", QUANTIZATIONS)
def test_every_quantisation_is_told_and_read_back(quantization: str, stub: Stub) -> None:
    index = built(quantization=quantization, rows=X[:20])
    codes = "" if quantization == "none" else f", {quantization}"
    assert index.state().kind == f"HNSW{codes}"
    index.close()


def test_settings_that_the_server_did_not_take_over_are_told(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = stub.answer

    def forgetful(method: str, path: str, body: Any) -> tuple[int, Any]:
        if method == "PUT" and "hnsw_config" in (body or {}):
            body["hnsw_config"]["ef_construct"] = 64
        return answer(method, path, body)

    monkeypatch.setattr(stub, "answer", forgetful)
    with pytest.raises(EngineFailed, match="ef_construct is 64 on the server and 100 was asked for"):
        built()


def test_it_waits_until_the_server_is_done(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_qdrant_collection, "PAUSE_S", 0.01)
    looks: list[str] = []
    answer = stub.answer

    def slow(method: str, path: str, body: Any) -> tuple[int, Any]:
        if method == "GET" and path.count("/") == 2:
            (collection,) = stub.collections.values()
            # Green before it has begun, then at work, then done.
            collection.status, collection.indexed = [("green", 0), ("yellow", 0), ("green", None)][min(len(looks), 2)]
            looks.append(collection.status)
        return answer(method, path, body)

    monkeypatch.setattr(stub, "answer", slow)
    index = built()
    assert looks[:3] == ["green", "yellow", "green"]
    assert index.state().indexed_rows == ROWS
    index.close()


def test_a_server_that_fails_to_index_is_told(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = stub.answer

    def failing(method: str, path: str, body: Any) -> tuple[int, Any]:
        for collection in stub.collections.values():
            collection.status = "red"
        return answer(method, path, body)

    monkeypatch.setattr(stub, "answer", failing)
    with pytest.raises(EngineFailed, match="Qdrant could not index: red"):
        built()


def test_green_with_nothing_indexed_is_a_full_scan(stub: Stub) -> None:
    made = stub.add("theirs", range(ROWS), X.tolist(), vectors=EUCLID, hnsw_config=LOW)
    made.indexed = 0
    index = engine.attach("theirs", "l2", place=NOWHERE)
    state = index.state()
    assert (state.kind, state.rows, state.indexed_rows) == ("plain", ROWS, 0)
    assert (state.path, state.exhaustive) == ("full scan", True)
    assert "status green" in state.told
    assert "indexed_vectors_count 0" in state.told
    assert index.vectors_scanned(10) == ROWS
    index.configure({"indexed_only": "yes"})
    assert index.state().exhaustive is False
    index.close()


@pytest.mark.parametrize(
    ("threshold", "segments", "path"), [(37, 1, "index"), (38, 1, "full scan"), (37, 2, None), (18, 2, "index")]
)
def test_below_the_full_scan_threshold_graphs_are_not_used(
    threshold: int, segments: int, path: str | None, stub: Stub
) -> None:
    """600 vectors of 64 bytes are 37.5 KB."""
    graph = {"full_scan_threshold": threshold}
    stub.add("theirs", range(ROWS), X.tolist(), vectors=EUCLID, hnsw_config=graph).segments = segments
    index = engine.attach("theirs", "l2", place=NOWHERE)
    state = index.state()
    assert (state.indexed_rows, state.path) == (ROWS, path)
    assert state.exhaustive == (None if path is None else path == "full scan")
    index.close()


def test_named_vectors_are_counted_together_so_that_their_reach_is_unknown(stub: Stub) -> None:
    vectors = {"a": EUCLID, "b": {"size": 2, "distance": "Dot"}}
    rows = [{"a": row.tolist(), "b": [1.0, 2.0]} for row in X[:50]] + [{"b": [1.0, 2.0]}] * 5
    made = stub.add("theirs", range(55), rows, vectors=vectors, hnsw_config=LOW)
    made.indexed = 105
    index = engine.attach("theirs?vector=a", "l2", place=NOWHERE)
    state = index.state()
    assert (state.rows, state.indexed_rows, state.path, state.exhaustive) == (50, None, None, None)
    assert answers(index, Q) == nearest(X[:50], Q, "l2")
    corpus = engine.source("theirs?vector=a", place=NOWHERE)
    assert corpus.ids.tolist() == list(range(50))
    assert (corpus.source.take(np.array([3, 1])) == X[[3, 1]]).all()
    index.close()
    with pytest.raises(InputError, match=r"theirs has no vector ''; name one as \?vector=NAME; it has: 'a', 'b'"):
        engine.attach("theirs", "l2", place=NOWHERE)


def test_a_collection_is_asked_behind_a_filter_with_the_fields_that_its_points_have(stub: Stub) -> None:
    theirs = stub.add("theirs", range(ROWS), X.tolist(), vectors=EUCLID, hnsw_config=LOW)
    theirs.payloads = {row: {"g": row % 10} for row in range(0, ROWS, 2)}
    index = engine.attach("theirs", "l2", place=NOWHERE)
    kept = [row for row in range(0, ROWS, 2) if row % 10 != 4]
    index.restrict(Filter(Compared("g", "!=", 4)))
    truth = [[kept[place] for place in own] for own in nearest(X[kept], Q, "l2")]
    assert answers(index, Q) == exact_answers(index, Q) == truth
    assert [list(own) for own in index.search_batch(index.prepare(Q), 10)] == truth
    must = {"must": [{"must_not": [{"key": '"g"', "match": {"value": 4}}, {"is_empty": {"key": '"g"'}}]}]}
    assert {str(one["filter"]) for body in stub.bodies("query/batch") for one in body["searches"]} == {str(must)}
    assert index.vectors_scanned(10) is None
    with pytest.raises(InputError, match="no point has the field colour, and colour IS NULL asks for it"):
        index.restrict(Filter(Missing("colour")))
    assert answers(index, Q) == truth
    index.restrict(None)
    assert answers(index, Q) == nearest(X, Q, "l2")
    index.close()


UUIDS = [str(uuid.uuid5(uuid.NAMESPACE_URL, str(i))) for i in range(200)]


@pytest.mark.parametrize("ids", [[2**53 + i for i in range(200)], [2**64 - 1 - i for i in range(200)], UUIDS])
def test_ids_come_back_as_they_are(ids: list[Any], stub: Stub) -> None:
    stub.add("theirs", ids, X[:200].tolist(), vectors=EUCLID, hnsw_config=LOW)
    index = engine.attach("theirs", "l2", place=NOWHERE)
    assert index.answers == "ids"
    assert answers(index, Q) == [[ids[row] for row in found] for found in nearest(X[:200], Q, "l2")]
    corpus = engine.source("theirs", place=NOWHERE)
    assert corpus.moving == "Qdrant gives what is there at each request"
    assert sorted(corpus.ids.tolist()) == sorted(ids)
    order = [ids.index(one) for one in corpus.ids.tolist()]
    blocks = [(start, block.copy()) for start, block in corpus.source.blocks(64, 8)]
    assert [start for start, _ in blocks] == [8, 72, 136]
    assert (np.vstack([block for _, block in blocks]) == X[order][8:]).all()
    stub.collections["theirs"].points.pop(ids[order[5]])
    with pytest.raises(EngineFailed, match="1 points of theirs have gone since their ids were read"):
        corpus.source.take(np.arange(10))
    index.close()


def test_attaching_writes_nothing(stub: Stub) -> None:
    stub.add("theirs", range(ROWS), X.tolist(), vectors=EUCLID, hnsw_config=LOW)
    index = engine.attach("theirs", "l2", place=NOWHERE)
    answers(index, Q)
    index.search_batch(index.prepare(Q), 3)
    index.state()
    with pytest.raises(Incapable):
        index.delete([1])
    with pytest.raises(Incapable):
        index.update([1], Q[:1])
    with pytest.raises(Incapable):
        index.save(Path("x"))
    engine.source("theirs", place=NOWHERE)
    index.close()
    reading = ("exists", "theirs", "points/query", "points/query/batch", "points/count", "points/scroll", "points")
    assert all(path.endswith(reading) and method in ("GET", "POST") for method, path, _ in stub.asked if path != "/")
    assert "theirs" in stub.collections


def test_rows_are_deleted_and_updated(stub: Stub) -> None:
    index = built()
    gone = nearest(X, Q[:1], "l2")[0][:3]
    index.delete(np.array(gone))
    assert not set(answers(index, Q[:1])[0]) & set(gone)
    index.update(np.array([5]), Q[:1])
    assert answers(index, Q[:1])[0][0] == 5
    assert (index.state().rows, index.state().indexed_rows) == (ROWS - 3, None)
    index.close()


def test_a_saved_index_is_found_again(stub: Stub, tmp_path: Path) -> None:
    index = built()
    index.save(tmp_path / "saved")
    index.close()
    index.close()
    loaded = engine.load(tmp_path / "saved", ArraySource(X), "l2", {}, threads=1, place=NOWHERE)
    assert loaded.answers == "rows"
    assert answers(loaded, Q) == nearest(X, Q, "l2")
    loaded.close()
    assert len(stub.collections) == 1
    assert index.server in ("Qdrant 1.17.0-stub over REST", "Qdrant 1.17.0-stub over gRPC")
    with pytest.raises(InputError, match="holds 600 points of 16 dimensions and array 5 of 16"):
        engine.load(tmp_path / "saved", ArraySource(X[:5]), "l2", {}, threads=1, place=NOWHERE)
    with pytest.raises(InputError, match="compares vectors by Euclid and not by ip"):
        engine.load(tmp_path / "saved", ArraySource(X), "ip", {}, threads=1, place=NOWHERE)
    stub.add("theirs", range(5), X[:5].tolist(), vectors=EUCLID)
    for _ in range(2):
        engine.discard(tmp_path / "saved", place=NOWHERE)
        assert list(stub.collections) == ["theirs"]
    with pytest.raises(InputError, match="Qdrant has no collection truerecall_"):
        engine.load(tmp_path / "saved", ArraySource(X), "l2", {}, threads=1, place=NOWHERE)
    (tmp_path / "other").write_text('{"collection": 5}')
    with pytest.raises(InputError, match="names no collection of Qdrant"):
        engine.load(tmp_path / "other", ArraySource(X), "l2", {}, threads=1, place=NOWHERE)
    (tmp_path / "other").write_text('{"engine": "qdrant", "collection": "theirs"}')
    with pytest.raises(InputError, match="names no collection of Qdrant"):
        engine.discard(tmp_path / "other", place=NOWHERE)


def test_the_local_mode_of_the_client_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QDRANT_URL", ":memory:")
    with pytest.raises(InputError, match="local mode of qdrant-client searches exactly and has no index"):
        engine.attach("theirs", "l2", place=NOWHERE)
    client = QdrantClient(":memory:")
    client.create_collection("theirs", vectors_config=models.VectorParams.model_validate(EUCLID))
    client.upsert("theirs", models.Batch(ids=list(range(20)), vectors=X[:20].tolist()))
    said = client.get_collection("theirs")
    assert (said.status.value, said.indexed_vectors_count, said.points_count) == ("green", 0, 20)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        client.query_points("theirs", query=Q[0].tolist(), search_params=models.SearchParams(hnsw_ef=4))
    assert "Local mode performs exact (brute-force) search" in str(warned[0].message)
    with pytest.raises(InputError, match="measure a server, or qdrant_edge"):
        refuse_local(client)


@pytest.mark.parametrize("port", ["", "1"])
def test_a_server_that_is_not_there(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("QDRANT_GRPC_PORT", port)
    monkeypatch.delenv("QDRANT_URL", raising=False)
    with pytest.raises(InputError, match="QDRANT_URL is not set"):
        engine.attach("theirs", "l2", place=NOWHERE)
    monkeypatch.setenv("QDRANT_URL", "http://127.0.0.1:1")
    with pytest.raises(EngineFailed, match="Qdrant cannot be reached") as caught:
        engine.attach("theirs", "l2", place=NOWHERE)
    assert "127.0.0.1" not in str(caught.value)


@pytest.mark.parametrize("port", ["x", "0", "65536", "-1", "6334.0", "٣"])
def test_a_port_that_is_none(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QDRANT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("QDRANT_GRPC_PORT", port)
    with pytest.raises(InputError, match="QDRANT_GRPC_PORT holds no port; write a whole number up to 65535"):
        engine.attach("theirs", "l2", place=NOWHERE)


@pytest.mark.parametrize("by_grpc", [False, True])
def test_a_server_that_goes_while_it_is_asked(by_grpc: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with running_stub() as stub, over_grpc(stub) as port:
        monkeypatch.setenv("QDRANT_URL", stub.url)
        monkeypatch.setenv("QDRANT_GRPC_PORT", str(port) if by_grpc else "")
        stub.add("theirs", range(ROWS), X.tolist(), vectors=EUCLID, hnsw_config=LOW)
        index = engine.attach("theirs", "l2", place=NOWHERE)
    with pytest.raises(EngineFailed, match="Qdrant cannot be reached"):
        index.search(index.prepare(Q[:1]), 3)
    index.close()


def test_keys_come_from_a_file_or_the_environment_and_are_never_shown(
    stub: Stub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    secret = "s3cret-key"
    file = tmp_path / "qdrant"
    port = os.environ.get("QDRANT_GRPC_PORT", "")
    file.write_text(f"QDRANT_URL={stub.url}\nQDRANT_GRPC_PORT={port}\nQDRANT_API_KEY={secret}\n")
    monkeypatch.setenv("QDRANT_GRPC_PORT", "1")
    monkeypatch.setenv("QDRANT_URL", "http://127.0.0.1:1")
    place = Place(tmp_path, file)
    stub.add("theirs", range(ROWS), X.tolist(), vectors=EUCLID, hnsw_config=LOW)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        engine.attach("theirs", "l2", place=place).close()
    assert stub.keys == {secret}
    unknown, broken = ("UNAUTHENTICATED", "INTERNAL") if port else (401, 500)
    refusals = {401: f"Qdrant refuses: {unknown} no", 403: "set QDRANT_API_KEY", 500: f"Qdrant refuses: {broken} no"}
    for stub.refusing, words in refusals.items():
        with pytest.raises(EngineFailed, match=words) as caught:
            engine.attach("theirs", "l2", place=place)
        assert secret not in str(caught.value)
    file.write_text(f"QDRANT_URL {stub.url}\n{secret}\n")
    with pytest.raises(InputError, match="holds a line that is none of") as refused:
        engine.attach("theirs", "l2", place=place)
    assert secret not in str(refused.value)


@pytest.mark.parametrize(
    ("vectors", "name", "distance", "words"),
    [
        (EUCLID, "others", "l2", "Qdrant has no collection others"),
        (EUCLID, "theirs?vectr=a", "l2", "unknown option vectr; did you mean vector?"),
        (EUCLID, "theirs", "cosine", "theirs compares vectors by Euclid and not by cosine"),
        ({**EUCLID, "multivector_config": {"comparator": "max_sim"}}, "theirs", "l2", "has several vectors in each"),
    ],
)
def test_what_cannot_be_attached_to_is_refused(vectors: Any, name: str, distance: str, words: str, stub: Stub) -> None:
    stub.add("theirs", [], [], vectors=vectors)
    with pytest.raises(InputError) as caught:
        engine.attach(name, distance, place=NOWHERE)
    assert words in str(caught.value)


def test_unknown_settings_are_refused_with_a_suggestion(stub: Stub) -> None:
    stub.add("theirs", range(ROWS), X.tolist(), vectors=EUCLID, hnsw_config=LOW)
    index = engine.attach("theirs", "l2", place=NOWHERE)
    with pytest.raises(UnknownName, match="did you mean hnsw_ef"):
        index.configure({"hnsw_eff": 4})
    with pytest.raises(UnknownName, match="did you mean ef_construct"):
        engine.search_settings({"efconstruct": 4}, distance="l2", dimensions=16)
    index.close()
