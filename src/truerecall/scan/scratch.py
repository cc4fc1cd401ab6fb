"""Arrays that are used again: fresh ones of this size would cost a page fault for every 4 KiB, each time."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


class Scratch(threading.local):
    """Named arrays of each thread's own. What an array held is lost when it is asked for again."""

    def __init__(self) -> None:
        self._kept: dict[str, NDArray[Any]] = {}

    def array(self, name: str, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        size = int(np.prod(shape))
        kept = self._kept.get(name)
        if kept is None or len(kept) < size or kept.dtype != dtype:
            kept = self._kept[name] = np.empty(size, dtype)
        return kept[:size].reshape(shape)


class Turns:
    """Scratch for the blocks of a scan, of which two are alive at a time: one in work and one that is read."""

    def __init__(self) -> None:
        self._scratch = (Scratch(), Scratch())
        self._turn = 0

    def next(self) -> Scratch:
        self._turn = 1 - self._turn
        return self._scratch[self._turn]
