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


BLOCKS_IN_WORK = 3
"""So that a thread that is done with its part of a block need not wait for the others; one more is read meanwhile."""


class Turns:
    """Scratch for the blocks of a scan that are alive at a time."""

    def __init__(self) -> None:
        self._scratch = [Scratch() for _ in range(BLOCKS_IN_WORK + 1)]
        self._turn = 0

    def next(self) -> Scratch:
        self._turn = (self._turn + 1) % len(self._scratch)
        return self._scratch[self._turn]
