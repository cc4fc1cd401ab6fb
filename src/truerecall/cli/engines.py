"""``truerecall engines``: the engines on the shelf, and what each needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from truerecall.cli.options import Json
from truerecall.cli.output import print_json, print_rich
from truerecall.errors import MissingExtra

if TYPE_CHECKING:
    from truerecall.shelf import Shelf


def engines(*, json: Json = False) -> None:
    """List the engines: what is installed, what each can do, and against what it is tested."""
    cards = _cards()
    if json:
        print_json(cards)
        return
    from truerecall.cli.tables import table

    shown = [
        (
            card["name"],
            card["version"] if card["installed"] else "not installed",
            card["extra"] or "",
            card["tested"],
            ", ".join(card["capabilities"]),
            ", ".join(card["distances"]),
            ", ".join(setting["name"] for setting in card["build_settings"]),
        )
        for card in cards
    ]
    print_rich(table(("engine", "version", "extra", "tested", "can", "distances", "build settings"), shown))


def _cards() -> list[dict[str, Any]]:
    from truerecall.shelf import engines as shelf

    return [_card(name, shelf) for name in shelf.names()]


def _card(name: str, shelf: Shelf) -> dict[str, Any]:
    try:
        engine = shelf.get(name)
    except (MissingExtra, ModuleNotFoundError):
        return _absent(name)
    version = engine.version()
    return {
        "name": engine.name,
        "installed": version is not None,
        "extra": engine.extra,
        "version": version,
        "tested": engine.tested,
        "capabilities": sorted(engine.capabilities),
        "distances": dict(engine.distances),
        "build_settings": [_setting(setting) for setting in engine.build_settings],
    }


def _absent(name: str) -> dict[str, Any]:
    unknown: dict[str, Any] = {"version": None, "tested": "", "capabilities": [], "distances": {}, "build_settings": []}
    return {"name": name, "installed": False, "extra": name, **unknown}


def _setting(setting: Any) -> dict[str, Any]:
    return {
        "name": setting.name,
        "type": setting.kind.__name__,
        "meaning": setting.meaning,
        "default": setting.default,
        "minimum": setting.minimum,
        "maximum": setting.maximum,
    }
