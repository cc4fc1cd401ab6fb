"""A measurement as it is written down: in a ``truerecall.toml``, in flags, or in both.

    corpus = "docs.npy"              # files are named as seen from this one; or ENGINE:NAME
    queries = "queries.npy"
    distance = "cosine"
    k = 10
    out = "runs"
    modes = ["one-by-one", "clients:4"]

    [[engine]]                       # a section for each engine, or for each family of its indexes
    name = "faiss"
    set = { factory = "HNSW32" }     # or attach = "items?id=id&vector=embedding", for an index that exists
    vary = { efSearch = [16, 32, 64] }

Every key has the name of a flag of ``run`` and means the same; ``modes`` and ``engine`` are lists of what the flags say
once.
"""

# Annotations stay objects here: as strings cattrs would read them without what Annotated says.
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from truerecall import shelf
from truerecall.errors import FormatError, InputError, UnknownName, plain_name
from truerecall.model.amounts import parse_share, parse_size
from truerecall.model.distance import distance_named
from truerecall.model.engine import Setting, Value
from truerecall.model.filter import Filter
from truerecall.model.mode import Mode
from truerecall.model.plan import ON_FAILURE, EnginePlan, OnFailure, Plan
from truerecall.model.selectivity import PER_CENT, share_filter
from truerecall.model.settings import checked_value
from truerecall.store.filter_text import parse_filter
from truerecall.store.live import live_name
from truerecall.store.structuring import Problem, Read, structured


@dataclass(frozen=True)
class Configuration:
    """A plan and what it is about. ``truth``: None to look for one beside the runs, or build it. ``dsn_file``: says how
    the server is reached in which a corpus lies. ``attributes``: holds the columns that filters look at, None where the
    corpus does."""

    plan: Plan
    corpus: Path
    queries: Path
    out: Path
    ids: Path | None = None
    query_ids: Path | None = None
    truth: Path | None = None
    labels: Path | None = None
    relevant_from: float | None = None
    model: str | None = None
    max_drift: float | None = None
    memory_bytes: int | None = None
    dsn_file: Path | None = None
    attributes: Path | None = None


def read_configuration(file: Path | None, given: Mapping[str, Any]) -> Configuration:
    """What a file says, and ``given`` in its place: values under the names of the keys, as the file would have them;
    a Path is taken as it is, a file named in the file as seen from there.

    Raises FormatError for a file that is not TOML, InputError that names everything that is wrong, with its place.
    """
    folder = Path() if file is None else file.parent
    table = {**({} if file is None else _table(file)), **given}
    if isinstance(table.get("corpus"), str) and live_name(table["corpus"]):
        table["corpus"] = Path(table["corpus"])  # the address of something that is no file
    found = structured(table, _Written, folder=folder)
    if isinstance(found, _Written):
        return found.configuration()
    raise _refusal(file, given, found)


def _table(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"{file} is no TOML: {error}", "correct it") from None


def _refusal(file: Path | None, given: Mapping[str, Any], problems: list[Problem]) -> InputError:
    """All problems in one line, each with its flag or its place in the file."""
    absent = [problem.place for problem in problems if problem.absent and "[" not in problem.place]
    placed = [
        replace(problem, place=_flag(problem.key) if problem.key in given else f"{file}: {problem.place}".rstrip(": "))
        for problem in problems
        if problem.place not in absent
    ]
    told = list(dict.fromkeys(placed))  # a flag that is given twice can be wrong in the same way twice
    if absent:
        missing = f"{', '.join(map(_flag, absent))} {'is' if len(absent) == 1 else 'are'} missing"
        elsewhere = "a --plan FILE that has it" if file is None else f"write it in {file}"
        told.append(Problem("", missing, f"give that, or {elsewhere}"))
    if len(told) == 1:
        return InputError(": ".join(filter(None, (told[0].place, told[0].problem))), told[0].remedy)
    return InputError("; ".join(map(str, told)), "correct that")


def _flag(key: str) -> str:
    """The flag that says what this key says."""
    return {"k": "-k", "modes": "--mode", "filters": "--filter"}.get(key) or f"--{key.replace('_', '-')}"


def _number(kind: type, least: float) -> Read:
    known = Setting("it", kind, "", minimum=least)
    return Read(lambda value: checked_value(known, value))


def _value(value: Any) -> Value:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise InputError(f"it is {value!r}", "give a number or a word")
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"it is {value!r}", "give a number that is one")
    return value


def _word(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"it is {value!r}", "give a word")
    return value


def _share_filter(value: Any) -> Filter | None:
    """None for all rows, which need no filter."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"it is {value!r}", PER_CENT)
    return None if value == 100 else share_filter(float(value))


def _on_failure(value: Any) -> OnFailure:
    word = plain_name(_word(value))
    for known in ON_FAILURE:
        if plain_name(known) == word:
            return known
    raise UnknownName("way to go on", value, ON_FAILURE)


def _size(value: Any) -> int:
    return parse_size(str(value) if type(value) is int else _word(value))


def _share(value: Any) -> float:
    return parse_share(str(value) if type(value) in (int, float) else _word(value))


Whole = Annotated[int, _number(int, 0)]
Counted = Annotated[int, _number(int, 1)]
Given = Annotated[Value, Read(_value)]


@dataclass(frozen=True)
class _Section:
    """One engine over one grid."""

    name: Annotated[str, Read(lambda value: shelf.engines.spelling(_word(value)))]
    set: dict[str, Given] = field(default_factory=dict)
    vary: dict[str, tuple[Given, ...]] = field(default_factory=dict)
    attach: Annotated[str, Read(_word)] = ""
    dsn_file: Path | None = None

    def plan(self, dsn_file: Path | None) -> EnginePlan:
        return EnginePlan(self.name, self.set, self.vary, self.attach, self.dsn_file or dsn_file)


@dataclass(frozen=True)
class _Written:
    """The keys of the file."""

    corpus: Path
    queries: Path
    distance: Annotated[str, Read(lambda value: distance_named(_word(value)).name)]
    k: Counted
    out: Path
    engine: tuple[_Section, ...]
    ids: Path | None = None
    query_ids: Path | None = None
    truth: Path | None = None
    labels: Path | None = None
    relevant_from: Annotated[float, _number(float, 0)] | None = None
    model: Annotated[str, Read(_word)] | None = None
    max_drift: Annotated[float, Read(_share)] | None = None
    memory: Annotated[int, Read(_size)] | None = None
    seed: Whole = Plan.seed
    threads: Counted = Plan.threads
    warmup: Whole = Plan.warmup_calls
    repeats: Counted = Plan.repeats
    builds: Counted = Plan.builds
    modes: tuple[Annotated[Mode, Read(lambda value: Mode.parse(_word(value)))], ...] = Plan.modes
    resident: Counted = Plan.resident
    on_failure: Annotated[OnFailure, Read(_on_failure)] = Plan.on_failure
    filters: tuple[Annotated[Filter, Read(lambda value: parse_filter(_word(value)))], ...] = ()
    selectivity: tuple[Annotated[Filter | None, Read(_share_filter)], ...] = ()
    attributes: Path | None = None
    dsn_file: Path | None = None

    def configuration(self) -> Configuration:
        plan = Plan(
            tuple(section.plan(self.dsn_file) for section in self.engine),
            self.distance,
            self.k,
            seed=self.seed,
            threads=self.threads,
            warmup_calls=self.warmup,
            repeats=self.repeats,
            builds=self.builds,
            modes=self.modes,
            resident=self.resident,
            filters=(*self.filters, *(own for own in self.selectivity if own is not None)),
            on_failure=self.on_failure,
        )
        files = {"ids": self.ids, "query_ids": self.query_ids, "truth": self.truth, "labels": self.labels}
        return Configuration(
            plan,
            self.corpus,
            self.queries,
            self.out,
            **files,
            relevant_from=self.relevant_from,
            model=self.model,
            max_drift=self.max_drift,
            memory_bytes=self.memory,
            dsn_file=self.dsn_file,
            attributes=self.attributes,
        )
