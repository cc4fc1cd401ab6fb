"""Small curves and truths for the tests of the report: made by hand, with whatever oddity a test asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from truerecall.model.arrays import texts
from truerecall.model.curve import Curve, Latency, Point
from truerecall.model.engine import IndexState
from truerecall.model.finding import CheckOutcome, Finding
from truerecall.model.ids import as_ids
from truerecall.model.measure import PerQuery
from truerecall.model.mode import ONE_BY_ONE, Mode
from truerecall.model.neighbors import Neighbors, offsets_of
from truerecall.model.run import Build, Run, Setup
from truerecall.model.score import Score
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Fingerprint

K = 4
ENVIRONMENT = {
    "processor": "Test CPU",
    "cores": 2,
    "memory_bytes": 8 * 1024**3,
    "libraries": {"numpy": "2.4"},
    "load": 0.5,
}


def neighbors(lists: Sequence[Sequence[Any]], distances: Sequence[Sequence[float]]) -> Neighbors:
    flat = [own_id for own in lists for own_id in own]
    ids = as_ids(np.asarray(flat if flat else np.empty(0, np.int64)), what="test")
    lengths = np.array([len(own) for own in lists], np.int64)
    return Neighbors(ids, np.array([d for own in distances for d in own], np.float64), offsets_of(lengths))


def truth(queries: int = 5, *, base: int = 0, query_ids: Any = None, tied: Sequence[int] | None = None) -> GroundTruth:
    """Query q has the true neighbours base + 10 q + (0, 1, 2, 3), at the distances 1, 2, 3, 4."""
    lists = [[base + 10 * q + place for place in range(K)] for q in range(queries)]
    return GroundTruth(
        distance="l2",
        k=K,
        state="proved",
        corpus=Fingerprint("c" * 64, 1000, 16, "float32", "int64"),
        queries=Fingerprint("q" * 64, queries, 16, "float32", "row"),
        query_ids=as_ids(np.arange(queries) if query_ids is None else np.asarray(query_ids), what="test"),
        neighbors=neighbors(lists, [[1.0, 2.0, 3.0, 4.0]] * queries),
        eligible=np.full(queries, 1000),
        nearer=np.full(queries, K - 1),
        tied=np.ones(queries, np.int64) if tied is None else np.asarray(tied),
        copies=np.zeros(queries, np.int64),
        provenance={"method": "scan"},
    )


def point(
    hits: Sequence[int] = (4, 4, 3, 2, 0),
    *,
    asked: Mapping[str, Any] | None = None,
    p50_s: float | None = 1e-4,
    p99: str = "needs 1,000 calls, there were 5",
    cost: Mapping[str, float] | None = None,
    checks: Sequence[CheckOutcome] = (),
    undefined: Mapping[int, str] | None = None,
    semantic: Sequence[float] | None = None,
    base: int = 0,
    query_ids: Any = None,
    environment: Mapping[str, Any] = ENVIRONMENT,
    build: Build | None = None,
    mode: Mode = ONE_BY_ONE,
    passes: Sequence[float] = (1.0, 0.97, 1.02),
    failed: int = 0,
    harness_s: float = 1e-7,
    by_formula: Sequence[str] = (),
) -> Point:
    """A judged run: query q finds its first ``hits[q]`` true neighbours, then rows from base + 900, from 5 on.

    ``passes``: the p50 of each pass as a multiple of ``p50_s``; empty for passes of which nothing is told.
    """
    n = len(hits)
    lists = [[base + 10 * q + i for i in range(h)] + [base + 900 + i for i in range(K - h)] for q, h in enumerate(hits)]
    distances = [[1.0 + i for i in range(h)] + [5.0 + i for i in range(K - h)] for h in hits]
    asked = {"efSearch": 16} if asked is None else asked
    setup = Setup(
        "faiss",
        "1.9",
        "l2",
        K,
        truth(n).corpus,
        truth(n).queries,
        build or built("HNSW32"),
        asked,
        {**asked, "check": 1},
        10,
        (build or built("HNSW32")).state,
        mode,
    )
    run = Run(
        setup,
        as_ids(np.arange(n) if query_ids is None else np.asarray(query_ids), what="test"),
        neighbors(lists, distances),
        np.full(n, p50_s or 0.0),
        texts([""] * n),
        {},
        environment,
        np.arange(n),
        n * (p50_s or 0.0),
        harness_s,
        tuple(by_formula),
    )
    invalid = any(c.finding is not None and c.finding.severity == "invalid" for c in checks)
    scores = [] if invalid else [scored("recall@4", np.array(hits) / K, undefined)]
    if semantic is not None and not invalid:
        scores.append(scored("semantic_recall@4", np.array(semantic), None))
    rounds = max(1, len(passes))
    latency = Latency(
        calls=rounds * n - failed,
        distinct_queries=n,
        failed=failed,
        warmup_calls=10 * rounds,
        p50_s=p50_s,
        p95_s=p50_s,
        p99_s=None,
        withheld={"p99_s": p99},
        p50_by_pass_s=() if p50_s is None else tuple(p50_s * own for own in passes),
        answers_per_s=None if not p50_s else 0.9 / p50_s,
        harness_s=harness_s,
    )
    runs = tuple(replace(run, setup=replace(setup, repeat=own)) for own in range(rounds))
    return Point(runs, tuple(scores), latency, dict(cost or {}), tuple(checks))


def scored(measure: str, values: Any, undefined: Mapping[int, str] | None) -> Score:
    """A score whose interval is the mean plus and minus 0.05; NaN stands for undefined where no reason is given."""
    reasons = ["no relevant row" if np.isnan(value) else "" for value in values]
    for query, reason in (undefined or {}).items():
        reasons[query] = reason
    per_query = PerQuery(np.nan_to_num(values), texts(reasons))
    defined = per_query.values[per_query.defined]
    mean = float(defined.mean())
    ends = (max(0.0, mean - 0.05), min(1.0, mean + 0.05)) if len(defined) > 1 else None
    counts = {reason: reasons.count(reason) for reason in set(reasons) - {""}}
    return Score(measure, per_query, mean, ends, "bca", len(defined), counts, 0, mean)


def built(factory: str, build_id: str = "b" * 64, *, number: int = 0, seconds: float = 1.5) -> Build:
    state = IndexState("IndexHNSWFlat", 1000, 1000, True, "none", 123_456, False)
    return Build(build_id, {"factory": factory}, 7 + number, 2, seconds, state, number)


def curve(
    points: Sequence[Point], *, label: str = "HNSW32", knee: int | None = None, build_id: str = "b" * 64
) -> Curve:
    front = tuple(place for place, p in enumerate(points) if p.scores)
    return Curve(build_id, label, "recall@4", tuple(points), front, knee)


def fired(code: str, severity: Any, message: str = "Seen.", **evidence: Any) -> CheckOutcome:
    return CheckOutcome(code, "fired", Finding(code, severity, message, "Do this.", evidence))


FOUND = ((4, 3, 2, 1, 0), (4, 4, 3, 2, 0), (4, 4, 4, 4, 2), (4, 4, 4, 4, 3))


def sweep(
    label: str = "HNSW32", scale: float = 1.0, build_id: str = "b" * 64, *, number: int = 0, **of_each: Any
) -> Curve:
    """Four points of growing effort; the third is the knee. ``of_each``: what ``point`` takes, for all of them."""
    points = [
        point(hits, **{"asked": {"efSearch": 8 * 2**n}, "p50_s": scale * 1e-4 * 2**n,
              "cost": {"distance_computations": 100.0 * 2**n}, "build": built(label, build_id, number=number),
              **of_each})
        for n, hits in enumerate(FOUND)
    ]  # fmt: skip
    return curve(points, label=label, knee=2, build_id=build_id)
