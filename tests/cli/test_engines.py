"""``truerecall engines``: what is on the shelf, what each needs and can, and what it does with engines of others."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from rich.console import Console

from tests.cli.conftest import Verb
from truerecall.cli.engine_card import CAN, card_of
from truerecall.cli.engine_faces import EngineFace, EngineList
from truerecall.engines._base import BareEngine
from truerecall.model.engine import Setting
from truerecall.shelf import engines


class Absent(BareEngine):
    """An engine whose library is not there."""

    name = "absent"
    extra = "absent-extra"
    capabilities = frozenset({"build", "delete"})
    distances: Mapping[str, str] = {"l2": "[as] it `says`"}
    build_settings = (Setting("m", int, "links", 16, 2, 64),)

    def version(self) -> str | None:
        return None

    def search_settings(self, *_: Any, **__: Any) -> tuple[Setting, ...]:
        return ()


class Broken:
    """What another package put on the shelf, and is no engine."""

    def __getattr__(self, name: str) -> Any:
        raise ImportError("libneedle.so.3: cannot open shared object file")


def shown(face: Any, width: int) -> str:
    console = Console(width=width, force_terminal=False, highlight=False)
    with console.capture() as captured:
        console.print(face)
    return captured.get()


def test_every_engine_is_told_as_the_contract_says(verb: Verb) -> None:
    cards = json.loads(verb("engines", "--json"))
    assert [card["name"] for card in cards] == engines.names()
    for card in cards:
        engine = engines.get(card["name"])
        assert (card["extra"], card["tested"]) == (engine.extra, engine.tested)
        assert card["version"] == engine.version()
        assert card["installed"] == (engine.version() is not None)
        assert card["tested_with"] == engine.tested_with
        assert set(card["capabilities"]) == engine.capabilities <= set(CAN)
        assert card["distances"] == dict(engine.distances)
        assert [own["name"] for own in card["build_settings"]] == [own.name for own in engine.build_settings]
        assert card["trouble"] == ""


def test_one_engine_is_told_alone(verb: Verb) -> None:
    card = json.loads(verb("engines", "sqlite-vec", "--json"))
    assert card == card_of("sqlite_vec", engines)
    assert "did you mean" in verb("engines", "usaerch", status=2)


def test_search_settings_say_to_which_build_they_belong() -> None:
    belongs = {own["name"]: own["of"] for own in card_of("faiss", engines)["search_settings"]}
    assert belongs["efSearch"] == ["factory=HNSW32"]
    assert belongs["nprobe"] == ["factory=IVF16,Flat", "factory=IVF16,PQ8x4fs,RFlat"]
    assert {own["name"]: own["of"] for own in card_of("hnswlib", engines)["search_settings"]} == {"ef": []}


def test_what_is_not_installed_says_what_to_install(verb: Verb) -> None:
    with engines.lend("absent", Absent()):
        card = json.loads(verb("engines", "absent", "--json"))
        assert (card["installed"], card["version"], card["extra"]) == (False, None, "absent-extra")
        listed, told = verb("engines"), verb("engines", "absent")
    assert re.search(r"^ absent +–", listed, re.M)
    assert re.search(r"Not installed here:.* absent", listed)
    assert re.search(r"pip install 'truerecall\[absent-extra", listed)
    assert "not installed" in told
    assert "[as] it says" in told


def test_a_broken_package_of_others_takes_down_no_list(verb: Verb) -> None:
    with engines.lend("needle", Broken()):
        listed = verb("engines")
        cards = {card["name"]: card for card in json.loads(verb("engines", "--json"))}
        refused = verb("engines", "needle", status=2)
    assert cards["faiss"]["installed"]
    assert not cards["needle"]["installed"]
    assert "needle cannot be loaded: ImportError: libneedle.so.3: cannot open shared object file" in listed
    assert "mend or remove the package" in refused


@pytest.mark.parametrize("width", [80, 111, 112, 149, 150, 200])
def test_nothing_is_cut_in_any_terminal(width: int) -> None:
    cards = [card_of(name, engines) for name in engines.names()]
    lines = shown(EngineList(cards), width).splitlines()
    assert max(map(len, lines)) <= width
    (head,) = [line for line in lines if line.lstrip().startswith("engine ")]
    assert [word for word in head.split() if word in (*CAN, "change")] == [*list(CAN)[:-2], "change"]
    assert ("distances" in head) == (width >= 112)
    assert ("tested with" in head) == (width >= 150)
    for card in cards:
        (line,) = [line for line in lines if line.startswith(f" {card['name']} ")]
        assert line.count("•") == len({*card["capabilities"]} - {"delete", "update"}) + (
            "update" in card["capabilities"]
        )
        told = shown(EngineFace(card), width)
        assert max(map(len, told.splitlines())) <= width
        flowing = " ".join(told.split())
        for setting in (*card["build_settings"], *card["search_settings"]):
            assert setting["name"] in told
        for trap in card["notes"]["traps"]:
            assert trap.replace("`", "") in flowing
        assert "…" not in told
