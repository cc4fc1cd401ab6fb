"""An inspection as one JSON document: the shape that ``inspect --json`` prints.

    {"corpus": {...}, "queries": {...} or null, "findings": [...], "checks": [...], "verdict": "ok", "sampled": [...],
     "seed": 0}

An estimate is ``{"value": ..., "ci95": [...] or null, "ci_method": ..., "n": ..., "left_out": ..., "reason": ...}``;
where it is undefined ``value`` is null and ``reason`` says why. There is no NaN.
"""

from __future__ import annotations

from typing import Any

from truerecall.model.shape import CorpusShape, Duplicates, Estimate, Faults, Inspection, QueryShape
from truerecall.report.document import finding_document, plain


def inspection_document(inspection: Inspection) -> dict[str, Any]:
    """Plain values only."""
    document = {
        "corpus": _corpus(inspection.corpus),
        "queries": None if inspection.queries is None else _queries(inspection.queries, inspection.ties_at_cut),
        "findings": [finding_document(finding) for finding in inspection.findings],
        "checks": [{"code": c.code, "outcome": c.outcome, "reason": c.reason} for c in inspection.checks],
        "verdict": inspection.verdict,
        "sampled": inspection.sampled,
        "seed": inspection.seed,
    }
    return {name: plain(value) for name, value in document.items()}


def _corpus(shape: CorpusShape) -> dict[str, Any]:
    lengths = shape.lengths
    return {
        "name": shape.name,
        "fingerprint": shape.fingerprint.digest,
        "distance": shape.distance,
        "k": shape.k,
        "rows": shape.faults.n,
        "usable": shape.usable,
        "dimensions": shape.dimensions,
        "dtype": shape.fingerprint.dtype,
        "faults": _faults(shape.faults),
        "duplicates": _duplicates(shape.duplicates),
        "ties_across_cut": _estimate(shape.ties),
        "lengths": None
        if lengths is None
        else {
            "shortest": float(lengths.values.min()),
            "longest": float(lengths.values.max()),
            "unit": lengths.unit,
            "even": lengths.even,
            "ip_and_cosine_agree": _estimate(lengths.agreement),
        },
        "constant_dimensions": shape.constant,
        "intrinsic_dimension": _estimate(shape.dimension) | {"neighbours": shape.local_depth},
        "relative_contrast": _estimate(shape.closeness.contrast),
        "hubs": {
            "k": shape.hubs.k,
            "skewness": _estimate(shape.hubs.skewness),
            "absent": _estimate(shape.hubs.absent),
            "most": int(shape.hubs.counts.max(initial=0)),
        },
        "structure": _estimate(shape.structure.ratio) | {"k": shape.structure.k, "sampled": shape.structure.n},
    }


def _queries(shape: QueryShape, ties: Estimate) -> dict[str, Any]:
    shift = shape.shift
    return {
        "name": shape.name,
        "queries": shape.n,
        "inspected": shape.inspected,
        "faults": _faults(shape.faults),
        "in_corpus": int((shape.copies > 0).sum()),
        "duplicates": _duplicates(shape.repeats),
        "near_duplicates": _estimate(shape.near),
        "ties_across_cut": _estimate(ties),
        "relative_contrast": _estimate(shape.closeness.contrast),
        "shift": {
            "mahalanobis": _estimate(shift.mahalanobis),
            "nearest": _estimate(shift.nearest),
            "area_under_curve": _estimate(shift.area),
        },
    }


def _estimate(found: Estimate) -> dict[str, Any]:
    return {
        "value": found.value,
        "ci95": found.interval,
        "ci_method": found.method,
        "n": found.n,
        "left_out": found.left_out,
        "reason": found.reason,
    }


def _duplicates(found: Duplicates) -> dict[str, Any]:
    return {"groups": found.groups, "largest": found.largest, "surplus": found.surplus, "share": found.share}


def _faults(found: Faults) -> dict[str, Any]:
    return {"counts": found.counts, "first": found.first}
