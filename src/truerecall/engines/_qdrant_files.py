"""What the files of a shard of Qdrant say of its segments: which have a graph, over how much, and when it is used.

Qdrant writes them itself; the binding tells no more than three counts. Seen with Qdrant Edge 0.9.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from truerecall.engines._qdrant_words import quantization_word
from truerecall.errors import InputError


@dataclass(frozen=True)
class Segment:
    """One segment, as far as it concerns one vector of its points.

    ``indexed``: vectors in its graph. ``scans_below``: it is scanned past its graph where it holds fewer vectors than
    that. Both are None where it has no graph.
    """

    vector: Mapping[str, Any]
    indexed: int | None
    scans_below: int | None

    @property
    def options(self) -> Mapping[str, Any]:
        """The settings of its graph; empty where it has none."""
        index = self.vector["index"]
        return index["options"] if index["type"] == "hnsw" else {}

    @property
    def quantization(self) -> str:
        return quantization_word(self.vector.get("quantization_config"))

    @property
    def datatype(self) -> str:
        return str(self.vector.get("datatype") or "float32")

    @property
    def uses_graph(self) -> bool:
        return self.indexed is not None and self.scans_below is not None and self.indexed >= self.scans_below


def vector_names(folder: Path) -> list[str]:
    """The dense vectors of the points in a shard; the one without a name is ``""``."""
    return sorted({name for config in _configs(folder).values() for name in config.get("vector_data", {})})


def segments(folder: Path, vector: str) -> list[Segment]:
    """The segments of a shard that hold this vector, in no particular order."""
    found = []
    for segment, config in _configs(folder).items():
        if vector in config.get("vector_data", {}):
            graph = segment / ("vector_index" + (f"-{vector}" if vector else "")) / "hnsw_config.json"
            said = json.loads(graph.read_text()) if graph.exists() else {}
            said_of = config["vector_data"][vector]
            found.append(Segment(said_of, said.get("indexed_vector_count"), said.get("full_scan_threshold")))
    return found


def _configs(folder: Path) -> dict[Path, Any]:
    found = {}
    for file in sorted(folder.glob("segments/*/segment.json")):
        try:
            found[file.parent] = json.loads(file.read_text())["config"]
        except (ValueError, KeyError) as error:
            raise InputError(
                f"{file} is not as Qdrant writes it: {error!r}", "open the shard with Qdrant once"
            ) from None
    if not found:
        raise InputError(f"{folder} is no shard of Qdrant: it has no segments", "name the folder of one")
    return found
