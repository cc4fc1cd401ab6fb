"""The element types that vectors may have in a file."""

from __future__ import annotations

from typing import Any

import numpy as np

from truerecall.errors import MissingExtra

ELEMENT_TYPES = ("float64", "float32", "float16", "int8", "uint8")
"""Beside them bfloat16, where a format can say so, and bool, which is packed into bits."""


def bfloat16() -> np.dtype[Any]:
    """The element type bfloat16, which NumPy does not have itself. Raises MissingExtra."""
    try:
        import ml_dtypes
    except ImportError:
        raise MissingExtra("ml_dtypes", "bfloat16") from None
    dtype: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
    return dtype
