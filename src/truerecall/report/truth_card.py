"""What a truth is, as one JSON document: the shape that ``truth show --json`` prints."""

from __future__ import annotations

from typing import Any

from truerecall.model.truth import NOT_COUNTED, GroundTruth
from truerecall.report.card import ties_across
from truerecall.report.document import plain, truth_document


def truth_card(truth: GroundTruth, digest: str) -> dict[str, Any]:
    """``digest`` is that of the stored columns and content; two truths with one digest are the same truth.

    ``ties_across_cut`` and ``copies_of_queries`` count queries; the latter is null where nobody counted.
    """
    counted = truth.copies != NOT_COUNTED
    card = {
        "digest": digest,
        **truth_document(truth),
        "ties_across_cut": ties_across(truth),
        "copies_of_queries": int((truth.copies[counted] > 0).sum()) if counted.any() else None,
        "provenance": truth.provenance,
    }
    return {name: plain(value) for name, value in card.items()}
