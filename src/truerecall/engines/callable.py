"""Any Python function ``search(queries, k, **settings)``, from this process or named as ``module:function``.

It is given the queries as they stand, of shape (queries, dimensions), and gives for each the neighbours best first: row
numbers (-1 at the end is padding), or ids where the setting ``names`` says so. Its other parameters are its search
settings, each with a default that says of which type it is; what it makes of them it does not tell. A parameter
``corpus`` is given all vectors, ``distance`` the name of the distance, and ``where`` the text of the filter that holds,
None where there is none. Nothing is known of how it searches.

State
    The number of rows that it was given. Of its index, its settings and its path nothing is known, and nothing is
    claimed.

Costs
    It counts nothing.

Traps
    - Nothing is known of how it searches: checks that need a state say that they cannot tell.
    - Nothing can be read back: that a setting is in force is your word.
    - Each build has a process of its own, in which the module must be found; a function of a notebook is measured
      from Python, with ``callable_engine`` and ``isolation="none"``.
    - Filters are told to a parameter ``where``, as text; a function without one is refused behind filters.
    - It must give each query a list of its own; padding is -1, at the end alone.

Example
    # mysearch.py
    import numpy as np


    def search(queries, k, corpus, width=1.0):
        # Compares as many leading dimensions as width says: 1.0 for all, so that it is exact then.
        leading = max(1, int(width * corpus.shape[1]))
        gaps = corpus[None, :, :leading] - queries[:, None, :leading]
        return np.argsort((gaps**2).sum(axis=2), axis=1, kind="stable")[:, :k]

    --engine callable --set function=mysearch:search --vary width=0.25,0.5,1.0 --distance l2
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import numpy as np

from truerecall.engines._base import BareEngine, BareIndex
from truerecall.engines._choice import checked_choice
from truerecall.errors import InputError
from truerecall.model.arrays import Vectors
from truerecall.model.attributes import Attributes
from truerecall.model.engine import Answer, Capability, IndexState, Place, Setting, Settings, Value
from truerecall.model.filter import Filter
from truerecall.model.settings import checked_settings
from truerecall.model.source import CorpusSource

Search = Callable[..., Any]
NAMES = ("rows", "ids")
FUNCTION = Setting("function", str, "where it is found, as package.module:function")
WHICH_NAMES = Setting("names", str, "what it names its answers by: rows or ids", "rows")
HANDED = ("corpus", "distance", "where")


@dataclass(eq=False)
class CallableIndex(BareIndex):
    """``width``: dimensions of the vectors. ``handed``: what goes with every call beside the settings."""

    function: Search | None
    rows: int
    width: int
    searchable: tuple[Setting, ...]
    handed: dict[str, Any]
    answers: Literal["rows", "ids"] = "rows"
    settings: dict[str, Any] = field(default_factory=dict)
    engine = "callable"

    def configure(self, settings: Settings) -> Settings:
        """What it was told; a function has nothing that could be read back."""
        checked = checked_settings(settings, self.searchable)
        self.settings = {own.name: own.default for own in self.searchable} | checked
        return dict(self.settings)

    def restrict(self, where: Filter | None) -> None:
        if "where" in self.handed:
            self.handed = {**self.handed, "where": None if where is None else str(where)}
        elif where is not None:
            raise _deaf()

    def prepare(self, queries: Vectors) -> Vectors:
        return np.ascontiguousarray(queries)

    def search(self, query: Vectors, k: int) -> Answer:
        return self.search_batch(query, k)[0]

    def search_batch(self, queries: Vectors, k: int) -> Sequence[Answer]:
        found = self.function(queries, k, **self.handed, **self.settings)  # type: ignore[misc]
        return [self._without_padding(own) for own in found]

    def _without_padding(self, own: Any) -> Answer:
        if self.answers == "ids":
            return own.tolist() if isinstance(own, np.ndarray) else list(own)
        rows = np.asarray(own, np.int64)
        return rows[: len(rows) - int(np.argmax(np.append(rows[::-1] != -1, True)))]

    def state(self) -> IndexState:
        return IndexState("a Python function", self.rows, None, None, "none", None, exact_by_design=False)

    def save(self, path: Path) -> None:
        """Nothing but what it was measured over: a function keeps what it keeps."""
        path.write_text(json.dumps({"callable": [self.rows, self.width]}))

    def close(self) -> None:
        self.function = None
        self.handed = {}


class CallableEngine(BareEngine):
    """Measures a function: ``function``, or where that is None the one that the build setting names."""

    capabilities: frozenset[Capability] = frozenset({"build", "save", "filter"})
    distances: Mapping[str, str] = dict.fromkeys(("l2", "ip", "cosine", "l1", "hamming"), "as the function has it")

    def __init__(self, function: Search | None = None, *, name: str = "callable") -> None:
        self.name = name
        self.function = function
        self.build_settings: tuple[Setting, ...] = (WHICH_NAMES,) if function else (FUNCTION, WHICH_NAMES)

    def version(self) -> str | None:
        return "of your own"

    def search_settings(self, build: Settings, *, distance: str, dimensions: int) -> tuple[Setting, ...]:
        self.demand_distance(distance)
        return _settings_of(self._found(self._checked(build)))

    def demand_filterable(self, build: Settings, *, distance: str, dimensions: int) -> None:
        if "where" not in inspect.signature(self._found(self._checked(build))).parameters:
            raise _deaf()

    def build(
        self,
        source: CorpusSource,
        distance: str,
        settings: Settings,
        *,
        seed: int,
        threads: int,
        place: Place,
        attributes: Attributes | None = None,
    ) -> CallableIndex:
        self.demand_distance(distance)
        checked = self._checked(settings)
        function = self._found(checked)
        wanted = inspect.signature(function).parameters
        handed: dict[str, Any] = {"distance": distance} if "distance" in wanted else {}
        if "corpus" in wanted:
            handed["corpus"] = source.take(np.arange(source.rows))
        if "where" in wanted:
            handed["where"] = None
        if attributes is not None:
            self.demand_filterable(checked, distance=distance, dimensions=source.dimensions)
        answers: Literal["rows", "ids"] = "ids" if checked["names"] == "ids" else "rows"
        index = CallableIndex(function, source.rows, source.dimensions, _settings_of(function), handed, answers)
        index.configure({})
        return index

    def load(
        self,
        path: Path,
        source: CorpusSource,
        distance: str,
        settings: Settings,
        *,
        threads: int,
        place: Place,
        attributes: Attributes | None = None,
    ) -> CallableIndex:
        try:
            rows, dimensions = json.loads(path.read_bytes())["callable"]
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{path} is no record of a function", "build it again") from None
        if (rows, dimensions) != (source.rows, source.dimensions):
            held = f"{rows} rows of {dimensions} dimensions and {source.name} {source.rows} of {source.dimensions}"
            raise InputError(f"{path} is of {held}", "build it again")
        return self.build(source, distance, settings, seed=0, threads=threads, place=place, attributes=attributes)

    def _checked(self, settings: Settings) -> dict[str, Value]:
        checked = {"names": "rows", **checked_settings(settings, self.build_settings)}
        checked_choice("names", checked["names"], NAMES)
        return checked

    def _found(self, checked: Settings) -> Search:
        if self.function is not None:
            return self.function
        module, colon, name = str(checked["function"]).partition(":")
        try:
            found: Search = getattr(import_module(module), name)
        except (ImportError, AttributeError, ValueError) as error:
            problem = f"there is no function {checked['function']}: {error}"
            raise InputError(
                problem, "write package.module:function, and have the module where Python finds it"
            ) from None
        if not callable(found) or not colon:
            raise InputError(f"{checked['function']} is no function", "write package.module:function")
        return found


def _deaf() -> InputError:
    return InputError("the function has no parameter where, by which it could be told a filter", "add one")


def _settings_of(function: Search) -> tuple[Setting, ...]:
    """The parameters after the queries and k, but for those that are handed over. Raises InputError for one without a
    default of a number or a word."""
    found = []
    for own in list(inspect.signature(function).parameters.values())[2:]:
        if own.name in HANDED or own.kind in (own.VAR_KEYWORD, own.VAR_POSITIONAL):
            continue
        if type(own.default) not in (int, float, str):
            raise InputError(f"the parameter {own.name} of the function has no default", f"write {own.name}=...")
        found.append(Setting(own.name, type(own.default), "a parameter of the function", own.default))
    return tuple(found)


def callable_engine(function: Search, *, name: str = "callable") -> CallableEngine:
    """An engine that asks this function; lend it to ``truerecall.shelf.engines`` under its name, and measure with
    ``isolation="none"``, for other processes do not see it."""
    return CallableEngine(function, name=name)


engine = CallableEngine()
