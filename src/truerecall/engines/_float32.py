"""How vectors become float32, for engines that compute in it, and what is said of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Vectors
from truerecall.model.source import CorpusSource

BLOCK_BYTES = 64 * 2**20


def as_float32(vectors: Vectors, *, unit_length: bool) -> Vectors:
    """The vectors as contiguous float32, of unit length where asked; zeros stay zeros.

    Raises InputError for values that float32 cannot hold: they would become infinite, and every distance with them.
    """
    if not unit_length:
        if vectors.dtype == np.float64 and not bool((np.abs(vectors) <= np.finfo(np.float32).max).all()):
            raise InputError("there are values beyond 3.4e38, the largest of float32", "scale the vectors down")
        return np.ascontiguousarray(vectors, dtype=np.float32)
    wide = vectors.astype(np.float64)
    norms = np.sqrt(np.add.reduce(wide * wide, axis=1, keepdims=True))
    wide /= np.where(norms > 0, norms, 1.0)
    return np.ascontiguousarray(wide, dtype=np.float32)


def block_rows(source: CorpusSource) -> int:
    """How many rows are cast at a time."""
    return max(1, BLOCK_BYTES // (4 * source.dimensions))


def cast_in_words(dtype: np.dtype[Any], stored: str = "float32") -> str:
    """What a cast did to the vectors; empty where there was none."""
    return "" if dtype.name == stored else f"cast from {dtype} to {stored}"
