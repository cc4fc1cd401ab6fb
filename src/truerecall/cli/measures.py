"""``truerecall measures``: the measures on the shelf, and what each needs."""

from __future__ import annotations

from truerecall.cli.options import Json
from truerecall.cli.output import print_json, print_rich


def measures(*, json: Json = False) -> None:
    """List the measures, what each is, and whether it needs labels."""
    from truerecall.shelf import measures as shelf

    cards = []
    for name in shelf.names():
        measure = shelf.get(name)
        cards.append({"name": f"{name}@k", "title": measure.title, "needs_labels": measure.needs_labels})
    if json:
        print_json(cards)
        return
    from truerecall.cli.tables import table

    shown = [(card["name"], card["title"], "labels" if card["needs_labels"] else "") for card in cards]
    print_rich(table(("measure", "what it is", "needs"), shown))
