"""A table of vectors in PostgreSQL with what pgvector indexed of it: asked, configured, shown as the server sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import psycopg

from truerecall.engines._base import BareIndex
from truerecall.engines._postgres import told_as_ours
from truerecall.engines._postgres_callers import Callers, known_settings
from truerecall.engines._postgres_counters import counters
from truerecall.engines._postgres_plan import indexes_in, path_of, words_of
from truerecall.engines._postgres_questions import counts, demand_taken, identity_of, nearest, plan_of
from truerecall.engines._postgres_settings import checked_search, searchable
from truerecall.engines._postgres_table import OPERATORS, Serving, Stored
from truerecall.engines._postgres_wire import Wire
from truerecall.errors import EngineFailed
from truerecall.model.arrays import Vectors
from truerecall.model.engine import Answer, IndexState, Setting, Settings
from truerecall.model.filter import Filter
from truerecall.store.postgres import ours

LISTS = 100
"""Of an ivfflat that was made without the option."""


class PgvectorIndex(BareIndex):
    """What is asked through ``callers``. ``serving``: the indexes that order by the distance; ``chosen``: the one whose
    settings are in hand, None where there is none. ``transform``: what was done to the vectors, in words."""

    engine = "pgvector"

    def __init__(
        self,
        callers: Callers,
        stored: Stored,
        distance: str,
        serving: Sequence[Serving],
        *,
        answers: Literal["rows", "ids"],
        transform: str,
        lossless: bool,
    ) -> None:
        self.callers, self.stored, self.distance, self.serving = callers, stored, distance, serving
        self.answers, self.transform, self.lossless = answers, transform, lossless
        self.dimensions = stored.element.dimensions
        self.asked: tuple[Wire, int] | None = None
        self.searches = 0
        self.before: Mapping[str, int] = {}
        self.known_rows = 0
        self.chosen = next((own for own in serving if own.valid), serving[0] if serving else None)
        callers.prefix = method = "" if self.chosen is None else self.chosen.method
        self.lists = int((self.chosen.options if self.chosen else {}).get("lists", LISTS))
        with callers.one() as session:
            self.server = session.versions
            self.identity = identity_of(session, stored, self.chosen)
            self.statement = nearest(session, stored, distance)
            self.searchable: tuple[Setting, ...] = known_settings(session, method, searchable(method, self.lists))

    def configure(self, settings: Settings) -> Settings:
        """What is not given is as the server has it: pgvector's default, unless its configuration, the database, the
        role or PGOPTIONS say otherwise."""
        checked = checked_search(settings, self.searchable, self.callers.prefix)
        defaults = {setting.name: setting.default for setting in self.searchable if setting.default is not None}
        wanted = defaults | dict(checked)
        self.callers.set_all(wanted)
        self.callers.demand_in_force()
        return wanted

    def restrict(self, where: Filter | None) -> None:
        with self.callers.one() as session:
            statement = nearest(session, self.stored, self.distance, where)
            if where is not None:
                demand_taken(session, statement, self.stored, where)
        self.statement, self.asked = statement, None

    def prepare(self, queries: Vectors) -> Vectors:
        return self.stored.element.cast(queries)

    def search(self, query: Vectors, k: int) -> Answer:
        wire = self.stored.element.wire(query)
        self.asked = (wire, k)
        self.searches += 1
        session = self.callers.take()
        try:
            found = session.cursor.execute(self.statement, (wire, k)).fetchall()
        except psycopg.Error as error:
            raise ours(error) from None
        finally:
            self.callers.put_back(session)
        return self._answer(found)

    def search_batch(self, queries: Vectors, k: int) -> Sequence[Answer]:
        """In one go over one connection, each its own statement: the server answers them one after another."""
        wires = [self.stored.element.wire(queries[i : i + 1]) for i in range(len(queries))]
        self.asked = (wires[-1], k)
        self.searches += len(wires)
        with self.callers.one() as session, told_as_ours(), session.connection.pipeline():
            cursors = [session.connection.execute(self.statement, (wire, k), binary=True) for wire in wires]
            return [self._answer(cursor.fetchall()) for cursor in cursors]

    def exact(self, query: Vectors, k: int) -> Answer:
        """With index scans disabled; raises EngineFailed where the planner takes an index all the same."""
        values = (self.stored.element.wire(query), k)
        self.searches += 1
        with self.callers.one() as session, told_as_ours(), session.connection.transaction():
            session.connection.execute("SET LOCAL enable_indexscan = off")
            plan = plan_of(session, self.statement, values)
            if path_of(plan) != "full scan":
                raise EngineFailed(f"the exact search went by {words_of(plan)}", "drop the other indexes on the column")
            return self._answer(session.cursor.execute(self.statement, values).fetchall())

    def state(self) -> IndexState:
        """As the server sees it now. ``path`` and ``told`` are of the plan for the last query that was asked, at the
        settings in force; None before one was. Where the server is gone nothing is known but what it was given.

        Raises EngineFailed where a setting is no longer in force.
        """
        chosen, counted = self.chosen, self._counters()
        try:
            with self.callers.one() as session:
                rows, indexed = counts(session, self.stored, self.distance, chosen)
                size = None if chosen is None else session.rows("SELECT pg_relation_size(%s)", [chosen.oid])[0][0]
                plan = None if self.asked is None else plan_of(session, self.statement, self.asked)
        except EngineFailed as error:
            return IndexState(self._kind(), self.known_rows, None, None, self.transform, None, False, told=str(error))
        self.callers.demand_in_force()
        self.known_rows = rows
        # Counting the rows was no search, and is no cost of one.
        now = self._counters()
        self.before = {
            name: count + now[name] - counted[name] for name, count in self.before.items() if counted and now
        }
        path = None if plan is None else path_of(plan)
        by_lists = path == "index" and rows == indexed and self._every_list(plan)
        return IndexState(
            kind=self._kind(),
            rows=rows,
            indexed_rows=indexed,
            trained=None if chosen is None else chosen.valid,
            transform=self.transform,
            size_bytes=size or None,
            exact_by_design=False,
            path=path,
            told=self._told(plan),
            exhaustive=None if path is None else self.lossless and (path == "full scan" or by_lists),
        )

    def reset_cost(self) -> None:
        self.searches = 0
        self.before = self._counters()

    def cost(self) -> Mapping[str, int]:
        """Scans and the pages (8 KiB, cached or not) that they asked for. The server counts for all sessions: nothing
        is told where it counted other scans than ours."""
        now = self._counters()
        spent = {name: now[name] - count for name, count in self.before.items()} if now else {}
        scans = spent.get("index_scans", 0) + spent.get("sequential_scans", 0)
        return spent if scans == self.searches else {}

    def close(self) -> None:
        self.callers.close()

    def _answer(self, found: list[Any]) -> Answer:
        if self.answers == "ids" and self.stored.id_type not in ("smallint", "integer", "bigint"):
            return [own for (own,) in found]
        return np.fromiter((own for (own,) in found), np.int64, len(found))

    def _kind(self) -> str:
        if self.chosen is None:
            return f"no index for {OPERATORS[self.distance]}"
        options = ", ".join(f"{name}={value}" for name, value in self.chosen.options.items())
        made = f" ({options})" if options else ""
        return f"{self.chosen.method}{made} on {self.stored.element.name}({self.stored.element.width})"

    def _told(self, plan: dict[str, Any] | None) -> str:
        lame = [f"the index {own.name} is not valid" for own in self.serving if not own.valid]
        words = "nothing was asked yet" if plan is None else words_of(plan)
        return "; ".join([f"{self.server}: {words}", *lame])

    def _every_list(self, plan: dict[str, Any] | None) -> bool:
        ours = plan is not None and self.chosen is not None and indexes_in(plan) == {self.chosen.name}
        return ours and self.callers.prefix == "ivfflat" and self.callers.wanted.get("probes") == self.lists

    def _counters(self) -> Mapping[str, int]:
        try:
            return counters(self.callers.everyone, self.stored.oid, self.chosen.oid if self.chosen else None)
        except EngineFailed:
            return {}
