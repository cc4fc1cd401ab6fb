"""What Milvus Lite in this process can be seen to do, for what it says of its indexes is not so.

Its ``describe_index`` counts every row as indexed. In truth a collection consists of segments, each with an index of
its own or without one, and of rows that are not in a segment yet; all that have no index are scanned.
"""

from __future__ import annotations

from pathlib import Path


def rows_with_an_index(file: Path | None, collection: str, vector: str) -> int | None:
    """How many rows lie in segments with an index; None where that cannot be seen."""
    from milvus_lite import server_manager_instance

    try:
        _, database, _ = server_manager_instance._servers[str(file and file.absolute())]
        segments = list(database.get_collection(collection)._segment_cache.values())
        return sum(int(segment.num_rows) for segment in segments if vector in segment.indexes)
    except (AttributeError, KeyError, TypeError):
        return None  # it runs in another process, or is made otherwise in this version
