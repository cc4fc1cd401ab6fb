"""The array types that the nouns carry, and how an array in a noun is kept from being written to."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Texts = NDArray[Any]  # of numpy.dtypes.StringDType
Ids = NDArray[Any]  # one-dimensional: int64, uint64 or StringDType
Vectors = NDArray[Any]  # (rows, dimensions), any of the element types that a source may have

A = TypeVar("A", bound=NDArray[Any])


def frozen(array: A) -> A:
    """A read-only view; the caller's own array stays writable."""
    view = array.view()
    view.flags.writeable = False
    return view


def texts(values: Any) -> Texts:
    """A read-only array of strings of any length."""
    return frozen(np.asarray(values, dtype=np.dtypes.StringDType()))
