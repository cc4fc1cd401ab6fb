"""``truerecall engines``: the engines on the shelf, what each needs, can and falls into."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from truerecall.cli.options import Json
from truerecall.cli.output import print_json, print_rich, print_text
from truerecall.errors import MissingExtra

if TYPE_CHECKING:
    from rich.table import Table

TOLD_APART = {"real": "real", "stub": "stub only", "": ""}


def engines(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="All of one engine.")] = None, *, json: Json = False
) -> None:
    """List the engines: what is installed, what each can do, and against what it is tested; or all of one of them."""
    from truerecall.cli.engine_card import card_of
    from truerecall.shelf import engines as shelf

    if name is not None:
        own = shelf.spelling(name)
        card = card_of(own, shelf)
        if card["title"] is None:
            raise MissingExtra(own, own)
        if json:
            print_json(card)
            return
        for part in _of_one(card):
            if isinstance(part, str):
                print_text(part)
            else:
                print_rich(part)
        return
    cards = _cards()
    if json:
        print_json(cards)
        return
    print_rich(_of_all(cards))
    print_text("All of one engine, its settings and traps: truerecall engines NAME")


def _cards() -> list[dict[str, Any]]:
    from truerecall.cli.engine_card import card_of
    from truerecall.shelf import engines as shelf

    return [card_of(name, shelf) for name in shelf.names()]


def _of_all(cards: list[dict[str, Any]]) -> Table:
    from truerecall.cli.tables import table

    shown = [
        (
            card["name"],
            card["version"] if card["installed"] else "–",
            "" if card["installed"] or card["extra"] is None else f"truerecall[{card['extra']}]",
            TOLD_APART.get(card["tested"], card["tested"]),
            ", ".join(card["capabilities"] or ()),
            ", ".join(card["distances"] or ()),
        )
        for card in cards
    ]
    return table(("engine", "version", "to install", "tested against", "can", "distances"), shown)


def _of_one(card: dict[str, Any]) -> Iterator[str | Table]:
    from truerecall.cli.engine_card import range_text
    from truerecall.cli.tables import table

    yield card["title"]
    extra = "comes with truerecall" if card["extra"] is None else f"pip install 'truerecall[{card['extra']}]'"
    yield f"{card['version'] or 'not installed'} ({extra}); tested against: {TOLD_APART[card['tested']]}"
    yield f"can: {', '.join(card['capabilities'])}\n"
    yield table(("distance", "as the engine has it"), card["distances"].items())
    for title in ("build_settings", "search_settings"):
        rows = [
            (
                own["name"],
                "must be given" if own["default"] is None else str(own["default"]),
                range_text(own),
                own["meaning"] + ("; more is more effort" if own["more_is_more_effort"] else ""),
            )
            for own in card[title]
        ]
        if rows:
            yield table((title.replace("_", " "), "else", "range", "what it is"), rows)
    if card["traps"]:
        yield "Traps"
    for trap in card["traps"]:
        yield f"- {trap.replace('``', '')}"
    if card["example"]:
        yield f"\ntruerecall run {card['example']} --corpus base.npy --queries queries.npy -k 10 --out runs/"
