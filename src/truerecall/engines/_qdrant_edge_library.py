"""The library, used untyped: what it takes and gives is checked where it is used."""

from __future__ import annotations

from typing import Any

from truerecall.errors import MissingExtra

try:
    import qdrant_edge as _edge
except ImportError:
    raise MissingExtra("qdrant-edge-py", "qdrant-edge") from None

edge: Any = _edge
