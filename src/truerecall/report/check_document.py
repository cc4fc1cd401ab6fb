"""What the checks said of runs, as one JSON document: the shape that ``check --json`` prints.

    {"answer": "With care", "sentence": "...", "verdict": "suspect", "runs": 30, "points": 10, "curves": [...],
     "truth": {...}, "counts": {"fired": 2, "passed": 40, "cannot_tell": 3, "not_asked": 9},
     "findings": [{"code": "...", "severity": "warning", "remedy": "...",
                   "seen": [{"message": "...", "places": ["every point"], "evidence": {...}}]}],
     "checks": [{"code": "...", "title": "...", "outcome": "passed", "passed": 10, "fired": 0, "cannot_tell": 0,
                 "reasons": []}]}

``findings`` stand by weight: severity, then at how many points. ``outcome``: ``fired`` (anywhere), ``passed``,
``cannot tell`` (``reasons`` say why) or ``not asked`` (``reasons`` say what would let it be); the three counts are
of points. ``evidence`` is what was seen, in numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from truerecall.model.curve import Curve
from truerecall.model.plain import plain
from truerecall.model.truth import GroundTruth
from truerecall.report.check_list import counted, listed_checks
from truerecall.report.document import truth_document
from truerecall.report.trust import findings_in, trust_in


def check_document(curves: Sequence[Curve], truth: GroundTruth) -> dict[str, Any]:
    """Plain values only: what ``json.dumps(..., allow_nan=False)`` takes."""
    names = [curve.label for curve in curves]
    trust = trust_in(curves, names)
    listed = listed_checks(trust)
    points = [point for curve in curves for point in curve.points]
    document = {
        "answer": trust.answer,
        "sentence": trust.sentence,
        "verdict": trust.verdict,
        "runs": sum(len(point.runs) for point in points),
        "points": len(points),
        "curves": names,
        "truth": truth_document(truth),
        "counts": {what.replace(" ", "_"): count for what, count in counted(listed).items()},
        "findings": [
            {
                "code": weighed.first.code,
                "severity": weighed.first.severity,
                "remedy": weighed.first.remedy,
                "seen": [
                    {"message": sight.finding.message, "places": sight.places, "evidence": sight.finding.evidence}
                    for sight in weighed.sights
                ],
            }
            for weighed in findings_in(curves, names)
        ],
        "checks": [
            {
                "code": one.code, "title": one.title, "outcome": one.outcome, "passed": one.passed, "fired": one.fired,
                "cannot_tell": one.cannot_tell, "reasons": one.reasons,
            }
            for one in listed
        ],
    }  # fmt: skip
    return {name: plain(value) for name, value in document.items()}
