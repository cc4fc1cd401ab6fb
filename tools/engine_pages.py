"""Write docs/engines/: a page for each engine on the shelf, from it and the docstring of its file, and an index.

python -m tools.engine_pages           writes the pages
python -m tools.engine_pages --check   says which are not up to date, status 1 where any is
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tools.measure_pages import written
from truerecall.cli.engine_card import card_of, notes_of, range_text
from truerecall.shelf import engines

PAGES = Path(__file__).parents[1] / "docs" / "engines"
MADE = "<!-- Made by `make pages` from src/truerecall/engines/{name}.py: change that. -->"
ASKED = "--corpus base.npy --queries queries.npy -k 10 --out runs/"
CAN = {
    "build": "builds an index",
    "attach": "measures an index that exists, read-only (`--attach`)",
    "save": "saves and loads, so that a run goes on where it was interrupted",
    "exact": "searches exhaustively on demand",
    "source": "gives its vectors back as a corpus (`ENGINE:NAME`)",
    "filter": "searches behind filters (`--filter`)",
    "delete": "deletes rows",
    "update": "changes rows",
}
INTRO = (
    "What can be measured, each by one adapter that proves what it did: which index answered, with which settings in"
    " force, over how many of the rows. `truerecall engines` lists what is installed here, `truerecall engines NAME`"
    " says all of one. Another engine is one file away: [a new engine](../new-engine.md)."
)


def pages() -> dict[str, str]:
    """Every page by the name of its file."""
    names = engines.names()
    return {"README.md": _index(names)} | {f"{name}.md": _page(name) for name in names}


def _page(name: str) -> str:
    card, notes = card_of(name, engines), notes_of(engines.get(name))
    lines = [MADE.format(name=name), "", f"# {name}", "", _plain(notes.head), ""]
    lines += [part for block in notes.text for part in (_plain(block), "")]
    lines += [f"- {fact}" for fact in _facts(card)]
    lines += ["", "## Distances", "", "| distance | as the engine has it |", "|---|---|"]
    lines += [f"| {own} | {_cell(said)} |" for own, said in card["distances"].items()]
    for title in ("build", "search"):
        if card[f"{title}_settings"]:
            lines += [
                "",
                f"## Settings of a {title}",
                "",
                "| setting | else | range | what it is |",
                "|---|---|---|---|",
            ]
            lines += [_setting(own) for own in card[f"{title}_settings"]]
    lines += ["", "## Traps", "", *(f"- {_plain(trap)}" for trap in notes.traps)]
    if notes.example:
        lines += ["", "## Example", "", f"    truerecall run {notes.example} {ASKED}"]
    return "\n".join(lines) + "\n"


def _facts(card: dict[str, Any]) -> list[str]:
    install = "comes with truerecall" if card["extra"] is None else f"`pip install 'truerecall[{card['extra']}]'`"
    tested = "itself" if card["tested"] == "real" else "a stub: no server was at hand"
    return [
        f"to install: {install}",
        f"tested against: {tested}",
        *(CAN[own] for own in CAN if own in card["capabilities"]),
    ]


def _setting(own: dict[str, Any]) -> str:
    default = "must be given" if own["default"] is None else f"`{own['default']}`"
    effort = "; more is more effort" if own["more_is_more_effort"] else ""
    return f"| `{own['name']}` | {default} | {range_text(own)} | {_cell(own['meaning'])}{effort} |"


def _index(names: list[str]) -> str:
    rows = []
    for name in names:
        card = card_of(name, engines)
        extra = "" if card["extra"] is None else f"`{card['extra']}`"
        can = ", ".join(own for own in CAN if own in card["capabilities"])
        rows.append(f"| [{name}]({name}.md) | {extra} | {card['tested']} | {can} | {', '.join(card['distances'])} |")
    head = ["<!-- Made by `make pages`. -->", "", "# Engines", "", INTRO, ""]
    return "\n".join([*head, "| engine | extra | tested | can | distances |", "|---|---|---|---|---|", *rows]) + "\n"


def _plain(text: str) -> str:
    return text.replace("``", "`")


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|").replace("<", "&lt;")


def main(arguments: list[str]) -> int:
    return written(PAGES, pages(), check=arguments == ["--check"])


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
