"""What a truth is, as one JSON document: the shape that ``truth show --json`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from truerecall.model.finding import Finding
from truerecall.model.truth import NORMALISATION, NOT_COUNTED, GroundTruth
from truerecall.report.document import finding_document, plain, truth_document
from truerecall.store.truths import FORMAT


def truth_card(truth: GroundTruth, digest: str, findings: Sequence[Finding] = ()) -> dict[str, Any]:
    """``digest`` is that of the stored columns and content; two truths with one digest are the same truth.

    ``ties_across_cut``, ``copies_of_queries`` and ``eligible.none`` count queries; ``largest_tie`` is the most rows in
    a tie band that lies across a cut. Null where nobody counted. ``findings``: of the checks that need the truth alone.
    ``ledger``: whether it can tell what changed, row by row; ``slack``: the fewest and the most rows that are kept
    beyond k for a refresh. ``format``: the number of the layout that the digest is of.
    """
    across = truth.ties_across
    counted = truth.copies != NOT_COUNTED
    card = {
        "digest": digest,
        **truth_document(truth),
        "normalisation": NORMALISATION,
        "model": truth.card.model,
        "snapshot": truth.card.snapshot,
        "drawing": truth.card.drawing,
        "drawn_from": truth.card.drawn_from,
        "format": FORMAT,
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
        "ledger": truth.upkeep is not None,
        "slack": _slack(truth),
        "provenance": truth.provenance,
    }
    return {name: plain(value) for name, value in card.items()}


def _slack(truth: GroundTruth) -> dict[str, int] | None:
    if truth.upkeep is None:
        return None
    lengths = truth.upkeep.slack.lengths[truth.eligible > 0]
    return {"fewest": int(lengths.min()) if len(lengths) else 0, "most": int(lengths.max(initial=0))}
