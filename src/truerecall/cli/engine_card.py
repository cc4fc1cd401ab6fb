"""What an engine says of itself, for a table, a page and a document: from the engine and the docstring of its file."""

from __future__ import annotations

import inspect
import sys
import textwrap
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from truerecall.cli.values import parse_set
from truerecall.errors import MissingExtra, TruerecallError
from truerecall.model.engine import Engine, Setting, Settings
from truerecall.shelf import Shelf

SECTIONS = ("Traps", "Example")
ANY_DIMENSIONS = 64
"""Of vectors, where settings are listed for no vectors in particular."""


@dataclass(frozen=True)
class Notes:
    """The docstring of an engine's file. ``head``: its first line; ``text``: the paragraphs after it; ``traps``: each
    in a sentence or two; ``example``: the flags of ``run`` by which it is measured, empty where none are given."""

    head: str
    text: tuple[str, ...] = ()
    traps: tuple[str, ...] = ()
    example: str = ""


def notes_of(engine: Engine) -> Notes:
    """What stands in the file of its class; where that says nothing, what the class says of itself."""
    module = sys.modules[type(engine).__module__]
    told = inspect.cleandoc(module.__doc__ or type(engine).__doc__ or engine.name)
    sections: dict[str, list[str]] = {"": []}
    for line in told.splitlines():
        if line in SECTIONS:
            sections[line] = []
        else:
            sections[list(sections)[-1]].append(line)
    head, *text = [" ".join(block.split()) for block in "\n".join(sections[""]).strip().split("\n\n")]
    traps = textwrap.dedent("\n".join(sections.get("Traps", ()))).strip()
    listed = [" ".join(part.split()) for part in f"\n{traps}".split("\n- ") if part.strip()]
    return Notes(head, tuple(text), tuple(listed), " ".join(" ".join(sections.get("Example", ())).split()))


def search_settings_of(engine: Engine) -> tuple[Setting, ...]:
    """What a search on an index as in the example of the engine can be told; none where nobody can say without it."""
    words = notes_of(engine).example.split()
    build: Settings = parse_set([own for flag, own in pairwise(words) if flag == "--set"])
    own = {name: value for name, value in build.items() if name in {setting.name for setting in engine.build_settings}}
    try:
        return engine.search_settings(own, distance=next(iter(engine.distances)), dimensions=ANY_DIMENSIONS)
    except TruerecallError:
        return ()


def card_of(name: str, shelf: Shelf) -> dict[str, Any]:
    """Everything of one engine as plain values. ``extra``: what to install, None where it comes with truerecall."""
    try:
        engine: Engine = shelf.get(name)
    except (MissingExtra, ModuleNotFoundError):
        return {"name": name, "installed": False, "extra": name, **dict.fromkeys(UNTOLD), "tested": ""}
    version, notes = engine.version(), notes_of(engine)
    return {
        "name": engine.name,
        "installed": version is not None,
        "extra": engine.extra,
        "version": version,
        "tested": engine.tested,
        "title": notes.head,
        "capabilities": sorted(engine.capabilities),
        "distances": dict(engine.distances),
        "build_settings": [setting_card(setting) for setting in engine.build_settings],
        "search_settings": [setting_card(setting) for setting in search_settings_of(engine)],
        "traps": list(notes.traps),
        "example": notes.example,
    }


UNTOLD = ("version", "title", "capabilities", "distances", "build_settings", "search_settings", "traps", "example")


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


def range_text(setting: dict[str, Any]) -> str:
    """``1 to 1000``, ``from 1``; empty where any value will do."""
    low, high = (None if own is None else f"{own:g}" for own in (setting["minimum"], setting["maximum"]))
    if setting["maximum"] is not None and setting["maximum"] >= 2**31 - 1:
        high = None
    if low is not None and high is not None:
        return f"{low} to {high}"
    return f"from {low}" if low is not None else f"up to {high}" if high is not None else ""
