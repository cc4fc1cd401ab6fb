"""The thing under test: an engine builds an index, and the index answers.

Engines never time themselves, never print, and never change the arrays that they are given. A transform of the
user's vectors (normalising, casting) is declared in the state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from truerecall.model.arrays import Integers, Vectors
from truerecall.model.source import CorpusSource

Value = int | float | str
Settings = Mapping[str, Value]
SearchPath = Literal["index", "full scan"]


@dataclass(frozen=True)
class Setting:
    """A setting under the engine's own name.

    ``kind`` is ``int``, ``float`` or ``str``; ``minimum`` and ``maximum`` are inclusive where given; ``default``
    None means that it must be given. ``more_is_more_effort``: whether a larger value makes a search costlier and,
    one hopes, better. ``limits_answers``: whether no more neighbours than its value can come back.
    """

    name: str
    kind: type
    meaning: str
    default: Value | None = None
    minimum: float | None = None
    maximum: float | None = None
    more_is_more_effort: bool | None = None
    limits_answers: bool = False


@dataclass(frozen=True)
class IndexState:
    """What an index says of itself at the search settings in force. None where it does not tell: never guessed.

    ``kind``: the engine's own word. ``rows``: rows it was given; ``indexed_rows``: rows that its index covers.
    ``transform``: what was done to the vectors, in words. ``exact_by_design``: it scans everything at full precision
    and says so. ``path``: how a query is answered at this setting, through the index or by scanning all rows past it;
    ``told``: the engine's own words for that, such as a plan. ``exhaustive``: whether at this setting every row is
    compared at full precision, so that only ties can tell its answers from the truth.
    """

    kind: str
    rows: int
    indexed_rows: int | None
    trained: bool | None
    transform: str
    size_bytes: int | None
    exact_by_design: bool
    path: SearchPath | None = None
    told: str = ""
    exhaustive: bool | None = None


class Index(Protocol):
    """A built index. ``search`` is what the clock runs around."""

    def configure(self, settings: Settings) -> Settings:
        """Apply search settings; returns every search setting as read back from the index."""
        ...

    def prepare(self, queries: Vectors) -> Vectors:
        """The queries as the index wants them (element type, unit length), a row each; not timed."""
        ...

    def search(self, query: Vectors, k: int) -> Integers:
        """The row numbers of at most k neighbours of one prepared query, best first; short when fewer came."""
        ...

    def search_batch(self, queries: Vectors, k: int) -> Sequence[Integers]:
        """The same for several prepared queries in one call of the engine, on as many threads as it was built or
        loaded with. Where the engine takes one call as one and a query of it fails, all fail."""
        ...

    def state(self) -> IndexState:
        """What it is, and how it answers at the settings in force."""
        ...

    def reset_cost(self) -> None:
        """Set the cost counters to zero."""
        ...

    def cost(self) -> Mapping[str, int]:
        """What was spent since ``reset_cost``, such as ``distance_computations``; empty where it is not told."""
        ...

    def vectors_scanned(self, k: int) -> int | None:
        """With how many vectors or codes one query is compared at the settings in force, where that follows from how
        the index is made and the engine does not count it; else None."""
        ...

    def save(self, path: Path) -> None: ...
    def close(self) -> None: ...


class Engine(Protocol):
    """Builds indexes. One object per engine, on the shelf ``truerecall.engines``."""

    @property
    def name(self) -> str: ...
    @property
    def extra(self) -> str | None:
        """The extra to install, or None where it comes with truerecall."""
        ...

    @property
    def distances(self) -> Mapping[str, str]:
        """Our distances that it can serve -> how it says them and what it does to the vectors."""
        ...

    @property
    def build_settings(self) -> tuple[Setting, ...]: ...

    def version(self) -> str | None:
        """The version of the library or server, or None where it is not installed."""
        ...

    def search_settings(self, build: Settings, *, distance: str, dimensions: int) -> tuple[Setting, ...]:
        """What a search on an index of this build can be told, without building it.

        Raises InputError for a build that is impossible for vectors of these dimensions under this distance.
        """
        ...

    def build(self, source: CorpusSource, distance: str, settings: Settings, *, seed: int, threads: int) -> Index:
        """Build over all rows. Raises InputError for what the user can mend, EngineFailed otherwise."""
        ...

    def load(self, path: Path, source: CorpusSource, distance: str, settings: Settings, *, threads: int) -> Index:
        """The index that ``save`` wrote, built over ``source`` with these settings; it behaves like the one saved.
        ``threads``: for a batch.

        Raises InputError where the file is not such an index.
        """
        ...
