"""How vectors become the element type that an engine keeps, and what is said of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Vectors
from truerecall.model.source import CorpusSource

BLOCK_BYTES = 64 * 2**20
FLOAT32 = np.dtype(np.float32)


def narrowed(vectors: Vectors, dtype: np.dtype[Any]) -> Vectors:
    """The vectors in a floating-point element type, contiguous; the same array where they are so already.

    Raises InputError for values that it cannot hold: they would become infinite, and every distance with them.
    """
    with np.errstate(over="ignore"):
        narrow = np.ascontiguousarray(vectors, dtype=dtype)
    if vectors.dtype.itemsize > dtype.itemsize and not bool(np.isfinite(narrow).all()):
        largest = float(np.finfo(dtype).max)
        raise InputError(f"there are values beyond {largest:.2g}, the largest of {dtype}", "scale the vectors down")
    return narrow


def as_float32(vectors: Vectors, *, unit_length: bool) -> Vectors:
    """The vectors as float32, of unit length where asked; zeros stay zeros. Raises as ``narrowed`` does."""
    if not unit_length:
        return narrowed(vectors, FLOAT32)
    wide = vectors.astype(np.float64)
    norms = np.sqrt(np.add.reduce(wide * wide, axis=1, keepdims=True))
    wide /= np.where(norms > 0, norms, 1.0)
    return narrowed(wide, FLOAT32)


def block_rows(source: CorpusSource) -> int:
    """How many rows are cast at a time."""
    return max(1, BLOCK_BYTES // (4 * source.dimensions))


def cast_in_words(given: np.dtype[Any], stored: str = "float32") -> str:
    """What became of the element type; empty where it stayed."""
    return "" if given.name == stored else f"cast from {given} to {stored}"
