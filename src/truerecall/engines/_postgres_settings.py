"""The settings of pgvector's indexes, under pgvector's names without the ``hnsw.`` and ``ivfflat.`` before them."""

from __future__ import annotations

from collections.abc import Mapping

from truerecall.engines._choice import checked_choice
from truerecall.errors import InputError
from truerecall.model.engine import Setting, Settings, Value
from truerecall.model.settings import checked_settings

METHODS = ("hnsw", "ivfflat")
LARGEST_WIDTH = {"vector": 2000, "halfvec": 4000, "bit": 64000}
"""What an index takes of each type, in dimensions or bits."""
BUILD_SETTINGS = (
    Setting("index", str, "hnsw or ivfflat", "hnsw"),
    Setting("type", str, "of the column: vector, halfvec, or bit (always, and only, for hamming)", "vector"),
    Setting("m", int, "links of a node of hnsw", 16, 2, 100),
    Setting("ef_construction", int, "candidates while hnsw is built, at least twice m", 64, 4, 1000),
    Setting("lists", int, "lists of ivfflat", 100, 1, 32768),
)
OPTIONS = {"hnsw": ("m", "ef_construction"), "ivfflat": ("lists",)}
LARGEST = 2**31 - 1
EF_SEARCH = Setting(
    "ef_search", int, "candidates; no more come back without an iterative scan", 40, 1, 1000, True, limits_answers=True
)
MORE_TUPLES = Setting("max_scan_tuples", int, "rows that an iterative scan may visit", 20000, 1, LARGEST, True)
MORE_MEMORY = Setting("scan_mem_multiplier", float, "memory of an iterative scan, in work_mem", 1.0, 1, 1000, True)


def build_of(settings: Settings, distance: str, width: int) -> dict[str, Value]:
    """All settings of a build with their defaults: ``index``, ``type`` and the options of that index.

    ``width``: dimensions, or bits. Raises InputError for what cannot be built.
    """
    given = checked_settings(settings, BUILD_SETTINGS)
    method = checked_choice("index", given.get("index", "hnsw"), METHODS)
    usual = "bit" if distance == "hamming" else "vector"
    kinds = ("bit",) if distance == "hamming" else ("vector", "halfvec")
    kind = checked_choice("type", given.get("type", usual), kinds)
    for name in given:
        if name not in ("index", "type", *OPTIONS[method]):
            raise InputError(f"{name} means nothing to {method}", "leave it out")
    if method == "ivfflat" and distance == "l1":
        raise InputError("ivfflat has no l1", "set index to hnsw")
    if width > LARGEST_WIDTH[kind]:
        problem = f"an index on {kind} takes up to {LARGEST_WIDTH[kind]} dimensions and these are {width}"
        raise InputError(problem, "set type to halfvec, which takes 4000" if kind == "vector" else "give fewer")
    defaults = {setting.name: setting.default for setting in BUILD_SETTINGS}
    options = {name: given.get(name, defaults[name]) for name in OPTIONS[method]}
    build = {"index": method, "type": kind, **{name: value for name, value in options.items() if value is not None}}
    if method == "hnsw" and int(build["ef_construction"]) < 2 * int(build["m"]):
        raise InputError(f"ef_construction is {build['ef_construction']} and m is {build['m']}", "give at least 2 m")
    return build


def searchable(method: str, lists: int) -> tuple[Setting, ...]:
    """What a search through an index of this method can be told; ``lists``: of an ivfflat."""
    if method == "hnsw":
        return (EF_SEARCH, _iterative("off, strict_order or relaxed_order"), MORE_TUPLES, MORE_MEMORY)
    if method == "ivfflat":
        return (
            Setting("probes", int, "lists that are searched", 1, 1, lists, True),
            _iterative("off or relaxed_order"),
            Setting("max_probes", int, "lists that an iterative scan may search", 32768, 1, 32768, True),
        )
    return ()


def words_of(method: str) -> tuple[str, ...]:
    """What ``iterative_scan`` may be."""
    return ("off", "strict_order", "relaxed_order") if method == "hnsw" else ("off", "relaxed_order")


def checked_search(settings: Settings, known: tuple[Setting, ...], method: str) -> Mapping[str, Value]:
    """The settings as ``checked_settings`` gives them, with words that pgvector has. Raises InputError."""
    checked = checked_settings(settings, known)
    if "iterative_scan" in checked:
        checked_choice("iterative_scan", checked["iterative_scan"], words_of(method))
    return checked


def _iterative(words: str) -> Setting:
    return Setting("iterative_scan", str, f"go on where too few rows came: {words}", "off")
