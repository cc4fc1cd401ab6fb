"""What a Qdrant server tells of a collection, as far as it concerns one vector of its points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from truerecall.engines._qdrant_words import quantization_word
from truerecall.model.engine import SearchPath


@dataclass(frozen=True)
class Told:
    """``points``, ``indexed`` and ``segments`` are the server's own counts, of all vectors together; ``alone``: whether
    the points have no other vector. ``graph`` and ``quantization`` are what the vector is indexed with."""

    status: str
    points: int | None
    indexed: int | None
    segments: int
    size: int
    distance: str
    datatype: str
    multiple: bool
    graph: dict[str, Any]
    quantization: str
    indexing_threshold: int | None
    alone: bool

    @property
    def points_kilobytes(self) -> float:
        """What the vectors take."""
        return (self.points or 0) * self.size * np.dtype(self.datatype).itemsize / 1024

    @property
    def indexed_kilobytes(self) -> float:
        """What those in graphs take."""
        return (self.indexed or 0) * self.size * np.dtype(self.datatype).itemsize / 1024

    def path(self) -> SearchPath | None:
        """Through graphs or past them, where that follows from what was told: a segment is scanned where its vectors
        take less than the full-scan threshold, and of the segments only the number is known."""
        if not self.indexed:
            return None if self.indexed is None else "full scan"
        threshold = self.graph["full_scan_threshold"]
        if self.indexed_kilobytes < threshold:
            return "full scan"
        return "index" if self.indexed_kilobytes / self.segments >= threshold else None


def told(said: Any, vector: str) -> Told:
    """The server's answer, with what is set for the vector in place of what is set for the collection."""
    vectors = vectors_of(said)
    params = vectors[vector]
    own = {} if params.hnsw_config is None else params.hnsw_config.model_dump(exclude_none=True)
    codes = params.quantization_config or said.config.quantization_config
    sparse = said.config.params.sparse_vectors
    return Told(
        status=f"{said.status.value}, optimizer {getattr(said.optimizer_status, 'value', said.optimizer_status)}",
        points=said.points_count,
        indexed=said.indexed_vectors_count,
        segments=said.segments_count,
        size=params.size,
        distance=params.distance.value,
        datatype="float32" if params.datatype is None else params.datatype.value,
        multiple=params.multivector_config is not None,
        graph=said.config.hnsw_config.model_dump(exclude_none=True) | own,
        quantization=quantization_word(None if codes is None else codes.model_dump(mode="json", exclude_none=True)),
        indexing_threshold=said.config.optimizer_config.indexing_threshold,
        alone=len(vectors) == 1 and not sparse,
    )


def vectors_of(said: Any) -> dict[str, Any]:
    """The dense vectors of the points by name; the one without a name is ``""``."""
    vectors = said.config.params.vectors
    if vectors is None:
        return {}
    return dict(vectors) if isinstance(vectors, dict) else {"": vectors}
