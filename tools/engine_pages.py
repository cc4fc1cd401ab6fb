"""Write docs/engines/: a page for each engine on the shelf, from it and the docstring of its file, and an index.

python -m tools.engine_pages           writes the pages
python -m tools.engine_pages --check   says which are not up to date, status 1 where any is
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tools.measure_pages import written
from truerecall.cli.engine_card import (
    CAN,
    card_of,
    default_text,
    install_text,
    meaning_text,
    range_text,
    run_command,
    search_groups,
    tested_text,
)
from truerecall.shelf import engines

PAGES = Path(__file__).parents[1] / "docs" / "engines"
MADE = "<!-- Made by `make pages` from src/truerecall/engines/{name}.py: change that. -->"
HEADS = {"state": "What its state tells", "costs": "What it counts", "attached": "An index that exists"}
SETTINGS = ("setting", "default", "range", "what it is")
INTRO = (
    "What can be measured, each by one adapter that proves what it did: which index answered, with which settings in"
    " force, over how many of the rows. `truerecall engines` lists what is installed here, `truerecall engines NAME`"
    " says all of one. All of them lie over each other in one report in"
    " [examples/all-engines](../../examples/all-engines/README.md). Another engine is one file away:"
    " [a new engine](../new-engine.md)."
)
STUB = (
    "**tested: stub.** No server of this engine can be had where truerecall is tested: its tests run against a stub"
    " that replays the schema of its client. Believe what it measures less than what the others do."
)


def pages() -> dict[str, str]:
    """Every page by the name of its file."""
    cards = [card_of(name, engines) for name in engines.names()]
    return {"README.md": _index(cards)} | {f"{card['name']}.md": _page(card) for card in cards}


def _page(card: dict[str, Any]) -> str:
    notes = card["notes"]
    lines = [MADE.format(name=card["name"]), "", f"# {card['name']}", "", _plain(card["title"]), ""]
    for block in [*notes["text"], *([STUB] if card["tested"] == "stub" else [])]:
        lines += [_plain(block), ""]
    lines += [f"- {fact}" for fact in _facts(card)]
    lines += _section("Distances", _table(("distance", "as the engine has it"), card["distances"].items()))
    building = [("Settings of a build", card["build_settings"])] if card["build_settings"] else []
    for title, listed in (*building, *search_groups(card)):
        lines += _section(title, _table(SETTINGS, map(_setting, listed)))
    for name, title in HEADS.items():
        if name in notes:
            lines += _section(title, [_plain(notes[name])])
    lines += _section("Traps", [f"- {_plain(trap)}" for trap in notes["traps"]])
    if card["examples"]:
        code = ["```python", notes["code"], "```", ""] if notes["code"] else []
        commands = [f"    {run_command(example)}".replace("\n", "\n    ") for example in card["examples"]]
        lines += _section("Example" if len(commands) == 1 else "Examples", [*code, *commands])
    return "\n".join(lines) + "\n"


def _facts(card: dict[str, Any]) -> list[str]:
    can = [CAN[own] for own in card["capabilities"]]
    return [f"to install: {install_text(card)}", f"tested against: {tested_text(card)}", *can]


def _section(title: str, body: list[str]) -> list[str]:
    return ["", f"## {title}", "", *body]


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    names = list(head)
    return [_row(names), "|---" * len(names) + "|", *(_row(map(_cell, row)) for row in rows)]


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _setting(own: dict[str, Any]) -> tuple[str, ...]:
    default = default_text(own)
    return f"`{own['name']}`", default if own["default"] is None else f"`{default}`", range_text(own), meaning_text(own)


def _index(cards: list[dict[str, Any]]) -> str:
    rows = [
        (
            f"[{card['name']}]({card['name']}.md)",
            "" if card["extra"] is None else f"`{card['extra']}`",
            ": ".join(filter(None, (card["tested"], card["tested_with"]))),
            ", ".join(card["capabilities"]),
            ", ".join(card["distances"]),
        )
        for card in cards
    ]
    head = ["<!-- Made by `make pages`. -->", "", "# Engines", "", INTRO, ""]
    return "\n".join([*head, *_table(("engine", "extra", "tested", "can", "distances"), rows)]) + "\n"


def _plain(text: str) -> str:
    return text.replace("``", "`")


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|").replace("<", "&lt;")


def main(arguments: list[str]) -> int:
    return written(PAGES, pages(), check=arguments == ["--check"])


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
