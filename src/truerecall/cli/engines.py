"""``truerecall engines``: the engines on the shelf, what each needs, can and falls into."""

from __future__ import annotations

from typing import Annotated

import typer

from truerecall.cli.options import Json
from truerecall.cli.output import print_json, print_rich


def engines(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="All of one engine.")] = None, *, json: Json = False
) -> None:
    """List the engines: what is installed, what each can do, and against what it is tested; or all of one of them."""
    from truerecall.cli.engine_card import card_of
    from truerecall.cli.engine_faces import EngineFace, EngineList
    from truerecall.errors import InputError
    from truerecall.shelf import engines as shelf

    if name is None:
        cards = [card_of(own, shelf) for own in shelf.names()]
        if json:
            print_json(cards)
        else:
            print_rich(EngineList(cards))
        return
    card = card_of(shelf.spelling(name), shelf)
    if card["trouble"]:
        raise InputError(f"{card['name']} cannot be loaded: {card['trouble']}", "mend or remove the package it is from")
    if json:
        print_json(card)
    else:
        print_rich(EngineFace(card))
