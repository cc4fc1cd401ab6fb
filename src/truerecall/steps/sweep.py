"""What a plan comes to: which indexes are built and which points are measured on each, all checked beforehand."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from truerecall import shelf
from truerecall.errors import InputError, MissingExtra, UnknownName, UnservedDistance, nearest_name, plain_name
from truerecall.model.engine import Engine, Setting, Settings
from truerecall.model.ids import order_digest
from truerecall.model.mode import ONE_BY_ONE, Mode
from truerecall.model.plan import LARGEST_GRID, EnginePlan, Plan
from truerecall.model.run import called
from truerecall.model.settings import checked_settings
from truerecall.model.source import CorpusSource
from truerecall.model.vectors import Corpus
from truerecall.steps.attached import attached, demand_capable
from truerecall.steps.narrow import NO_FILTERS, Behind, Narrows
from truerecall.steps.rounds import build_seed
from truerecall.store.artefact import canonical_json


@dataclass(frozen=True)
class PointPlan:
    """One pass: search settings, how the queries are asked, and the filter behind which is searched, None where all
    rows may answer. ``file``: the name of the Run file of each repeat."""

    search: Settings
    mode: Mode
    files: tuple[str, ...]
    behind: Behind | None = None


@dataclass(frozen=True, eq=False)
class BuildPlan:
    """One index and the points measured on it, in the order of the grid.

    ``key`` says from what the index is built: equal keys, the same build but for chance. ``number``: which of several
    builds of the same settings it is. ``effort`` and ``limiting`` name search settings (see Setup). ``attach`` and
    ``dsn_file`` as in EnginePlan; of an index that exists, the key says what it is.
    """

    key: str
    engine: Engine
    settings: Settings
    seed: int
    number: int
    effort: tuple[str, ...]
    limiting: tuple[str, ...]
    attach: str
    dsn_file: Path | None
    points: list[PointPlan] = field(default_factory=list)

    @property
    def files(self) -> Iterator[str]:
        return (file for point in self.points for file in point.files)

    @property
    def words(self) -> str:
        """What is built, as a person would call it."""
        return called(self.engine.name, self.settings)


@dataclass(frozen=True)
class Combination:
    """One combination of a grid under its proper names. ``searchable``: what a search on such a build can be told;
    ``exists``: the digest of an index that is attached to, empty where one is built."""

    build: Settings
    search: Settings
    searchable: tuple[Setting, ...]
    exists: str = ""


def checked_grid(plan: Plan, own: EnginePlan, engine: Engine, source: CorpusSource) -> list[Combination]:
    """Each combination of the grid, split into what is built and what is told to a search.

    Every name, value and number of the plan is checked here, before anything is read or built.
    """
    _demand_sane(plan, own)
    if engine.version() is None:
        raise MissingExtra(engine.name, engine.extra or engine.name)
    distance = plan.distance
    if distance not in engine.distances:
        raise UnservedDistance(engine.name, distance, engine.distances)
    for where in plan.filters:
        engine.demand_filter(where)
    if own.attach:
        return _checked_search_grid(plan, own, engine, source)
    demand_capable(engine, "build")
    checked = []
    for combination in own.grid():
        build, search = _split(combination, engine)
        searchable = engine.search_settings(build, distance=distance, dimensions=source.dimensions)
        if plan.filters:
            engine.demand_filterable(build, distance=distance, dimensions=source.dimensions)
        checked.append(Combination(build, _checked_search(search, searchable, engine.build_settings), searchable))
    return checked


def _checked_search_grid(plan: Plan, own: EnginePlan, engine: Engine, source: CorpusSource) -> list[Combination]:
    """The same of an index that exists, which is looked at."""
    demand_capable(engine, "attach")
    if plan.builds > 1:
        raise InputError(f"{own.attach} exists, and the plan asks for {plan.builds} builds", "ask for one")
    found = attached(own, engine, plan.distance, source)
    name = {"attach": own.attach}
    return [
        Combination(name, _checked_search(search, found.searchable, ()), found.searchable, found.digest)
        for search in own.grid()
    ]


def _demand_sane(plan: Plan, own: EnginePlan) -> None:
    """Raises InputError for a number in the plan that cannot be, for a setting that is both fixed and varied, and for a
    grid that is taken for a slip."""
    numbers = {"threads": 1, "warmup_calls": 0, "seed": 0, "repeats": 1, "builds": 1, "resident": 1}
    for name, least in numbers.items():
        value = getattr(plan, name)
        if value < least:
            raise InputError(f"{name} is {value}", f"give a whole number not below {least}")
    if not plan.modes:
        raise InputError("the plan has no mode", "give one-by-one, or as batch:64, or as clients:4")
    points = math.prod(len(values) for values in own.varied.values())
    if points > LARGEST_GRID:
        raise InputError(f"the grid of {own.engine} has {points:,} points", f"vary less: at most {LARGEST_GRID:,}")
    varied = {plain_name(name) for name in own.varied}
    for name in own.fixed:
        if plain_name(name) in varied:
            raise InputError(f"{name} is set and varied too", "do one of the two")


def builds_of(
    plan: Plan, corpus: Corpus, *, corpus_digest: str, query_digest: str, narrows: Narrows = NO_FILTERS
) -> list[BuildPlan]:
    """The plan as builds, in the order in which each first occurs, with their points in the order of the grids.

    Rows in another order make another build, though the fingerprint is the same where ids are given: an index speaks
    of rows by their numbers, and a graph depends on the order in which it was filled. What occurs twice is measured
    once. Every point is measured without a filter first, then behind each of ``narrows``.
    """
    made_from = [corpus_digest, order_digest(corpus.given_ids), plan.threads, plan.distance]
    made_from += [narrows.digest] if narrows.each else []
    asked_with = [plan.k, query_digest, plan.warmup_calls]
    found: dict[str, BuildPlan] = {}
    for own in plan.engines:
        engine: Engine = shelf.engines.get(own.engine)
        for combination in checked_grid(plan, own, engine, corpus.source):
            for number in range(plan.builds):
                seed = build_seed(plan.seed, number)
                origin = [engine.name, engine.version(), dict(combination.build), *made_from, seed, number]
                if combination.exists:
                    origin.append(combination.exists)
                key = combination.exists or _digest(origin)
                build = found.setdefault(key, _build_plan(key, own, engine, combination, seed, number))
                for mode, behind in product(plan.modes, (None, *narrows.each)):
                    point = _point_plan(build, combination.search, mode, behind, plan.repeats, [*origin, *asked_with])
                    if all(point.files != known.files for known in build.points):
                        build.points.append(point)
    return list(found.values())


def _build_plan(
    key: str, own: EnginePlan, engine: Engine, combination: Combination, seed: int, number: int
) -> BuildPlan:
    effort = tuple(setting.name for setting in combination.searchable if setting.more_is_more_effort)
    limiting = tuple(setting.name for setting in combination.searchable if setting.limits_answers)
    return BuildPlan(key, engine, combination.build, seed, number, effort, limiting, own.attach, own.dsn_file)


def _point_plan(
    build: BuildPlan, search: Settings, mode: Mode, behind: Behind | None, repeats: int, origin: Sequence[Any]
) -> PointPlan:
    files = []
    narrowed = [] if behind is None else [behind.narrowed.text, behind.narrowed.told]
    for repeat in range(repeats):
        identity = _digest([*origin, dict(search), str(mode), repeat, *narrowed])[:8]
        files.append(file_name(build, search, mode, behind, repeat, identity))
    return PointPlan(search, mode, tuple(files), behind)


def file_name(build: BuildPlan, search: Settings, mode: Mode, behind: Behind | None, repeat: int, identity: str) -> str:
    """``faiss-IVF256_PQ16-nprobe8-batch_64-build0-pass2.0a1b2c3d.parquet``: readable, safe on any file system, and one
    for each pass. One by one is not said, nor that there is no filter."""
    words = "-".join(
        _safe(text)
        for text in (
            build.engine.name,
            "_".join(
                str(value) if isinstance(value, str) else f"{name}{value}" for name, value in build.settings.items()
            ),
            "_".join(f"{name}{value}" for name, value in search.items()),
            "" if mode == ONE_BY_ONE else str(mode),
            "" if behind is None else f"where_{behind.narrowed.text}",
        )
        if text
    )
    return f"{words[:150]}-build{build.number}-pass{repeat}.{identity}.parquet"


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
