"""Any function as an engine: by its name from the command line, or lent from this process."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import truerecall
from tests.engines import flat_function
from tests.engines.test_contract import NOWHERE, K, Q, X, nearest
from truerecall import shelf
from truerecall.cli.main import main
from truerecall.engines.callable import engine
from truerecall.errors import InputError, UnknownName
from truerecall.model.attributes import Attributes, Column
from truerecall.model.distance import distance_named
from truerecall.model.source import ArraySource
from truerecall.steps.identify import identify
from truerecall.store.filter_text import parse_filter

HERE = "tests.engines.flat_function"


def test_a_function_by_its_name_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "base.npy", X)
    np.save(tmp_path / "queries.npy", Q)
    files = ["--corpus", str(tmp_path / "base.npy"), "--queries", str(tmp_path / "queries.npy")]
    flags = ["--distance", "l2", "-k", "10", "--repeats", "1", "--warmup", "0", "--json"]
    own = ["--engine", "callable", "--set", f"function={HERE}:search", "--vary", "kept=600,1200"]
    assert main(["run", *own, *files, *flags, "--out", str(tmp_path / "runs")]) == 0
    points = json.loads(capsys.readouterr().out)["points"]
    assert [point["settings"] for point in points] == [{"kept": 600}, {"kept": 1200}]
    recalls = [next(s["mean"] for s in point["scores"] if s["measure"] == "recall@10") for point in points]
    assert 0.3 < recalls[0] < 0.7
    assert recalls[1] == 1


def test_a_function_of_this_process_is_lent(tmp_path: Path) -> None:
    seen = []

    def search(queries: np.ndarray, k: int, probes: int = 2) -> list[list[int]]:
        seen.append((len(queries), probes))
        return nearest(X, queries, "l2", k)

    corpus, queries = truerecall.Corpus(ArraySource(X)), truerecall.QuerySet(Q)
    sides = identify(corpus, queries, distance_named("l2"))
    plan = truerecall.Plan((truerecall.EnginePlan("mine", {"probes": 7}),), "l2", K, repeats=1, warmup_calls=0)
    with shelf.engines.lend("mine", truerecall.callable_engine(search, name="mine")):
        (run,) = truerecall.run(
            plan,
            corpus,
            queries,
            tmp_path / "runs",
            corpus_fingerprint=sides.corpus.fingerprint,
            query_fingerprint=sides.queries.fingerprint,
            isolation="none",
        )
    assert {probes for _, probes in seen} == {7}
    assert run.setup.in_force == {"probes": 7}
    assert run.neighbors.ids.reshape(-1, K).tolist() == nearest(X, Q, "l2")


def test_padding_is_taken_off_and_ids_stay_ids() -> None:
    named = {"function": f"{HERE}:named", "names": "ids"}
    for build, due in (({"function": f"{HERE}:padded"}, [0, 1, 2]), (named, [f"row {i}" for i in range(5)])):
        index = engine.build(ArraySource(X), "l2", build, seed=0, threads=1, place=NOWHERE)
        assert [list(own) for own in index.search_batch(Q[:2], 5)] == [due, due]
        assert index.answers == build.get("names", "rows")


def test_a_filter_is_told_as_text_and_a_function_that_cannot_be_told_is_refused(tmp_path: Path) -> None:
    told: list[str | None] = []

    def search(queries: np.ndarray, k: int, where: str | None = None) -> list[list[int]]:
        told.append(where)
        return [list(range(k))] * len(queries)

    held = Attributes({"price": Column(np.arange(len(X)), np.zeros(len(X), np.bool_))})
    own = truerecall.callable_engine(search)
    index = own.build(ArraySource(X), "l2", {}, seed=0, threads=1, place=NOWHERE, attributes=held)
    index.save(tmp_path / "an.index")
    loaded = own.load(tmp_path / "an.index", ArraySource(X), "l2", {}, threads=1, place=NOWHERE, attributes=held)
    for one in (index, loaded):
        assert one.searchable == ()
        one.search(Q[:1], 3)
        one.restrict(parse_filter("NOT price >= 5 OR price = 7"))
        one.search_batch(Q, 3)
        one.restrict(None)
        one.search(Q[:1], 3)
    assert told == [None, "price < 5 OR price = 7", None] * 2
    with pytest.raises(InputError, match="the function has no parameter where, by which it could be told a filter"):
        engine.build(
            ArraySource(X), "l2", {"function": f"{HERE}:search"}, seed=0, threads=1, place=NOWHERE, attributes=held
        )


@pytest.mark.parametrize(
    ("build", "words"),
    [
        ({"function": "nowhere.at.all:search"}, "there is no function nowhere.at.all:search"),
        ({"function": f"{HERE}:serch"}, "there is no function"),
        ({"function": HERE}, "no function"),
        ({"function": f"{HERE}:np"}, "is no function"),
        ({"function": f"{HERE}:without_default"}, "the parameter probes of the function has no default"),
        ({"function": f"{HERE}:search", "names": "row"}, "unknown names row; did you mean rows"),
        ({}, "function"),
    ],
)
def test_what_is_no_such_function(build: dict[str, str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        engine.search_settings(build, distance="l2", dimensions=4)


def test_an_unknown_parameter_is_refused() -> None:
    index = truerecall.callable_engine(flat_function.search).build(
        ArraySource(X), "l2", {}, seed=0, threads=1, place=NOWHERE
    )
    with pytest.raises(UnknownName, match="did you mean kept"):
        index.configure({"keept": 3})
