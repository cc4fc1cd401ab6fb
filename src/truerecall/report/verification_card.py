"""What a verification found: one JSON document, and the same in words."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from truerecall.model.verification import EngineOpinion, Verification
from truerecall.report.document import plain


def verification_card(verification: Verification, opinion: EngineOpinion | None = None) -> dict[str, Any]:
    """The shape that ``truth verify --json`` prints. ``bound``: at most this share of all queries is wrong, with 95 %
    confidence; null where all were checked. ``first_disagreement`` and ``likely_cause`` are null where there is none,
    ``engine`` where none was asked.
    """
    first = verification.first
    card = {
        "agrees": first is None,
        "queries": verification.queries,
        "checked": verification.checked,
        "agreed": verification.agreed,
        "seed": verification.seed,
        "bound": verification.bound,
        "state": verification.state,
        "tolerance": verification.tolerance,
        "largest_difference": verification.largest_difference,
        "first_disagreement": None
        if first is None
        else {
            "query": first.query,
            "kind": first.kind,
            "row": first.row,
            "stored": first.stored,
            "recomputed": first.found,
            "message": first.message,
        },
        "likely_cause": verification.cause,
        "engine": None if opinion is None else asdict(opinion),
    }
    return {name: plain(value) for name, value in card.items()}


def agreement_text(verification: Verification) -> str:
    """What was checked and what that shows, where everything agreed."""
    checked = f"{verification.checked:,} of {verification.queries:,} queries recomputed, all agree"
    if verification.bound is None:
        shown = "every list is right"
    else:
        shown = f"with 95 % confidence at most {verification.bound * 100:.2g} % of all queries are wrong (3/n)"
    return (
        f"{checked}: {shown}\n"
        f"largest difference of a distance {verification.largest_difference:.3g}; allowed: {verification.tolerance}\n"
        f"state: {verification.state}"
    )


def opinion_text(opinion: EngineOpinion) -> str:
    """What an engine's own exhaustive search said."""
    said = f"{opinion.engine} ({opinion.server}), asked for an exhaustive search of {opinion.asked:,} queries:"
    near = f", {opinion.as_near:,} others that are as near" if opinion.as_near else ""
    apart = f", {opinion.apart:,} others that are not" if opinion.apart else ""
    return f"{said} {opinion.same:,} found the same rows{near}{apart}; a second opinion, which changes nothing"
