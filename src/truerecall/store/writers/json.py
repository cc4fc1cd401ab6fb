"""One JSON document: ``query_ids``, ``neighbors`` and ``distances``. Ids beyond 2^53 are written as strings."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

from truerecall.model.arrays import Ids
from truerecall.model.foreign import ForeignLists

LARGEST_EXACT = 2**53


def write_json(path: Path, lists: ForeignLists) -> None:
    """Ids of any type, lists of any length."""
    document: dict[str, Any] = {}
    if lists.query_ids is not None:
        document["query_ids"] = _spelt(lists.query_ids)
    document["neighbors"] = _by_query(_spelt(lists.ids), lists)
    if lists.distances is not None:
        document["distances"] = _by_query(lists.distances.tolist(), lists)
    path.write_text(json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")


def _spelt(ids: Ids) -> list[Any]:
    return [own if isinstance(own, str) or abs(own) <= LARGEST_EXACT else str(own) for own in ids.tolist()]


def _by_query(values: list[Any], lists: ForeignLists) -> list[list[Any]]:
    edges = lists.offsets.tolist()
    return [values[start:end] for start, end in pairwise(edges)]
