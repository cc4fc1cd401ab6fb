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

    shown = [(card["name"], card["title"], ", ".join(_needs(card)), card["argument"]) for card in cards]
    print_rich(table(("measure", "what it is", "needs", "argument"), shown))


def _card(name: str, measure: Any) -> dict[str, Any]:
    brackets = "(...)" if measure.argument_needed else ""
    return {
        "name": f"{name}@k{brackets}",
        "title": measure.title,
        "needs_labels": measure.needs_labels,
        "needs_distances": measure.needs_distances,
        "needs_approximate_truth": measure.of_approximate,
        "argument": measure.argument,
        "distances": list(measure.geometries),
        "extra": measure.extra,
    }


def _needs(card: dict[str, Any]) -> list[str]:
    """What a measure needs, in words, shortest first."""
    needs = {
        "labels": "needs_labels",
        "true distances": "needs_distances",
        "an approximate truth": "needs_approximate_truth",
    }
    words = [word for word, key in needs.items() if card[key]]
    words += [f"distance {', '.join(card['distances'])}"] if card["distances"] else []
    return words + ([f"extra {card['extra']}"] if card["extra"] else [])
