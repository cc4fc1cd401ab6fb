"""What a plan comes to: which indexes are built and which points are measured on each, all checked beforehand."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from truerecall.errors import InputError, MissingExtra, UnknownName, nearest_name, plain_name
from truerecall.model.engine import Engine, Setting, Settings
from truerecall.model.ids import order_digest
from truerecall.model.plan import EnginePlan, Plan
from truerecall.model.settings import checked_settings
from truerecall.model.vectors import Corpus, Fingerprint
from truerecall.store.artefact import canonical_json


@dataclass(frozen=True)
class BuildPlan:
    """One index and the points measured on it: ``points`` maps a file name to the search settings.

    ``key`` says from what the index is built: equal keys, the same build but for chance.
    """

    key: str
    settings: Settings
    points: dict[str, Settings]


def checked_grid(plan: Plan, own: EnginePlan, engine: Engine, dimensions: int) -> list[tuple[Settings, Settings]]:
    """The build and the search settings of each combination of the grid, under their proper names.

    Every name, value and number of the plan is checked here, before anything is read or built.
    """
    _demand_sane(plan, own)
    if engine.version() is None:
        raise MissingExtra(engine.name, engine.extra or engine.name)
    distance = plan.distance
    if distance not in engine.distances:
        raise InputError(f"{engine.name} has no {distance}", f"choose one of: {', '.join(engine.distances)}")
    checked = []
    for combination in own.grid():
        build, search = _split(combination, engine)
        searchable = engine.search_settings(build, distance=distance, dimensions=dimensions)
        checked.append((build, _checked_search(search, searchable, engine.build_settings)))
    return checked


def _demand_sane(plan: Plan, own: EnginePlan) -> None:
    """Raises InputError for a number in the plan that cannot be, and for a setting that is both fixed and varied."""
    for name, value, least in (("threads", plan.threads, 1), ("warmup_calls", plan.warmup_calls, 0)):
        if value < least:
            raise InputError(f"{name} is {value}", f"give a whole number not below {least}")
    varied = {plain_name(name) for name in own.varied}
    for name in own.fixed:
        if plain_name(name) in varied:
            raise InputError(f"{name} is set and varied too", "do one of the two")


def builds_of(
    plan: Plan,
    own: EnginePlan,
    engine: Engine,
    corpus: Corpus,
    *,
    corpus_fingerprint: Fingerprint,
    query_fingerprint: Fingerprint,
) -> list[BuildPlan]:
    """The grid as builds, in the order in which each first occurs, its points in the order of the grid.

    Rows in another order make another build, though the fingerprint is the same where ids are given: an index speaks
    of rows by their numbers, and a graph depends on the order in which it was filled. Points that occur twice are
    measured once.
    """
    order = order_digest(corpus.given_ids)
    found: dict[str, BuildPlan] = {}
    for build, search in checked_grid(plan, own, engine, corpus.source.dimensions):
        made_from = [corpus_fingerprint.digest, order, plan.seed, plan.threads]
        origin = [engine.name, engine.version(), dict(build), plan.distance, *made_from]
        entry = found.setdefault(_digest(origin), BuildPlan(_digest(origin), build, {}))
        identity = _digest([*origin, dict(search), plan.k, query_fingerprint.digest, plan.warmup_calls])[:8]
        entry.points[file_name(engine.name, build, search, identity)] = search
    return list(found.values())


def file_name(engine: str, build: Settings, search: Settings, identity: str) -> str:
    """``faiss-IVF256_PQ16-nprobe8.0a1b2c3d.parquet``: readable, safe on any file system, and one per point."""
    words = "-".join(
        _safe(text)
        for text in (
            engine,
            "_".join(str(value) if isinstance(value, str) else f"{name}{value}" for name, value in build.items()),
            "_".join(f"{name}{value}" for name, value in search.items()),
        )
        if text
    )
    return f"{words[:150]}.{identity}.parquet"


def _safe(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "_", text).strip("_.")


def _split(combination: Settings, engine: Engine) -> tuple[Settings, Settings]:
    build_names = {plain_name(setting.name) for setting in engine.build_settings}
    build = {name: value for name, value in combination.items() if plain_name(name) in build_names}
    search = {name: value for name, value in combination.items() if plain_name(name) not in build_names}
    for setting in engine.build_settings:
        if setting.default is None and setting.name not in build:
            for name in search:
                if nearest_name(name, [setting.name]):
                    raise UnknownName("setting", name, [setting.name])
    return checked_settings(build, engine.build_settings), search


def _checked_search(search: Settings, searchable: Sequence[Setting], buildable: Sequence[Setting]) -> Settings:
    """As ``checked_settings``, but a misspelt name may have been meant for the build too."""
    known = {plain_name(setting.name) for setting in searchable}
    for name in search:
        if plain_name(name) not in known:
            raise UnknownName("setting", name, (setting.name for setting in (*searchable, *buildable)))
    return checked_settings(search, searchable)


def _digest(document: Any) -> str:
    return hashlib.blake2b(canonical_json(document), digest_size=16).hexdigest()
