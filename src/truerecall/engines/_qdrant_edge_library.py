"""The library, used untyped: what it takes and gives is checked where it is used."""

from __future__ import annotations

from truerecall.engines._library import imported

edge = imported("qdrant_edge", package="qdrant-edge-py", extra="qdrant-edge")
