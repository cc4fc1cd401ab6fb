"""What PostgreSQL counts of a table and an index, for all sessions together."""

from __future__ import annotations

from collections.abc import Mapping

from psycopg import sql

from truerecall.engines._postgres import Session

FLUSHING_VERSION = 150000
COUNTED = {
    "index_scans": ("pg_stat_all_indexes", "idx_scan"),
    "sequential_scans": ("pg_stat_all_tables", "seq_scan"),
    "index_pages": ("pg_statio_all_indexes", "idx_blks_hit + idx_blks_read"),
    "table_pages": (
        "pg_statio_all_tables",
        "heap_blks_hit + heap_blks_read + coalesce(toast_blks_hit + toast_blks_read, 0)"
        " + coalesce(tidx_blks_hit + tidx_blks_read, 0)",
    ),
}


def counters(sessions: list[Session], table: int, index: int | None) -> Mapping[str, int]:
    """Scans of the table and of the index, and the pages that they asked for, cached or not, since both were made.

    Empty where no session is left to ask, where the server cannot be told to count what these sessions did up to now,
    and where it counts nothing of such a table (one in partitions).
    """
    if not sessions or sessions[0].connection.info.server_version < FLUSHING_VERSION:
        return {}
    for session in sessions:
        session.rows("SELECT pg_stat_force_next_flush()")  # else it is counted when the session has been idle a while
    found = {name: _counted(sessions[0], name, table, index) for name in COUNTED}
    return {name: value for name, value in found.items() if value is not None} if None not in found.values() else {}


def _counted(session: Session, name: str, table: int, index: int | None) -> int | None:
    view, counter = COUNTED[name]
    of_index = view.endswith("indexes")
    if of_index and index is None:
        return 0
    statement = sql.SQL("SELECT ({}) FROM {} WHERE {} = %s").format(
        sql.SQL(counter), sql.Identifier(view), sql.Identifier("indexrelid" if of_index else "relid")
    )
    found = session.rows(statement, [index if of_index else table])
    return None if not found or found[0][0] is None else int(found[0][0])
