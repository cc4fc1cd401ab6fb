"""What an engine says of itself, for a table, a page and a document: from the engine and the docstring of its file."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from truerecall.cli.engine_notes import Notes, notes_of
from truerecall.cli.values import parse_set
from truerecall.errors import TruerecallError
from truerecall.model.engine import Engine, Setting
from truerecall.shelf import Shelf

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
"""What each capability means, in the order in which they are told."""
TESTED = {"real": "the engine itself", "stub": "a stub only, not a server"}
ANY_DIMENSIONS = 64
"""Of vectors, where settings are listed for no vectors in particular."""
UNTOLD = (
    "version",
    "tested_with",
    "title",
    "capabilities",
    "distances",
    "build_settings",
    "search_settings",
    "notes",
    "examples",
)


def card_of(name: str, shelf: Shelf) -> dict[str, Any]:
    """Everything of one engine as plain values. ``extra``: what to install, None where it comes with truerecall.
    ``trouble``: why an engine of another package cannot be told of; empty where it can."""
    try:
        engine: Engine = shelf.get(name)
        version, notes = engine.version(), notes_of(engine)
        settings = [setting_card(setting) for setting in engine.build_settings]
        searching = search_cards(engine, notes)
    except Exception as error:  # whatever the code of another package does, the list of all others is shown
        trouble = f"{type(error).__name__}: {error}"
        return (
            {"name": name, "installed": False, "extra": None, "tested": ""}
            | dict.fromkeys(UNTOLD)
            | {"trouble": trouble}
        )
    return {
        "name": engine.name,
        "installed": version is not None,
        "extra": engine.extra,
        "version": version,
        "tested": engine.tested,
        "tested_with": engine.tested_with,
        "title": notes.head,
        "capabilities": [own for own in CAN if own in engine.capabilities],
        "distances": dict(engine.distances),
        "build_settings": settings,
        "search_settings": searching,
        "notes": {
            "text": list(notes.text),
            **{title.lower(): text for title, text in notes.stated.items()},
            "traps": list(notes.traps),
            "code": notes.code,
        },
        "examples": list(notes.examples),
        "trouble": "",
    }


def search_cards(engine: Engine, notes: Notes) -> list[dict[str, Any]]:
    """What a search on indexes as in the examples of an engine can be told; none where nobody can say without one.

    ``of``: the build settings of the examples to which a setting belongs, empty where it belongs to all of them."""
    owners: dict[Setting, list[str]] = {}
    known = {setting.name for setting in engine.build_settings}
    builds = dict.fromkeys(_built_with(example, known) for example in notes.examples or ("",))
    for build in builds:
        try:
            own = engine.search_settings(
                parse_set(list(build)), distance=next(iter(engine.distances)), dimensions=ANY_DIMENSIONS
            )
        except TruerecallError:
            continue
        for setting in own:
            owners.setdefault(setting, []).append(" ".join(build))
    return [setting_card(setting) | {"of": of if len(of) < len(builds) else []} for setting, of in owners.items()]


def _built_with(example: str, known: set[str]) -> tuple[str, ...]:
    """The build settings in the flags of an example, as they stand there."""
    flags = pairwise(example.split())
    return tuple(own for flag, own in flags if flag == "--set" and own.partition("=")[0] in known)


def search_groups(card: dict[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    """The search settings with a title for each group of them that belongs to the same builds."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for setting in card["search_settings"]:
        of = f" where {' or '.join(setting['of'])}" if setting["of"] else ""
        groups.setdefault(f"Settings of a search{of}", []).append(setting)
    return list(groups.items())


def setting_card(setting: Setting) -> dict[str, Any]:
    return {
        "name": setting.name,
        "type": setting.kind.__name__,
        "meaning": setting.meaning,
        "default": setting.default,
        "minimum": setting.minimum,
        "maximum": setting.maximum,
        "more_is_more_effort": setting.more_is_more_effort,
    }


def install_text(card: dict[str, Any]) -> str:
    """How it is installed; commands in backquotes."""
    return "comes with truerecall" if card["extra"] is None else f"`pip install 'truerecall[{card['extra']}]'`"


def tested_text(card: dict[str, Any]) -> str:
    return ": ".join(filter(None, (TESTED[card["tested"]], card["tested_with"])))


def run_command(example: str) -> str:
    """In two lines, as a shell takes them."""
    return f"truerecall run {example} \\\n    --corpus base.npy --queries queries.npy -k 10 --out runs/"


def default_text(setting: dict[str, Any]) -> str:
    return "must be given" if setting["default"] is None else str(setting["default"])


def meaning_text(setting: dict[str, Any]) -> str:
    return str(setting["meaning"]) + ("; more is more effort" if setting["more_is_more_effort"] else "")


def range_text(setting: dict[str, Any]) -> str:
    """``1 to 1000``, ``from 1``; empty where any value will do."""
    low, high = (None if own is None else f"{own:g}" for own in (setting["minimum"], setting["maximum"]))
    if setting["maximum"] is not None and setting["maximum"] >= 2**31 - 1:
        high = None
    if low is not None and high is not None:
        return f"{low} to {high}"
    return f"from {low}" if low is not None else f"up to {high}" if high is not None else ""
