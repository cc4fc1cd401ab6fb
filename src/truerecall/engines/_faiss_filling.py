"""How a FAISS index is seeded, trained on a sample and filled."""

from __future__ import annotations

from typing import Any

import numpy as np

from truerecall.engines._casts import as_float32, block_rows
from truerecall.engines._faiss_layers import layers, parts
from truerecall.engines._faiss_library import faiss
from truerecall.model.source import CorpusSource

POINTS_PER_CENTROID = 256  # FAISS's max_points_per_centroid: it drops what goes beyond
POINTS_PER_DIMENSION = 1000  # max_points_per_d of its principal components
POINTS_FOR_CODES = 100_000  # what its scalar quantisers ask for in an inverted file


def seed_index(index: Any, seed: int) -> None:
    """Hand the seed to everything in the index that draws at random: clusterings and the levels of graphs.

    The starting rotation of OPQ has a constant seed in FAISS; it varies with the training sample alone.
    """
    narrow = seed % 2**31
    for part in parts(index):
        for owner in (part, getattr(part, "pq", None), getattr(part, "rq", None)):
            clustering = getattr(owner, "cp", None)
            if clustering is not None:
                clustering.seed = narrow
                clustering.min_points_per_centroid = 1  # below it FAISS only prints a warning
        if isinstance(part, faiss.IndexHNSW):
            part.hnsw.rng = faiss.RandomGenerator(narrow)


def train(index: Any, source: CorpusSource, *, unit_length: bool, seed: int) -> None:
    """Train on a seeded sample, as large as FAISS would use of all rows."""
    if index.is_trained:
        return
    wanted = _training_rows(index)
    if wanted < source.rows:
        chosen = np.random.default_rng(seed).choice(source.rows, wanted, replace=False)
        sample = as_float32(source.take(np.sort(chosen)), unit_length=unit_length)
    else:
        sample = np.empty((source.rows, source.dimensions), np.float32)
        for start, block in source.blocks(block_rows(source)):
            sample[start : start + len(block)] = as_float32(block, unit_length=unit_length)
    index.train(sample)


def fill(index: Any, source: CorpusSource, *, unit_length: bool) -> None:
    """Add all rows in blocks, each under its row number."""
    # An NSG graph is made of all its rows at once.
    at_once = any(isinstance(layer, faiss.IndexNSG) for layer in layers(index))
    for start, block in source.blocks(source.rows if at_once else block_rows(source)):
        rows = as_float32(block, unit_length=unit_length)
        if isinstance(index, faiss.IndexIDMap):
            index.add_with_ids(rows, np.arange(start, start + len(rows), dtype=np.int64))
        else:
            index.add(rows)


def _training_rows(index: Any) -> int:
    wanted = POINTS_FOR_CODES
    for part in parts(index):
        if isinstance(part, faiss.IndexIVF):
            wanted = max(wanted, POINTS_PER_CENTROID * part.nlist)
        if hasattr(part, "pq"):
            wanted = max(wanted, POINTS_PER_CENTROID * part.pq.ksub)
        if isinstance(part, faiss.IndexPreTransform):
            wanted = max(wanted, POINTS_PER_DIMENSION * part.d)
    return wanted
