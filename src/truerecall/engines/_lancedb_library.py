"""The library, used untyped, and quiet: what it would write to standard error it says in its plans as well."""

from __future__ import annotations

import os
from typing import Any

from truerecall.errors import MissingExtra

os.environ.setdefault("LANCEDB_LOG", "error")  # read once, when the library is first used
try:
    import lancedb as _lancedb
    import lancedb.index as _index
except ImportError:
    raise MissingExtra("lancedb", "lancedb") from None

lancedb: Any = _lancedb
index_kinds: Any = _index


def limit_threads(threads: int) -> None:
    """Have LanceDB compute on so many threads. It looks once in the life of a process: the first build decides, unless
    LANCE_CPU_THREADS was set before."""
    os.environ.setdefault("LANCE_CPU_THREADS", str(threads))
