"""How the command line shows a truth."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from truerecall.cli.output import print_json, print_text


def show_truth(path: Path, *, json: bool) -> None:
    """What the truth at ``path`` was made from, and the digest of its content; with the
    findings of the checks that need a truth alone."""
    from truerecall.report.truth_card import truth_card
    from truerecall.steps.check import examine
    from truerecall.store.truths import load_truth, truth_artefact

    truth = load_truth(path)
    outcomes = examine({"truth": truth, "copies": truth.copies})
    findings = [outcome.finding for outcome in outcomes if outcome.finding is not None]
    card = truth_card(truth, truth_artefact(truth).content_digest, findings)
    if json:
        print_json(card)
    else:
        facts = [*_facts({**card, "findings": {}}), *((f.severity, f"{f.message}; {f.remedy}") for f in findings)]
        width = max(len(name) for name, _ in facts)
        print_text("\n".join(f"{name:<{width}}  {'–' if value is None else value}" for name, value in facts))


def _facts(card: dict[str, Any], outer: str = "") -> Iterator[tuple[str, Any]]:
    """The facts of a card one by one; those of an inner card are called ``outer.inner``."""
    for name, value in card.items():
        if isinstance(value, dict):
            yield from _facts(value, f"{outer}{name}.")
        else:
            yield outer + name, value
