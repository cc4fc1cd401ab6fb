"""Inner loops that NumPy cannot fuse, compiled by Numba when this module is first imported.

Indices are unsigned, so that no index can wrap and the loops become vector instructions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

GROUP = 32
Singles = NDArray[np.float32]


@njit(nogil=True, cache=True, fastmath=True)
def quantise(rows: Singles, dimensions: int, scale: float, limit: int, out: NDArray[np.int8], left: Singles) -> None:
    """Each row as int8 times ``scale``, clipped to ``limit``, and in ``left`` the length of what that leaves.

    Every value must be finite.
    """
    over = np.float32(1.0 / scale)
    back = np.float32(scale)
    most = np.float32(limit)
    for i in range(rows.shape[0]):
        row = rows[i]
        squares = np.float32(0.0)
        for j in range(dimensions):
            step = np.rint(row[j] * over)
            step = min(max(step, -most), most)
            out[i, j] = np.int8(step)
            rest = row[j] - step * back
            squares += rest * rest
        left[i] = np.sqrt(squares)


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract", "nsz"})
def _dot(a: Singles, b: Singles, length: np.uint64) -> Any:
    total = np.float32(0.0)
    for j in range(length):
        total += a[j] * b[j]
    return total


@njit(nogil=True, cache=True)
def reaching(
    sums: NDArray[np.int32],
    steps: Singles,
    needed: Singles,
    thresholds: Singles,
    queries: Singles,
    rows: Singles,
    first: int,
    out_queries: NDArray[np.int64],
    out_rows: NDArray[np.int64],
    out_numbers: Singles,
) -> tuple[int, int, int]:
    """Write the pairs whose float32 number reaches the threshold of their query.

    Only pairs are looked at whose integer sum times the query's ``steps`` plus the row's last column reaches what is
    ``needed``. Starts at the query ``first``; returns the query at which the room ran out (or their number), how many
    pairs were written and how many were looked at.
    """
    width = np.uint64(sums.shape[1])
    length = np.uint64(rows.shape[1])
    last = np.uint64(length - np.uint64(1))
    column = rows[:, last].copy()
    room = out_queries.shape[0]
    written = 0
    looked = 0
    for i in range(first, sums.shape[0]):
        if written + sums.shape[1] > room:
            return i, written, looked
        mine = sums[i]
        step = steps[i]
        need = needed[i]
        query = queries[i]
        threshold = thresholds[i]
        start = np.uint64(0)
        while start < width:
            stop = min(start + np.uint64(GROUP), width)
            any_hit = False
            for j in range(start, stop):
                any_hit |= np.float32(mine[j]) * step + column[j] >= need
            if any_hit:
                for j in range(start, stop):
                    if np.float32(mine[j]) * step + column[j] >= need:
                        looked += 1
                        number = _dot(query, rows[j], length)
                        if number >= threshold:
                            out_queries[written] = i
                            out_rows[written] = np.int64(j)
                            out_numbers[written] = number
                            written += 1
            start = stop
    return sums.shape[0], written, looked
