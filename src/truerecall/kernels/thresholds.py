"""One threshold for everything that forgives a little: how far a row may lie and still stand in for a true neighbour.

A threshold is a share of the true neighbour's own value: of its similarity for ip and cosine (minus the distance, one
minus the distance), of its distance for the others. What lies on the edge within EDGE is in.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

EDGE = 1e-12
"""How far beyond the threshold a row may lie, as a share of the true neighbour's value."""


def furthest(distance: str, true: Floats, share: float) -> Floats:
    """For each true distance the largest that may stand in for it: at similarity s the one of s - share |s|, else
    d (1 + share). It does not fall where ``true`` does not."""
    with np.errstate(invalid="ignore"):  # an infinite distance, where nothing is true, admits nothing
        if distance in ("ip", "cosine"):
            similarity = -true if distance == "ip" else 1.0 - true
            least = similarity - (share + EDGE) * np.abs(similarity)
            return np.asarray(-least if distance == "ip" else 1.0 - least)
        return np.asarray(true + (share + EDGE) * np.abs(true))


def largest_matching(found: Floats, limits: Floats) -> Integers:
    """For each row how many of ``limits`` can each be given a value of ``found`` of its own that it does not exceed.

    Both ascend along the last axis: shapes (rows, n) and (rows, m); infinite values of ``found`` and limits of minus
    infinity or NaN take part in no pair. The pairs are nested (what fits a limit fits every larger one), so that
    giving each limit in turn the smallest value left is a maximum matching.
    """
    rows, width = found.shape
    padded = np.concatenate([found, np.full((rows, 1), np.inf)], axis=1).ravel()
    start = np.arange(rows) * (width + 1)
    taken = np.zeros(rows, np.int64)
    for limit in np.ascontiguousarray(limits.T):
        taken += padded[start + taken] <= limit
    return taken


def proxy_shares(distance: str, true: Floats, size: Integers) -> tuple[Floats, NDArray[np.bool_]]:
    """For each query how much its true neighbours differ among themselves towards the cut, and whether that is defined:
    (s(g_m) - s(g_k)) / s(g_1), or (d(g_k) - d(g_m)) / d(g_k), with m two thirds of k, rounded.

    ``true`` (queries, depth) ascends; the first ``size`` of each row are taken. Source: arXiv 2604.20417, section 5.1.
    """
    m = np.round(2 * size / 3).astype(np.int64)
    spread = _at(true, size - 1) - _at(true, m - 1)
    return _shares(spread, _largest(distance, true, size), size >= 3)


def error_shares(distance: str, true: Floats, size: Integers, error: float) -> tuple[Floats, NDArray[np.bool_]]:
    """For each query the share that an ``error`` in its similarities or distances is, and whether that is defined:
    error / s(g_1), or error / d(g_k).

    It is of the largest value among the true neighbours, as for ``proxy_shares``, so that no threshold is moved
    further than the error reaches. ``true`` and ``size`` as there.
    """
    return _shares(np.full(len(true), error), _largest(distance, true, size), size >= 1)


def _largest(distance: str, true: Floats, size: Integers) -> Floats:
    first = _at(true, np.zeros_like(size))
    return {"ip": -first, "cosine": 1.0 - first}.get(distance, _at(true, size - 1))


def _at(true: Floats, place: Integers) -> Floats:
    """The value at a place of each row; 0 of rows without any."""
    width = max(1, true.shape[1])
    values = true if true.shape[1] else np.zeros((len(true), 1))
    return np.take_along_axis(values, np.clip(place, 0, width - 1)[:, None], axis=1)[:, 0]


def _shares(part: Floats, whole: Floats, enough: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.bool_]]:
    defined = enough & (whole > 0)
    return np.where(defined, part / np.where(defined, whole, 1.0), 0.0), defined
