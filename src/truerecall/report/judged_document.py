"""Judged answers as one JSON document: the shape that ``score --json`` prints and that others rely on."""

from __future__ import annotations

from typing import Any

from truerecall.model.judged import Judged
from truerecall.model.truth import GroundTruth
from truerecall.report.document import finding_document, fingerprint_of, plain, score_document


def judged_document(judged: Judged, truth: GroundTruth) -> dict[str, Any]:
    """Plain values only, whole numbers beyond ±2^53 as strings. ``read``: how the answers were read, in words."""
    document = {
        "answers": judged.name,
        "k": judged.k,
        "asked_k": judged.asked_k,
        "queries": judged.queries,
        "distance": truth.distance,
        "truth": {"fingerprint": fingerprint_of(truth), "state": truth.state},
        "scores": [score_document(score) for score in judged.scores],
        "findings": [finding_document(finding) for finding in judged.findings],
        "checks": [{"code": c.code, "outcome": c.outcome, "reason": c.reason} for c in judged.checks],
        "verdict": judged.verdict,
        "read": list(judged.remarks),
    }
    return {name: plain(value) for name, value in document.items()}
