"""A table of others, measured where it lies."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg import sql

from truerecall.engines._postgres import Session
from truerecall.engines._postgres_callers import Callers
from truerecall.engines._postgres_index import PgvectorIndex
from truerecall.engines._postgres_plan import indexes_in
from truerecall.engines._postgres_questions import nearest, plan_of
from truerecall.engines._postgres_table import Address, Serving, Stored, demand_served, look_up, serving
from truerecall.engines._postgres_wire import Wire

USUAL_K = 10


def attach_index(callers: Callers, name: str, distance: str) -> PgvectorIndex:
    """The table that the name leads to, with what serves the distance on it. Raises InputError where there is none."""
    with callers.one() as session:
        stored = look_up(session, Address.parse(name))
        demand_served(stored, distance)
        found = serving(session, stored, distance)
        if len(found) > 1:
            found = _planners_first(session, stored, distance, found)
    return PgvectorIndex(callers, stored, distance, found, answers="ids", transform="none", lossless=True)


def _planners_first(session: Session, stored: Stored, distance: str, found: Sequence[Serving]) -> list[Serving]:
    """The indexes with the one in front that the planner takes for a vector of the table."""
    asking = sql.SQL("SELECT {v} FROM {} WHERE {v} IS NOT NULL LIMIT 1").format(stored.table, v=stored.vector)
    taken: set[str] = set()
    for (own,) in session.rows(asking):
        wire = Wire.of(stored.element.name)(own)
        taken = indexes_in(plan_of(session, nearest(session, stored, distance), (wire, USUAL_K)))
    return sorted(found, key=lambda index: (index.name not in taken, index.name))
