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


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract", "nsz"})
def enter(
    block: Singles,
    centre: Singles,
    scale: float,
    limit: int,
    vectors: Singles,
    as_bytes: NDArray[np.int8],
    squares: Singles,
    rests: Singles,
) -> None:
    """A block less its centre, in one pass: as float32 in the first columns of ``vectors``, as int8 times ``scale``,
    clipped to ``limit``; with the square of each length, and the length of what the int8 form leaves of it."""
    over = np.float32(1.0 / scale)
    back = np.float32(scale)
    most = np.float32(limit)
    dimensions = np.uint64(block.shape[1])
    for i in range(np.uint64(block.shape[0])):
        row, vector, bytes_ = block[i], vectors[i], as_bytes[i]
        own = np.float32(0.0)
        left = np.float32(0.0)
        for j in range(dimensions):
            value = row[j] - centre[j]
            vector[j] = value
            own += value * value
            step = value * over
            step = -most if step < -most else (most if step > most else step)
            whole = np.rint(step)
            bytes_[j] = np.int8(whole)
            rest = value - whole * back
            left += rest * rest
        squares[i] = own
        rests[i] = np.sqrt(left)


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
