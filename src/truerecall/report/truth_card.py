"""What a truth is, as one JSON document: the shape that ``truth show --json`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from truerecall.model.finding import Finding
from truerecall.model.truth import NOT_COUNTED, GroundTruth
from truerecall.report.document import finding_document, plain, truth_document


def truth_card(truth: GroundTruth, digest: str, findings: Sequence[Finding] = ()) -> dict[str, Any]:
    """``digest`` is that of the stored columns and content; two truths with one digest are the same truth.

    ``ties_across_cut``, ``copies_of_queries`` and ``eligible.none`` count queries; ``largest_tie`` is the most rows in
    a tie band that lies across a cut. Null where nobody counted. ``findings``: of the checks that need the truth alone.
    """
    across = truth.ties_across
    counted = truth.copies != NOT_COUNTED
    card = {
        "digest": digest,
        **truth_document(truth),
        "eligible": {
            "fewest": int(truth.eligible.min()),
            "most": int(truth.eligible.max()),
            "none": int((truth.eligible == 0).sum()),
        },
        "reasons": truth.reasons,
        "ties_across_cut": None if (truth.tied == NOT_COUNTED).all() else int(across.sum()),
        "largest_tie": int(truth.tied[across].max()) if across.any() else None,
        "copies_of_queries": int((truth.copies[counted] > 0).sum()) if counted.any() else None,
        "findings": [finding_document(finding) for finding in findings],
        "provenance": truth.provenance,
    }
    return {name: plain(value) for name, value in card.items()}
