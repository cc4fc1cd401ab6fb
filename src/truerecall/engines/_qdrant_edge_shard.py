"""Shards of Qdrant Edge: made and filled, opened, copied."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from truerecall.engines._casts import FLOAT32, narrowed
from truerecall.engines._qdrant_edge_filter import index_payload
from truerecall.engines._qdrant_edge_library import edge
from truerecall.engines._qdrant_files import segments, vector_names
from truerecall.engines._qdrant_filter import payloads
from truerecall.engines._qdrant_words import OWN_NAMES
from truerecall.errors import EngineFailed
from truerecall.model.arrays import Vectors
from truerecall.model.attributes import Attributes
from truerecall.model.engine import Place, Settings
from truerecall.model.source import CorpusSource

POINTS_AT_ONCE = 1000
READ_BACK = ("m", "ef_construct", "full_scan_threshold")


def opened(folder: Path) -> Any:
    """The shard in a folder. Opening writes into it. Raises EngineFailed."""
    try:
        return edge.EdgeShard.load(str(folder))
    except Exception as error:  # the binding raises no narrower class
        raise EngineFailed(f"Qdrant Edge cannot open {folder}: {error}", "see whether it is a whole shard") from None


def opened_copy(folder: Path, place: Place) -> tuple[Path, Any]:
    """The folder of a copy of a shard, and the copy, opened: to open the shard itself would be to write to it."""
    vector_names(folder)  # refuses what is no shard before anything is copied
    place.folder.mkdir(parents=True, exist_ok=True)
    copy = Path(mkdtemp(prefix="copy-", dir=place.folder))
    shutil.copytree(folder, copy, dirs_exist_ok=True)
    try:
        return copy, opened(copy)
    except EngineFailed:
        shutil.rmtree(copy)
        raise


def filled(
    folder: Path,
    source: CorpusSource,
    distance: str,
    settings: Settings,
    threads: int,
    attributes: Attributes | None = None,
) -> Any:
    """A new shard with all rows in it, each under its number, and with the graphs that its thresholds ask for.

    Qdrant Edge makes graphs when it is told to and not before. Raises EngineFailed where a graph has other settings
    than it was given.
    """
    shard = edge.EdgeShard.create(str(folder), _config(source.dimensions, distance, settings, threads))
    columns = {} if attributes is None else attributes.columns
    if settings["payload_index"] == "yes":
        index_payload(shard, columns)
    for start, block in source.blocks(POINTS_AT_ONCE):
        stop = start + len(block)
        upsert(shard, range(start, stop), block, payloads(columns, start, stop))
    shard.optimize()
    shard.flush()
    for segment in segments(folder, ""):
        held = {**segment.options, "quantization": segment.quantization} if segment.options else {}
        for name in held.keys() & settings.keys():
            if held[name] != settings[name]:
                problem = f"{name} is {held[name]} in the graph and {settings[name]} was asked for"
                raise EngineFailed(problem, "leave it at what Qdrant takes")
    return shard


def upsert(shard: Any, ids: Sequence[int], vectors: Vectors, carried: Iterable[dict[str, Any]]) -> None:
    """``carried``: the payload of each point."""
    rows = narrowed(vectors, FLOAT32).tolist()
    points = [edge.Point(number, row, own) for number, row, own in zip(ids, rows, carried, strict=True)]
    shard.update(edge.UpdateOperation.upsert_points(points))


def _config(dimensions: int, distance: str, settings: Settings, threads: int) -> Any:
    graph = {name: settings[name] for name in READ_BACK}
    vectors = edge.EdgeVectorParams(
        size=dimensions,
        distance=getattr(edge.Distance, OWN_NAMES[distance]),
        datatype=getattr(edge.VectorStorageDatatype, str(settings["datatype"]).capitalize()),
    )
    return edge.EdgeConfig(
        vectors=vectors,
        hnsw_config=edge.HnswIndexConfig(**graph, max_indexing_threads=threads),
        quantization_config=_quantization(str(settings["quantization"])),
        optimizers=edge.EdgeOptimizersConfig(
            default_segment_number=1, indexing_threshold=settings["indexing_threshold"]
        ),
        max_search_threads=threads,
        wal_enabled=False,
    )


def _quantization(word: str) -> Any:
    kind, _, option = word.partition("/")
    if kind == "scalar":
        return edge.ScalarQuantizationConfig(edge.ScalarType.Int8)
    if kind == "product":
        return edge.ProductQuantizationConfig(getattr(edge.CompressionRatio, option.upper()))
    if kind == "binary":
        encoding = "".join(part.capitalize() for part in option.split("_"))
        return edge.BinaryQuantizationConfig(encoding=getattr(edge.BinaryQuantizationEncoding, encoding))
    if kind == "turbo":
        return edge.TurboQuantQuantizationConfig(bits=getattr(edge.TurboQuantBitSize, option.capitalize()))
    return None
