"""Ids: what a row or a query is called.

An id is a signed or unsigned 64-bit integer or a string. Integers order by value, strings by their UTF-8 bytes
(which is also the order of their code points). Where no ids are given, a row is called by its number.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Ids, Integers, frozen, texts

IDS_AT_ONCE = 1 << 16
NO_ROW = -1
"""The row number of an id that no row bears."""


def as_ids(values: Any, *, what: str) -> Ids:
    """``values`` as an id array; ``what`` names their place in messages.

    Raises InputError for floating-point ids (a double cannot carry every 64-bit integer) and for other types.
    """
    array = np.asarray(values)
    if array.ndim != 1:
        raise InputError(f"{what} holds ids in {array.ndim} dimensions", "give a flat list of ids")
    if array.dtype.kind in "UTO":
        if not all(isinstance(value, str) for value in array.tolist()):
            raise InputError(f"{what} mixes strings with other ids", "give ids of one type")
        return texts(array)
    if array.dtype.kind == "i":
        return frozen(array.astype(np.int64))
    if array.dtype.kind == "u":
        wide = array.dtype == np.uint64
        return frozen(array.astype(np.uint64 if wide else np.int64))
    raise InputError(f"{what} holds ids of type {array.dtype}", "give whole numbers or strings")


def id_kind(ids: Ids | None) -> str:
    """``row``, ``int64``, ``uint64`` or ``string``: what the ids are, as it is stored and compared."""
    if ids is None:
        return "row"
    return "string" if ids.dtype.kind == "T" else str(ids.dtype)


def row_numbers(rows: int) -> Ids:
    """The ids of rows that were given none."""
    return frozen(np.arange(rows, dtype=np.int64))


def refuse_repeated(ids: Ids, *, what: str) -> None:
    """Raises InputError where an id occurs twice: two rows under one id cannot be told apart in an answer."""
    values, counts = np.unique(ids, return_counts=True)
    if len(values) < len(ids):
        surplus = len(ids) - len(values)
        repeated = int((counts > 1).sum())
        raise InputError(
            f"{what}: {surplus} surplus rows under {repeated} repeated ids (first: {values[counts > 1][0]})",
            "give every row its own id",
        )


def order_digest(ids: Ids | None) -> str:
    """A digest of the ids in the order of rows; empty for row numbers.

    What speaks of rows by their numbers (an index, an unfinished scan) holds for this order alone; a fingerprint does
    not know of it where ids are given.
    """
    if ids is None:
        return ""
    digest = hashlib.blake2b(digest_size=16)
    for start in range(0, len(ids), IDS_AT_ONCE):
        digest.update(json.dumps(ids[start : start + IDS_AT_ONCE].tolist()).encode())
    return digest.hexdigest()


def tie_ranks(ids: Ids | None) -> Integers | None:
    """For each row its place among the ids in ascending order; None where ids are row numbers."""
    if ids is None:
        return None
    ranks = np.empty(len(ids), np.int64)
    ranks[np.argsort(ids, kind="stable")] = np.arange(len(ids))
    return ranks


def rows_of(wanted: Ids, ids: Ids) -> Integers:
    """For each of the ``wanted`` ids the row in ``ids`` that bears it, or NO_ROW. ``ids`` has no repeats.

    Ids of another kind than the corpus's are borne by no row, except that the two integer types compare by value.
    """
    rows = np.full(len(wanted), NO_ROW, np.int64)
    if not len(ids) or not len(wanted):
        return rows
    if wanted.dtype != ids.dtype:
        if "T" in (wanted.dtype.kind, ids.dtype.kind):
            return rows
        # Both are 64-bit integers of different sign: what the other type cannot hold, no row bears.
        fits = wanted >= 0 if wanted.dtype == np.int64 else wanted <= np.iinfo(np.int64).max
        rows[fits] = rows_of(wanted[fits].astype(ids.dtype), ids)
        return rows
    if ids.dtype.kind == "T":
        return _rows_of_texts(wanted, ids)
    order = np.argsort(ids, kind="stable")
    place = np.minimum(np.searchsorted(ids, wanted, sorter=order), len(ids) - 1)
    found = order[place]
    hit = ids[found] == wanted
    rows[hit] = found[hit]
    return rows


def _rows_of_texts(wanted: Ids, ids: Ids) -> Integers:
    """``rows_of`` for strings. ``numpy.searchsorted`` misplaces strings of StringDType that are longer than 15 bytes;
    sorting both together does not."""
    both = np.concatenate([ids, wanted])
    order = np.argsort(both, kind="stable")
    arranged = both[order]
    begins = np.concatenate([[True], arranged[1:] != arranged[:-1]])
    bearer = order[begins][np.cumsum(begins) - 1]  # a stable sort leaves the row of an id before those who want it
    rows = np.empty(len(both), np.int64)
    rows[order] = np.where(bearer < len(ids), bearer, NO_ROW)
    return rows[len(ids) :]


def double_rounded(strange: Ids, ids: Ids) -> bool:
    """Whether every one of the ``strange`` ids is what a double makes of one of ``ids``: they went through a program
    that keeps numbers as doubles, which carry whole numbers up to 2^53 alone."""
    if "T" in (strange.dtype.kind, ids.dtype.kind) or not len(strange) or not len(ids):
        return False
    rounded = ids.astype(np.float64)
    through = strange.astype(np.float64)
    whole = all(int(double) == own for double, own in zip(through.tolist(), strange.tolist(), strict=True))
    return whole and bool(np.isin(through, rounded).all())
