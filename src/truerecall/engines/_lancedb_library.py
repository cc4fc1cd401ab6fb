"""The library, used untyped, and quiet: what it would write to standard error it says in its plans as well."""

from __future__ import annotations

import os

from truerecall.engines._library import imported

os.environ.setdefault("LANCEDB_LOG", "error")  # read once, when the library is first used
lancedb = imported("lancedb", package="lancedb", extra="lancedb")
index_kinds = imported("lancedb.index", package="lancedb", extra="lancedb")


def limit_threads(threads: int) -> None:
    """Have LanceDB compute on so many threads. It looks once in the life of a process: the first build decides, unless
    LANCE_CPU_THREADS was set before."""
    os.environ.setdefault("LANCE_CPU_THREADS", str(threads))
