"""What a ground truth says of itself, as plain values for the terminal and for JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from truerecall.model.truth import GroundTruth


def truth_card(truth: GroundTruth, content_digest: str) -> dict[str, Any]:
    """The card of a truth. ``ties_at_cut`` counts the queries for which more rows tie at the cut than fit in."""
    room = truth.neighbors.lengths - truth.nearer
    return {
        "state": truth.state,
        "distance": truth.distance,
        "k": truth.k,
        "queries": asdict(truth.queries),
        "corpus": asdict(truth.corpus),
        "ties_at_cut": int((truth.tied > room).sum()),
        "short_lists": int((truth.neighbors.lengths < truth.k).sum()),
        "queries_equal_to_a_row": int((truth.copies > 0).sum()),
        "content_digest": content_digest,
        "provenance": dict(truth.provenance),
    }
