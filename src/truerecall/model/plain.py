"""Values in types that JSON knows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

LARGEST_EXACT = 2**53


def plain(value: Any) -> Any:
    """The value in types that JSON knows, without NaN, infinities and whole numbers that a double cannot carry."""
    if isinstance(value, Mapping):
        return {str(name): plain(own) for name, own in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return value if abs(value) <= LARGEST_EXACT else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [plain(own) for own in value]
    return str(value)
