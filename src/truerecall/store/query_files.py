"""Queries that were drawn, on disk: one Parquet file with a row per query, and how they were drawn.

Columns ``id``, ``vector`` and ``stratum``, and ``repeats`` where equal rows counted once. Any program that reads
Parquet reads it; read as queries, it brings its record along.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from truerecall.errors import FormatError
from truerecall.model.arrays import Vectors
from truerecall.model.drawing import Sample
from truerecall.model.source import CorpusSource
from truerecall.store.artefact import Artefact, is_ours, kind_of, read_artefact, write_artefact
from truerecall.store.columns import id_array
from truerecall.store.readers._types import ELEMENT_TYPES

KIND = "queries"
FORMAT = 1
"""1: id, vector, stratum, perhaps repeats; the content is the drawing."""


def save_queries(sample: Sample, source: CorpusSource, path: Path, provenance: Mapping[str, Any]) -> None:
    """Write the drawn rows of the source in one step; a query file that was there is replaced."""
    write_artefact(path, query_artefact(sample, source, provenance))


def query_artefact(sample: Sample, source: CorpusSource, provenance: Mapping[str, Any]) -> Artefact:
    """The queries as they are stored. Parquet has no bfloat16: such vectors become float32, which changes no value,
    and the content says so."""
    vectors = source.take(sample.rows)
    content = sample.drawing.record()
    if source.bits is None and vectors.dtype.name not in ELEMENT_TYPES:
        content["stored_as"] = "float32"
        vectors = vectors.astype(np.float32)
    columns = {
        "id": id_array(sample.ids),
        "vector": _lists(vectors, source.bits),
        "stratum": pa.array(sample.strata.tolist(), pa.large_string()),
    }
    if sample.drawing.dedupe is not None:
        columns["repeats"] = pa.array(sample.repeats)
    return Artefact(KIND, FORMAT, pa.table(columns), content, provenance)


def drawing_in(path: Path) -> Mapping[str, Any] | None:
    """The record of how the queries in a file were drawn; None where it is no file of ours. The checksum is verified:
    raises FormatError where it does not hold, and for files of ours of another kind."""
    if not path.is_file() or not is_ours(path):
        return None
    if (kind := kind_of(path)) not in (None, KIND):
        raise FormatError(f"{path} is a {kind} file and holds no vectors", "give a file of vectors")
    return read_artefact(path, KIND, FORMAT).content


def _lists(vectors: Vectors, bits: int | None) -> pa.Array:
    values = vectors if bits is None else np.unpackbits(vectors, axis=1, count=bits).astype(np.bool_)
    offsets = np.arange(len(values) + 1, dtype=np.int64) * values.shape[1]
    return pa.LargeListArray.from_arrays(pa.array(offsets), pa.array(np.ascontiguousarray(values).reshape(-1)))
