"""How engines look in a terminal: all in a table, and all of one; readable down to 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from truerecall.cli.engine_card import (
    CAN,
    default_text,
    install_text,
    meaning_text,
    range_text,
    run_command,
    search_groups,
    tested_text,
)

WIDE, ROOMY = 112, 150
"""From so many columns on the list also shows distances, and everything."""
LINE = 100
"""Prose is no wider than this, whatever the terminal is."""
CHANGES = ("delete", "update")


@dataclass(frozen=True)
class EngineList:
    """A line for each engine, with a mark under what it can do; below it what there is to install."""

    cards: list[dict[str, Any]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wide, roomy = options.max_width >= WIDE, options.max_width >= ROOMY
        shown = Table(box=box.SIMPLE_HEAD, padding=(0, 2, 0, 0) if roomy else 0, pad_edge=False, header_style="bold")
        shown.add_column("engine", no_wrap=True)
        shown.add_column("version")
        shown.add_column("tested")
        columns = [own for own in CAN if own not in CHANGES]
        for own in columns:
            shown.add_column(own, justify="center")
        shown.add_column("change", justify="center")
        if wide:
            shown.add_column("distances", no_wrap=True)
        if roomy:
            shown.add_column("tested with")
        for card in self.cards:
            can = card["capabilities"] or ()
            cells = [Text(card["name"]), Text(card["version"] or "–"), Text(card["tested"])]
            cells += [Text("•" if own in can else "") for own in columns]
            changing = [own for own in CHANGES if own in can]
            cells.append(Text("•" if len(changing) == len(CHANGES) else " ".join(changing)))
            if wide:
                cells.append(Text(", ".join(card["distances"] or ())))
            if roomy:
                cells.append(Text(card["tested_with"] or ""))
            shown.add_row(*cells, style="" if card["installed"] else "dim")
        yield shown
        missing = [card for card in self.cards if not card["installed"] and card["extra"]]
        if missing:
            extras = ",".join(sorted({card["extra"] for card in missing}))
            yield prose(f"Not installed here: {', '.join(card['name'] for card in missing)}.")
            yield command(f"pip install 'truerecall[{extras}]'")
        for card in self.cards:
            if card["trouble"]:
                yield prose(f"{card['name']} cannot be loaded: {card['trouble']}")
        yield prose(
            "tested: in the tests of truerecall against itself (real) or a stub. attach: an index that exists is"
            " measured, and only read. exact: it also searches exhaustively. source: its vectors can be a corpus."
            " change: rows can be deleted and changed."
        )
        yield prose("All of one engine, with its settings and traps: truerecall engines NAME")


@dataclass(frozen=True)
class EngineFace:
    """All of one engine."""

    card: dict[str, Any]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        card, notes = self.card, self.card["notes"]
        yield prose(card["title"], style="bold")
        for block in notes["text"]:
            yield Text()
            yield prose(block)
        yield Text()
        yield pairs(_facts(card))
        yield heading("Distances")
        yield pairs(card["distances"].items())
        building = [("Settings of a build", card["build_settings"])] if card["build_settings"] else []
        for title, listed in (*building, *search_groups(card)):
            yield heading(title)
            yield settings(listed)
        for title in ("state", "costs", "attached"):
            if title in notes:
                yield heading(title.capitalize())
                yield Padding(prose(notes[title]), (0, 0, 0, 2))
        if notes["traps"]:
            yield heading("Traps")
            yield pairs(("•", trap) for trap in notes["traps"])
        if card["examples"]:
            yield heading("Example" if len(card["examples"]) == 1 else "Examples")
            if notes["code"]:
                yield Padding(Text(notes["code"]), (0, 0, 1, 2))
            for example in card["examples"]:
                yield command(run_command(example))


def _facts(card: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "version", card["version"] or "not installed"
    yield "to install", install_text(card).replace("`", "")
    yield "tested against", tested_text(card)
    for place, own in enumerate(card["capabilities"]):
        yield "" if place else "it", CAN[own]


def settings(cards: list[dict[str, Any]]) -> Padding:
    shown = Table(box=box.SIMPLE_HEAD, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    shown.add_column("setting", no_wrap=True)
    shown.add_column("default", overflow="fold")
    shown.add_column("range", no_wrap=True)
    shown.add_column("what it is", overflow="fold", max_width=LINE - 40)
    for card in cards:
        shown.add_row(*map(Text, (card["name"], default_text(card), range_text(card), meaning_text(card))))
    return Padding(shown, (0, 0, 0, 1))


def heading(text: str) -> Padding:
    return Padding(Text(text, style="bold"), (1, 0, 0, 0))


def prose(text: str, *, style: str = "") -> Constrain:
    """Paragraphs as they stand, without Rich's markup; the backquotes around names are for pages."""
    return Constrain(Text(text.replace("`", ""), style=style), LINE)


def pairs(rows: Iterable[tuple[str, str]]) -> RenderableType:
    """Two columns without lines, the second one folding by words."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for left, right in rows:
        grid.add_row(Text(left), Text(right.replace("`", "")))
    return Constrain(Padding(grid, (0, 0, 0, 2)), LINE)


def command(text: str) -> Padding:
    return Padding(Text(text), (0, 0, 0, 2))
