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
def _dot(queries: Singles, query: Any, rows: Singles, row: Any) -> Any:
    total = np.float32(0.0)
    for j in range(np.uint64(rows.shape[1])):
        total += queries[query, j] * rows[row, j]
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
    column = rows[:, rows.shape[1] - 1].copy()
    hits = np.empty(sums.shape[1] + 1, np.int32)
    written = 0
    looked = 0
    for i in range(np.uint64(first), np.uint64(sums.shape[0])):
        if written + sums.shape[1] > out_queries.shape[0]:
            return int(i), written, looked
        step = steps[i]
        need = needed[i]
        # Searching and scoring are apart, and neither branches on a single pair: so the next is begun early.
        found = np.uint64(0)
        start = np.uint64(0)
        while start < width:
            stop = min(start + np.uint64(GROUP), width)
            any_hit = False
            for j in range(start, stop):
                any_hit |= np.float32(sums[i, j]) * step + column[j] >= need
            if any_hit:
                for j in range(start, stop):
                    hits[found] = j
                    found += np.uint64(np.float32(sums[i, j]) * step + column[j] >= need)
            start = stop
        looked += int(found)
        for h in range(found):
            row = np.uint64(hits[h])
            number = _dot(queries, i, rows, row)
            out_queries[written] = i
            out_rows[written] = row
            out_numbers[written] = number
            written += number >= thresholds[i]
    return sums.shape[0], written, looked
