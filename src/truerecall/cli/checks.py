"""``truerecall checks``: the checks on the shelf, and the evidence that each needs."""

from __future__ import annotations

import inspect
from typing import Any

from truerecall.cli.options import Json
from truerecall.cli.output import print_json, print_rich


def checks(*, json: Json = False) -> None:
    """List the checks, what each looks for, and the evidence that it needs."""
    from truerecall.shelf import checks as shelf

    cards = [_card(name, shelf.get(name)) for name in shelf.names()]
    if json:
        print_json(cards)
        return
    from truerecall.cli.tables import table

    rows = [(card["name"], card["title"], ", ".join(card["needs"]), ", ".join(card["uses"])) for card in cards]
    print_rich(table(("check", "what it looks for", "needs", "uses where there"), rows))


def _card(name: str, check: Any) -> dict[str, Any]:
    """A check asks for its evidence by the names of its parameters; one with a default it can do without."""
    evidence = inspect.signature(check.examine).parameters.values()
    return {
        "name": name.replace("_", "-"),
        "title": check.title,
        "needs": [part.name for part in evidence if part.default is part.empty],
        "uses": [part.name for part in evidence if part.default is not part.empty],
    }
