"""Judged curves as one JSON document: the shape that ``run --json`` and ``report --json`` print.

    {"points": [{"settings": {...}, "latency": {...}, "cost": {...}, "scores": [...], "findings": [...],
                 "verdict": "ok", ...}, ...],
     "knee": {...} or null, "truth": {...}, "curves": [...]}

``points`` holds the points of all curves, curve by curve; each names its engine, its curve (``label``), its build (and
which of several it is, ``build_number`` from 0), its ``mode`` and the number of ``passes`` that it is judged over. Its
``filter`` is null where all rows might answer; the truth at the top is that of all rows. A
latency is over the answered ``calls`` of all passes, and its ``cost`` per answered query of the first; costs in
``by_formula`` were not counted by the engine. ``answers_per_s`` counts answered queries alone, and ``failed_share`` is
of all calls.
``curves`` says which points, by their place in ``points``, make up each curve, its front and its knee; the ``knee`` at
the top is the first curve's. ``undefined`` is a count. Whole numbers beyond ±2^53 are strings. There is no NaN: what is
not known is null.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from truerecall.model.curve import Curve, Point
from truerecall.model.filter import Narrowed
from truerecall.model.finding import Finding
from truerecall.model.measure_name import MeasureName
from truerecall.model.plain import plain as plain
from truerecall.model.score import Beside, LowTail, Score, StratumScore
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Fingerprint


def to_document(curves: Sequence[Curve], truth: GroundTruth) -> dict[str, Any]:
    """Plain values only: what ``json.dumps(..., allow_nan=False)`` takes."""
    points: list[dict[str, Any]] = []
    parts: list[dict[str, Any]] = []
    for curve in curves:
        start = len(points)
        points += [point_document(point, curve, truth) for point in curve.points]
        parts.append(_curve(curve, start))
    knee = parts[0]["knee"] if parts else None
    document = {"points": points, "knee": knee, "truth": truth_document(truth), "curves": parts}
    return {name: plain(value) for name, value in document.items()}


def point_document(point: Point, curve: Curve, truth: GroundTruth) -> dict[str, Any]:
    """One point: all that ``score --json`` says, with its settings, latency and cost."""
    setup, latency = point.run.setup, point.latency
    return {
        "label": curve.label,
        "engine": setup.engine,
        "build_id": setup.build.id,
        "build_number": setup.build.number,
        "mode": str(setup.mode),
        "passes": len(point.runs),
        "settings": setup.asked,
        "k": MeasureName.parse(curve.measure).k,
        "asked_k": setup.k,
        "queries": len(point.run),
        "distance": setup.distance,
        "filter": filter_document(setup.where),
        "truth": {"fingerprint": fingerprint_of(truth), "state": truth.state},
        "latency": {
            "p50_s": latency.p50_s, "p95_s": latency.p95_s, "p99_s": latency.p99_s, "withheld": latency.withheld,
            "calls": latency.calls, "distinct_queries": latency.distinct_queries, "failed": latency.failed,
            "failed_share": latency.failed_share, "warmup_calls": latency.warmup_calls,
            "p50_by_pass_s": latency.p50_by_pass_s, "answers_per_s": latency.answers_per_s,
            "harness_s": latency.harness_s,
        },
        "cost": point.cost,
        "by_formula": point.run.by_formula,
        "scores": [score_document(score) for score in point.scores],
        "findings": [finding_document(finding) for finding in point.findings],
        "checks": [{"code": c.code, "outcome": c.outcome, "reason": c.reason} for c in point.checks],
        "verdict": point.verdict,
    }  # fmt: skip


def score_document(score: Score) -> dict[str, Any]:
    return {
        "measure": score.measure,
        "mean": score.mean,
        "ci95": None if score.ci95 is None else list(score.ci95),
        "ci_method": score.ci_method,
        "n": score.n,
        "undefined": sum(score.undefined.values()),
        "undefined_reasons": score.undefined,
        "failed": score.failed,
        "answered_mean": score.answered_mean,
        "standard_error": score.standard_error,
        "split_half": score.split_half,
        "low": low_document(score.low, score.n),
        "clusters": score.clusters,
        "along": None
        if score.along is None
        else {
            "asked": score.along.asked,
            "means": [{"argument": at, "mean": mean} for at, mean in score.along.means],
        },
        "strata": [part_document("stratum", own) for own in score.strata],
        "note": score.per_query.note,
        "exact_search": beside_document(score.beside),
        "groups": [part_document("group", own) for own in score.groups],
    }


def part_document(kind: str, own: StratumScore) -> dict[str, Any]:
    """One part of the queries by itself, its name under ``kind``."""
    return {
        kind: own.name, "mean": own.mean, "ci95": None if own.ci95 is None else list(own.ci95),
        "ci_method": own.ci_method, "n": own.n, "thin": own.thin,
    }  # fmt: skip


def beside_document(own: Beside | None) -> dict[str, Any] | None:
    """Exact search on the same queries, and what the answers ``lost`` beside it."""
    if own is None:
        return None
    return {
        "mean": own.exact, "ci95": None if own.exact_ci95 is None else list(own.exact_ci95), "lost": own.lost,
        "lost_ci95": None if own.lost_ci95 is None else list(own.lost_ci95), "lost_ci_method": own.lost_method,
    }  # fmt: skip


def low_document(low: LowTail | None, n: int) -> dict[str, Any] | None:
    """The low end of the queries; ``zero_share`` is the share of the n at zero."""
    if low is None:
        return None
    return {
        "p5": low.fifth, "p1": low.first, "min": low.minimum, "at_zero": low.at_zero, "zero_share": low.at_zero / n,
    }  # fmt: skip


def finding_document(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "evidence": finding.evidence,
        "remedy": finding.remedy,
    }


def filter_document(where: Narrowed | None) -> dict[str, Any] | None:
    """The filter behind which was searched, and of how many rows it left how many."""
    if where is None:
        return None
    return {"text": where.text, "kept": where.kept, "rows": where.rows, "selectivity": where.selectivity}


def truth_document(truth: GroundTruth) -> dict[str, Any]:
    """What the truth is about. ``fingerprint``: the digests of corpus and queries, with a colon between."""
    return {
        "fingerprint": fingerprint_of(truth),
        "state": truth.state,
        "distance": truth.distance,
        "k": truth.k,
        "corpus": _vectors(truth.corpus),
        "queries": _vectors(truth.queries),
    }


def fingerprint_of(truth: GroundTruth) -> str:
    return f"{truth.corpus.digest}:{truth.queries.digest}"


def _curve(curve: Curve, start: int) -> dict[str, Any]:
    setup = curve.points[0].run.setup
    build, state = setup.build, setup.build.state
    knee = None
    if curve.knee is not None:
        knee = {"point": start + curve.knee, "label": curve.label, "settings": curve.points[curve.knee].run.setup.asked}
    return {
        "label": curve.label,
        "build_id": curve.build_id,
        "engine": setup.engine,
        "engine_version": setup.engine_version,
        "mode": str(setup.mode),
        "filter": filter_document(setup.where),
        "measure": curve.measure,
        "points": [start + place for place in range(len(curve.points))],
        "front": [start + place for place in curve.front],
        "knee": knee,
        "build": {
            "number": build.number, "settings": build.settings, "seed": build.seed, "threads": build.threads,
            "build_s": build.seconds, "kind": state.kind, "rows": state.rows, "indexed_rows": state.indexed_rows,
            "trained": state.trained, "transform": state.transform, "size_bytes": state.size_bytes,
            "exact_by_design": state.exact_by_design,
        },
        "by_formula": sorted({name for point in curve.points for name in point.run.by_formula}),
        "environment": curve.points[0].run.environment,
    }  # fmt: skip


def _vectors(fingerprint: Fingerprint) -> dict[str, Any]:
    return {
        "digest": fingerprint.digest,
        "rows": fingerprint.rows,
        "dimensions": fingerprint.dimensions,
        "dtype": fingerprint.dtype,
        "ids": fingerprint.ids,
    }
