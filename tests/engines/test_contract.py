"""Every law of an engine, asked of each on the shelf by discovery, and of several indexes where it has several."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.engines.laid import way_to_lay_out
from tests.engines.qdrant_grpc_stub import over_grpc
from tests.engines.qdrant_stub import running_stub
from truerecall import shelf
from truerecall.model.engine import Place, Settings
from truerecall.testing import LAWS, check_law
from truerecall.testing.subject import DIMENSIONS, ROWS, K, Q, Reused, Subject, X, answers, nearest, recall

__all__ = ["DIMENSIONS", "NOWHERE", "ROWS", "K", "Q", "Reused", "X", "answers", "nearest", "recall"]
NOWHERE = Place(Path("nowhere"))
BUILDS: dict[str, list[Settings]] = {
    "callable": [{"function": "tests.engines.flat_function:search"}],
    "faiss": [{"factory": name} for name in ("Flat", "HNSW16", "IVF8,Flat", "IDMap,Flat", "IVF8,PQ4x4,RFlat")],
    "lancedb": [{"index_type": kind, "num_partitions": 4} for kind in ("IVF_FLAT", "IVF_HNSW_SQ")],
    "pgvector": [{}, {"index": "ivfflat", "lists": 8}],
    "scann": [{}, {"num_leaves": 32}],
}
"""What is built of an engine that has several kinds of index; of all others one with its defaults."""
EXCEPTED = {
    ("qdrant", "effort_is_spent"): "the stub scans every row, whatever it is told",
    ("scann-32", "a_batch_answers_as_single_queries_do"): "ScaNN chooses partitions less well in a batch",
}
"""Laws that do not hold for every build of an engine, with the reason."""
MOST: dict[str, Settings] = {"lancedb": {"ef": 2400, "refine_factor": 40}}
"""The greatest effort where not every setting can be at its maximum: LanceDB wants ef to be k times refine_factor."""
WAYS = {"qdrant": ["over REST", "over gRPC"]}
"""How an engine is reached, where there are several ways."""
CASES = [
    (name, build, way)
    for name in shelf.engines.names()
    for build in BUILDS.get(name, [{}])
    for way in WAYS.get(name, [""])
]


def called(name: str, build: Settings) -> str:
    return "-".join(map(str, (name, *build.values())))


def told(case: tuple[str, Settings, str]) -> str:
    name, build, way = case
    return f"{called(name, build)} {way}".strip()


@pytest.fixture(scope="module", params=CASES, ids=told)
def subject(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Subject]:
    name, build, way = request.param
    with ExitStack() as stack:
        _reached(name, way, request, stack)
        engine = shelf.engines.get(name)
        known = {own.name for own in engine.search_settings(build, distance="l2", dimensions=DIMENSIONS)}
        most = {setting: value for setting, value in MOST.get(name, {}).items() if setting in known}
        yield stack.enter_context(Subject(engine, tmp_path_factory.mktemp(name), build, most))


def _reached(name: str, way: str, request: pytest.FixtureRequest, stack: ExitStack) -> None:
    """The server of an engine that needs one."""
    patch = stack.enter_context(pytest.MonkeyPatch.context())
    if name == "pgvector":
        server = request.getfixturevalue("postgres_server")
        database = stack.enter_context(server.database("of the laws"))
        for variable, value in server.environment(database).items():
            patch.setenv(variable, value)
    elif name == "qdrant":
        patch.setenv("NO_PROXY", "127.0.0.1")
        stub = stack.enter_context(running_stub())
        patch.setenv("QDRANT_URL", stub.url)
        patch.setenv("QDRANT_GRPC_PORT", str(stack.enter_context(over_grpc(stub))) if way == "over gRPC" else "")


@pytest.mark.parametrize("law", LAWS)
def test_law(subject: Subject, law: str) -> None:
    name = subject.engine.name
    with pytest.MonkeyPatch.context() as patch:
        subject.lay_out = way_to_lay_out(name, subject.folder, patch)
        check_law(subject, law, EXCEPTED.get((called(name, subject.build), law), ""))
