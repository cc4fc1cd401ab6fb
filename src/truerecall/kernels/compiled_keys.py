"""The keys of kernels/distances.py from compiled loops: the same bits, in a fraction of the time.

NumPy sums the terms of a pair by halves down to 128 terms at most, those in eight running sums, and so do these loops;
each term is rounded before it is added. Whether that gives the same bits is tried at every shape before it is used.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from truerecall.kernels import distances
from truerecall.kernels.distances import cosine_keys

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SUMMED_AT_ONCE = 128
PRODUCTS, SQUARES, ABSOLUTES = range(3)
COMPILED = ("float32", "float64", "int8", "uint8")
TRIED_ROWS = 8


def order_keys(distance: str, queries: NDArray[Any], rows: NDArray[Any], *, asking: Integers) -> Floats:
    """As ``distances.order_keys``, of which it gives the bits."""
    known = distance in ("l2", "ip", "cosine", "l1") and {queries.dtype.name, rows.dtype.name} <= set(COMPILED)
    if known and _is_right(distance, queries.dtype.name, rows.dtype.name, rows.shape[1]):
        return _order_keys(distance, queries, rows, asking)
    return distances.order_keys(distance, queries, rows, asking=asking)


def _order_keys(distance: str, queries: NDArray[Any], rows: NDArray[Any], asking: Integers) -> Floats:
    if distance == "l2":
        return _sums(SQUARES, queries, rows, asking)
    if distance == "l1":
        return _sums(ABSOLUTES, queries, rows, asking)
    dots = _sums(PRODUCTS, queries, rows, asking)
    if distance == "ip":
        return -dots
    own = _sums(PRODUCTS, rows, rows, np.arange(len(rows)))
    return cosine_keys(dots, own, _sums(PRODUCTS, queries, queries, np.arange(len(queries)))[asking])


def _sums(kind: int, queries: NDArray[Any], rows: NDArray[Any], asking: Integers) -> Floats:
    out = np.empty(len(rows))
    _sum_pairs(kind, queries, np.ascontiguousarray(rows), asking, *_leaves(rows.shape[1]), out)
    return out


@cache
def _is_right(distance: str, query_type: str, row_type: str, dimensions: int) -> bool:
    random = np.random.default_rng(0)
    queries, rows = (_tried(random, kind, dimensions) for kind in (query_type, row_type))
    asking = random.integers(0, TRIED_ROWS, TRIED_ROWS)
    right = distances.order_keys(distance, queries, rows, asking=asking)
    return _order_keys(distance, queries, rows, asking).tobytes() == right.tobytes()


def _tried(random: np.random.Generator, kind: str, dimensions: int) -> NDArray[Any]:
    """Vectors whose sums depend on the order of their terms, and some that cancel to zeros of either sign."""
    wide = random.standard_normal((TRIED_ROWS, dimensions)) * 10.0 ** random.integers(-3, 2, dimensions)
    vectors = (np.abs(wide) * 10 % 100 + 1 if kind == "uint8" else np.clip(wide * 10, -100, 100)).astype(kind)
    vectors[0] = 1
    vectors[vectors == 0] = 1  # no vector may be zero under cosine
    if kind != "uint8":
        vectors[1] = -1
    return vectors


@cache
def _leaves(dimensions: int) -> tuple[Integers, int]:
    """How NumPy halves a sum, as what a machine with a stack does: sum so many terms, push that, then so many times
    replace the two on top by their sum. Also how deep the stack gets."""

    def halves(length: int, merges: int) -> tuple[list[tuple[int, int]], int]:
        if length <= SUMMED_AT_ONCE:
            return [(length, merges)], 1
        half = length // 2
        half -= half % 8
        (first, depth), (second, below) = halves(half, 0), halves(length - half, merges + 1)
        return first + second, max(depth, below + 1)

    leaves, depth = halves(dimensions, 0)
    return np.array(leaves, np.int64), depth


@njit(nogil=True, cache=True)
def _sum_pairs(
    kind: int,
    queries: NDArray[Any],
    rows: NDArray[Any],
    asking: Integers,
    leaves: Integers,
    depth: int,
    out: Floats,
) -> None:
    dimensions = rows.shape[1]
    terms = np.empty(dimensions)
    stack = np.empty(depth)
    for pair in range(rows.shape[0]):
        query = asking[pair]
        if kind == PRODUCTS:
            for j in range(dimensions):
                terms[j] = np.float64(queries[query, j]) * np.float64(rows[pair, j])
        elif kind == SQUARES:
            for j in range(dimensions):
                difference = np.float64(rows[pair, j]) - np.float64(queries[query, j])
                terms[j] = difference * difference
        else:
            for j in range(dimensions):
                terms[j] = abs(np.float64(rows[pair, j]) - np.float64(queries[query, j]))
        start = 0
        top = 0
        for leaf in range(leaves.shape[0]):
            stack[top] = _sum(terms, start, leaves[leaf, 0])
            start += leaves[leaf, 0]
            for _ in range(leaves[leaf, 1]):
                top -= 1
                stack[top] += stack[top + 1]
            top += 1
        out[pair] = 0.0 + stack[0]  # NumPy begins at zero, and a sum of nothing but negative zeros is positive


@njit(nogil=True, cache=True)
def _sum(terms: Floats, start: int, length: int) -> Any:
    total = -0.0
    if length < 8:
        for j in range(start, start + length):
            total += terms[j]
        return total
    a, b, c, d = terms[start], terms[start + 1], terms[start + 2], terms[start + 3]
    e, f, g, h = terms[start + 4], terms[start + 5], terms[start + 6], terms[start + 7]
    whole = start + length - length % 8
    for j in range(start + 8, whole, 8):
        a += terms[j]
        b += terms[j + 1]
        c += terms[j + 2]
        d += terms[j + 3]
        e += terms[j + 4]
        f += terms[j + 5]
        g += terms[j + 6]
        h += terms[j + 7]
    total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for j in range(whole, start + length):
        total += terms[j]
    return total
