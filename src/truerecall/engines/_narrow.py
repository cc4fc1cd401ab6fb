"""Vectors in the element type that an engine keeps."""

from __future__ import annotations

from typing import Any

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Vectors


def narrowed(vectors: Vectors, dtype: np.dtype[Any]) -> Vectors:
    """The vectors in a floating-point element type, contiguous, as an array of its own.

    Raises InputError for values that it cannot hold: they would become infinite, and every distance with them.
    """
    with np.errstate(over="ignore"):
        narrow = np.array(vectors, dtype=dtype, order="C")
    if vectors.dtype.itemsize > dtype.itemsize and not bool(np.isfinite(narrow).all()):
        largest = float(np.finfo(dtype).max)
        raise InputError(f"there are values beyond {largest:.2g}, the largest of {dtype}", "scale the vectors down")
    return narrow


def cast_words(stored: np.dtype[Any], given: np.dtype[Any]) -> list[str]:
    """What became of the element type, in words: nothing where it stayed."""
    return [] if stored == given else [f"cast from {given} to {stored}"]
