"""pgvector in a PostgreSQL server: HNSW and IVFFlat over vector, halfvec and bit.

The server is reached as the PG* variables say, or a file with a connection string. An index is built in a schema of its
own, or one that exists is measured where it lies (``TABLE?id=COLUMN&vector=COLUMN``), read-only. Whether a query goes
through the index is the planner's choice: it is asked at every setting, and told. A distance that no index serves is a
full scan, and the state says so.

State
    Rows that have a vector, those that the index can hold, its method and options, its size, and whether it is valid.
    Whether the index was used is read from EXPLAIN of the last query at the settings in force, and the plan is told.

Costs
    ``index_scans`` and ``sequential_scans``, and the pages of 8 KiB that they asked for, cached or not:
    ``index_pages`` and ``table_pages``. The server counts for all sessions together, so nothing is told where others
    searched too, nor before PostgreSQL 15.

Attached
    ``--attach "TABLE?id=COLUMN&vector=COLUMN"``, with ``SCHEMA.TABLE`` where it lies in another schema. The session is
    read-only and has a statement timeout. Ids are whole numbers, texts or UUIDs, and answers come by them; rows
    without a vector do not answer. As a corpus the table is streamed in one repeatable-read transaction.

Traps
    - With ``probes`` at all lists, on a small table, or with a selective filter the planner leaves the index and
      scans: ``index-not-used``. EXPLAIN is asked at every setting with the query's own vector and k.
    - ``ef_search`` below k gives ``ef_search`` rows: ``effort-below-k`` and ``short-answers``.
    - A filter without ``iterative_scan`` is applied to what the index found, and few are left of them.
    - An operator that does not fit the index (``<=>`` on an index for l2) is a scan of all rows.
    - A setting made before the extension is loaded is taken, and forgotten: here the extension is loaded first, and
      every setting is read back.
    - A prepared statement may get another plan after five runs: here nothing is prepared.
    - NULL and, for cosine, zero vectors are in no index: ``partly-indexed``.
    - Nothing seeds the draws of a build: ask for several with ``--builds``.
    - Texts are compared by code point (COLLATE "C"), which an index of another collation does not serve.

Example
    --engine pgvector --set index=hnsw --vary ef_search=16,64,256 --distance l2
    --engine pgvector --set index=ivfflat --set lists=16 --vary probes=1,4,12 --distance l2
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from truerecall.engines._base import BareEngine
from truerecall.engines._filter_sql import sql_of
from truerecall.engines._library import installed
from truerecall.engines._postgres_settings import BUILD_SETTINGS, build_of, searchable
from truerecall.model.attributes import Attributes
from truerecall.model.engine import Capability, Place, Setting, Settings
from truerecall.model.filter import Filter
from truerecall.model.source import CorpusSource
from truerecall.model.vectors import Corpus

if TYPE_CHECKING:
    from truerecall.engines._postgres_build import BuiltIndex
    from truerecall.engines._postgres_callers import Callers
    from truerecall.engines._postgres_index import PgvectorIndex


class PgvectorEngine(BareEngine):
    """Builds indexes of pgvector, and attaches to those that exist. psycopg is imported when it is asked for work."""

    name = "pgvector"
    extra = "postgres"
    tested_with = "PostgreSQL 18.4, pgvector 0.8.5, psycopg 3.3.9"
    capabilities: frozenset[Capability] = frozenset(
        {"build", "attach", "save", "exact", "source", "filter", "delete", "update"}
    )
    build_settings = BUILD_SETTINGS
    distances: Mapping[str, str] = {
        "l2": "<->",
        "ip": "<#>, negated",
        "cosine": "<=>, zero vectors not indexed",
        "l1": "<+>, hnsw only",
        "hamming": "<~> on bit",
    }

    def version(self) -> str | None:
        """That of the client; the index tells those of the server."""
        client = installed("psycopg")
        return None if client is None else f"psycopg {client}"

    def search_settings(self, build: Settings, *, distance: str, dimensions: int) -> tuple[Setting, ...]:
        self.demand_distance(distance)
        whole = build_of(build, distance, dimensions * 8 if distance == "hamming" else dimensions)
        return searchable(str(whole["index"]), int(whole.get("lists", 1)))

    def demand_filter(self, where: Filter) -> None:
        sql_of(where)

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
    ) -> BuiltIndex:
        """Build with ``threads`` processes of the server, if it lets us have them. The seed decides nothing: see
        engines/_postgres_build.py."""
        self.demand_distance(distance)
        _demand_psycopg()
        from truerecall.engines._postgres_build import build_index

        whole = build_of(settings, distance, source.dimensions if source.bits is None else source.bits)
        with _callers(place, read_only=False) as callers:
            return build_index(callers, source, distance, whole, threads=threads, attributes=attributes)

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
    ) -> BuiltIndex:
        _demand_psycopg()
        from truerecall.engines._postgres_build import load_index

        with _callers(place, read_only=False) as callers:
            return load_index(callers, path, source, distance)

    def discard(self, path: Path, *, place: Place) -> None:
        _demand_psycopg()
        from truerecall.engines._postgres_build import discard_index

        with _callers(place, read_only=False) as callers:
            discard_index(callers, path)
            callers.close()

    def attach(self, name: str, distance: str, *, place: Place) -> PgvectorIndex:
        """Where several indexes serve the distance, the one that the planner takes is looked at, else the first by
        name."""
        self.demand_distance(distance)
        _demand_psycopg()
        from truerecall.engines._postgres_attach import attach_index

        with _callers(place, read_only=True) as callers:
            return attach_index(callers, name, distance)

    def source(self, name: str, *, place: Place) -> Corpus:
        _demand_psycopg()
        from truerecall.engines._postgres_source import open_source

        return open_source(name, place.dsn_file)


def _demand_psycopg() -> None:
    """Raises MissingExtra."""
    import_module("truerecall.store.postgres")


@contextmanager
def _callers(place: Place, *, read_only: bool) -> Iterator[Callers]:
    """For an index in the making: closed where that fails."""
    from truerecall.engines._postgres import open_session
    from truerecall.engines._postgres_callers import Callers

    callers = Callers(lambda: open_session(place.dsn_file, read_only=read_only))
    try:
        yield callers
    except BaseException:
        callers.close()
        raise


engine = PgvectorEngine()
