"""``truerecall measures``: the measures on the shelf, and what each needs."""

from __future__ import annotations

from typing import Any

from truerecall.cli.options import Json
from truerecall.cli.output import print_json, print_rich


def measures(*, json: Json = False) -> None:
    """List the measures, what each is, and what it needs: labels, true distances, an argument, an extra."""
    from truerecall.shelf import measures as shelf

    cards = [_card(name, shelf.get(name)) for name in shelf.names()]
    if json:
        print_json(cards)
        return
    from truerecall.cli.tables import table

    needs = ["; ".join(needs_of(shelf.get(name))) for name in shelf.names()]
    shown = [(card["name"], card["title"], need, card["argument"]) for card, need in zip(cards, needs, strict=True)]
    print_rich(table(("measure", "what it is", "needs", "argument"), shown))


def _card(name: str, measure: Any) -> dict[str, Any]:
    return {
        "name": f"{name}@k(...)" if measure.argument_needed else f"{name}@k",
        "title": measure.title,
        "needs_labels": measure.needs_labels,
        "needs_distances": measure.needs_distances,
        "needs_approximate_truth": measure.of_approximate,
        "argument": measure.argument,
        "distances": list(measure.geometries),
        "extra": measure.extra,
    }


def needs_of(measure: Any) -> list[str]:
    """What a measure needs, in words."""
    needs = {
        "labels": measure.needs_labels,
        "true distances": measure.needs_distances,
        "an approximate truth": measure.of_approximate,
        f"distance {', '.join(measure.geometries)}": bool(measure.geometries),
        f"extra {measure.extra}": bool(measure.extra),
    }
    return [word for word, needed in needs.items() if needed]
