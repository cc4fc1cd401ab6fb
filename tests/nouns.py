"""Small nouns to judge: truths, runs and answers written as plain lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from truerecall.model.answers import Answers, Grades
from truerecall.model.arrays import Ids, texts
from truerecall.model.cut import NOTHING
from truerecall.model.engine import IndexState, Settings
from truerecall.model.ids import as_ids
from truerecall.model.neighbors import Neighbors, offsets_of
from truerecall.model.run import Build, Run, Setup
from truerecall.model.trials import Trials
from truerecall.model.truth import PROVED, GroundTruth
from truerecall.model.vectors import Fingerprint

Lists = Sequence[Sequence[Any]]
CORPUS = Fingerprint("c" * 32, 1000, 8, "float32", "row")


def queries_print(n: int) -> Fingerprint:
    return Fingerprint("d" * 32, n, 8, "float32", "row")


def neighbors_of(lists: Lists, dtype: Any = np.int64) -> Neighbors:
    flat = [value for row in lists for value in row]
    ids = (
        as_ids(np.array(flat, dtype=object if dtype is str else dtype), what="a test")
        if flat
        else as_ids(np.array([], dtype=object if dtype is str else dtype), what="a test")
    )
    distances = np.array([float(place) for row in lists for place in range(len(row))])
    return Neighbors(ids, distances, offsets_of(np.array([len(row) for row in lists], np.int64)))


def ids_of(values: Sequence[Any] | None, n: int) -> Ids:
    return as_ids(np.arange(n) if values is None else np.array(values), what="a test")


def truth_of(
    lists: Lists,
    *,
    k: int | None = None,
    eligible: Sequence[int] | None = None,
    copies: Sequence[int] | None = None,
    query_ids: Sequence[Any] | None = None,
    distance: str = "l2",
    corpus: Fingerprint = CORPUS,
    queries: Fingerprint | None = None,
    dtype: Any = np.int64,
    corpus_ids: str = "",
    query_kind: str = "",
) -> GroundTruth:
    n = len(lists)
    ones = np.ones(n, np.int64)
    return GroundTruth(
        distance=distance,
        k=max((len(row) for row in lists), default=1) if k is None else k,
        state=PROVED,
        corpus=replace(corpus, ids=corpus_ids or corpus.ids),
        queries=queries or replace(queries_print(n), ids=query_kind or "row"),
        query_ids=ids_of(query_ids, n),
        neighbors=neighbors_of(lists, dtype),
        eligible=1000 * ones if eligible is None else np.array(eligible, np.int64),
        nearer=0 * ones,
        tied=ones,
        copies=0 * ones if copies is None else np.array(copies, np.int64),
    )


def run_of(
    lists: Lists,
    *,
    k: int,
    query_ids: Sequence[Any] | None = None,
    failures: Sequence[str] | None = None,
    latency_s: Sequence[float] | None = None,
    cost: Mapping[str, int] | None = None,
    in_force: Settings | None = None,
    build_id: str = "b1",
    exact: bool = False,
    distance: str = "l2",
    queries: Fingerprint | None = None,
    dtype: Any = np.int64,
    state: IndexState | None = None,
    environment: Mapping[str, Any] | None = None,
    harness_s: float = 1e-7,
    call: Sequence[int] | None = None,
    trials: Trials | None = None,
    **setup_changes: Any,
) -> Run:
    """``setup_changes``: fields of the Setup, as ``mode``, ``repeat``, ``asked``, ``effort`` or ``warmup_calls``."""
    n = len(lists)
    own = state or IndexState("IndexFlatL2" if exact else "IndexHNSWFlat", 1000, 1000, True, "none", None, exact)
    build = Build(build_id, {"factory": "Flat" if exact else "HNSW32"}, 0, 1, 1.0, own)
    force = in_force or {"efSearch": 16}
    setup = Setup("faiss", "1", distance, k, CORPUS, queries or queries_print(n), build, force, force, 100, own)
    setup = replace(setup, **setup_changes)
    seconds = np.array([0.001] * n if latency_s is None else latency_s, np.float64)
    return Run(
        setup=setup,
        query_ids=ids_of(query_ids, n),
        neighbors=neighbors_of(lists, dtype),
        latency_s=seconds,
        failures=texts([""] * n if failures is None else list(failures)),
        cost=cost or {},
        environment=environment or {},
        call=np.arange(n) if call is None else np.array(call, np.int64),
        wall_s=float(seconds.sum()),
        harness_s=harness_s,
        trials=trials,
    )


def padded(lists: Lists) -> Any:
    width = max((len(row) for row in lists), default=0)
    return np.array([[*row, *[NOTHING] * (width - len(row))] for row in lists], np.int64).reshape(len(lists), width)


def answers_of(
    truth: Lists,
    found: Lists,
    *,
    truth_distances: Lists | None = None,
    found_distances: Lists | None = None,
    relevant: Lists | None = None,
    grades: Lists | None = None,
    eligible: int | Sequence[int] = 1000,
    **others: Any,
) -> Answers:
    """Without distances every row lies at 1.0. ``grades``: of the ``relevant`` rows, in their order; else all 1."""
    true, came = padded(truth), padded(found)
    judged = None
    if relevant is not None:
        codes = tuple(np.array(sorted(row), np.int64) for row in relevant)
        given = [[1.0] * len(row) for row in relevant] if grades is None else grades
        judged = Grades(codes, tuple(np.array(row, np.float64) for row in given), 1.0)
    return Answers(
        truth=true,
        truth_distances=filled(truth, truth_distances, true.shape[1]),
        eligible=np.broadcast_to(np.asarray(eligible, np.int64), (len(truth),)),
        found=came,
        found_distances=filled(found, found_distances, came.shape[1]),
        failed=np.zeros(len(truth), np.bool_),
        relevant=None if judged is None else judged.codes,
        judged=judged,
        **others,
    )


def filled(lists: Lists, distances: Lists | None, width: int) -> Any:
    rows = [[1.0] * len(row) for row in lists] if distances is None else distances
    values = [
        [float("nan") if code == NOTHING else value for code, value in zip(codes, row, strict=True)]
        for codes, row in zip(lists, rows, strict=True)
    ]
    return np.array([[*row, *[np.nan] * (width - len(row))] for row in values], np.float64).reshape(len(lists), width)
