"""The thing under test: an engine builds an index, and the index answers.

Engines never time themselves, never print, and never change the arrays that they are given. A transform of the
user's vectors (normalising, casting) is declared in the state. What an engine cannot do it does not list among its
``capabilities``; asked for it all the same, it raises Incapable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from truerecall.model.arrays import Integers, Vectors
from truerecall.model.attributes import Attributes
from truerecall.model.filter import Filter
from truerecall.model.source import CorpusSource

if TYPE_CHECKING:
    from truerecall.model.vectors import Corpus

Value = int | float | str
Settings = Mapping[str, Value]
SearchPath = Literal["index", "full scan"]
Capability = Literal["build", "attach", "save", "exact", "source", "filter", "delete", "update"]
Answer = Integers | Sequence[Any]
"""The neighbours of one query, best first: row numbers, or the ids that rows bear in the engine (see Index.answers)."""


IN_CLIENT = "in the process of the client"
"""Where an index answers that no server holds."""


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


@dataclass(frozen=True)
class Place:
    """Where an index lives. ``folder``: one of its own, which outlives the index that is open in it, for files that the
    engine keeps. ``dsn_file``: a file that says how a server is reached, and with which credentials; where it is None
    the environment says so. Credentials are never shown, and never a setting."""

    folder: Path
    dsn_file: Path | None = None


class Index(Protocol):
    """An index that can be asked. ``search`` is what the clock runs around.

    ``answers``: whether a search gives row numbers of the corpus that was built from, or the ids that rows bear in the
    engine. An index that was attached to is never written to.
    """

    @property
    def answers(self) -> Literal["rows", "ids"]: ...
    @property
    def identity(self) -> str:
        """Of an index that was attached to: what tells it from one elsewhere, and from what it was before it was made
        anew or written to; empty where nothing does. Of a server no secret is in it."""
        ...

    @property
    def dimensions(self) -> int | None:
        """Of the vectors that it holds, as in CorpusSource; None where it is not told."""
        ...

    @property
    def searchable(self) -> tuple[Setting, ...]:
        """What a search can be told."""
        ...

    @property
    def server(self) -> str:
        """Where the searches are done, in words: in the process of the client, or by which server."""
        ...

    def configure(self, settings: Settings) -> Settings:
        """Apply search settings; returns every search setting as read back from the index.

        What is not given goes back to its default. Raises EngineFailed where the engine holds another value than it
        was told.
        """
        ...

    def restrict(self, where: Filter | None) -> None:
        """From now on only rows of which it holds may answer, whatever searches; None: all may.

        What the state, the settings and the costs say then is said of searches like these. Raises Incapable where the
        engine cannot filter, InputError where it cannot say this filter.
        """
        ...

    def prepare(self, queries: Vectors) -> Vectors:
        """The queries as the index wants them (element type, unit length), a row each; not timed."""
        ...

    def search(self, query: Vectors, k: int) -> Answer:
        """At most k neighbours of one prepared query, of shape (1, dimensions); short when fewer came.

        From an array in hand to ids in hand: what any client must do to put the query into the engine's words, and the
        answer out of them, belongs to it.
        """
        ...

    def search_batch(self, queries: Vectors, k: int) -> Sequence[Answer]:
        """The same for several prepared queries in one call of the engine, on as many threads as it was built or
        loaded with. Where the engine takes one call as one and a query of it fails, all fail."""
        ...

    def exact(self, query: Vectors, k: int) -> Answer:
        """The same by the engine's own exhaustive search. A second opinion, never the truth."""
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

    def delete(self, rows: Answer) -> None:
        """Take rows out, named as ``answers`` says."""
        ...

    def update(self, rows: Answer, vectors: Vectors) -> None:
        """Give rows other vectors."""
        ...

    def save(self, path: Path) -> None:
        """Write one file from which ``Engine.load`` gives the index back; where it lives in a server, what finds it."""
        ...

    def close(self) -> None:
        """Let go of files, connections and memory. The index cannot be used afterwards."""
        ...


class Engine(Protocol):
    """Builds indexes, or attaches to those that exist. One object per engine, on the shelf ``truerecall.engines``.

    ``tested``: against what the tests of truerecall run it, ``real`` or ``stub``. ``tested_with``: in which versions,
    as ``version`` tells them, empty where nobody says.
    """

    @property
    def name(self) -> str: ...
    @property
    def extra(self) -> str | None:
        """The extra to install, or None where it comes with truerecall."""
        ...

    @property
    def tested(self) -> Literal["real", "stub"]: ...
    @property
    def tested_with(self) -> str: ...
    @property
    def capabilities(self) -> frozenset[Capability]: ...
    @property
    def distances(self) -> Mapping[str, str]:
        """Our distances that it can serve -> how it says them and what it does to the vectors."""
        ...

    @property
    def build_settings(self) -> tuple[Setting, ...]: ...

    def version(self) -> str | None:
        """The version of the library or client, or None where it is not installed."""
        ...

    def search_settings(self, build: Settings, *, distance: str, dimensions: int) -> tuple[Setting, ...]:
        """What a search on an index of this build can be told, without building it.

        Raises UnservedDistance for a distance that the engine does not serve, as ``build`` and ``attach`` do, and
        InputError for a build that is impossible for vectors of these dimensions under this one.
        """
        ...

    def demand_filter(self, where: Filter) -> None:
        """Raises Incapable where the engine cannot filter, InputError where it cannot say this filter, without an
        index at hand."""
        ...

    def demand_filterable(self, build: Settings, *, distance: str, dimensions: int) -> None:
        """Raises Incapable where the engine cannot filter, InputError where an index of this build cannot be searched
        behind any filter, without building it."""
        ...

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
    ) -> Index:
        """Build over all rows. ``attributes``: the columns by which searches will be narrowed, a value for each row;
        None where none will be. Raises InputError for what the user can mend, EngineFailed otherwise."""
        ...

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
    ) -> Index:
        """The index that ``save`` wrote, built over ``source`` with these settings and attributes; it behaves like the
        one saved. ``threads``: for a batch.

        Raises InputError where the file is not such an index.
        """
        ...

    def discard(self, path: Path, *, place: Place) -> None:
        """Take away what belongs to the index that ``save`` wrote to ``path`` and lies neither there nor in the folder
        of its place, such as a table in a server. Where that is gone already there is nothing to do. Raises
        EngineFailed where the server cannot be reached."""
        ...

    def attach(self, name: str, distance: str, *, place: Place) -> Index:
        """The index that exists under this name, read-only: no writes, no change of any definition, statements with a
        time limit. Raises InputError where there is none or its distance is another, EngineFailed where the engine
        cannot be reached."""
        ...

    def source(self, name: str, *, place: Place) -> Corpus:
        """The vectors that lie in the engine, streamed, with their ids, as one consistent state where the engine can
        give one. ``name`` as ``TABLE?id=ID&vector=COLUMN``."""
        ...
