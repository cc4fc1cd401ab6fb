"""Answers from arrays in memory, which no file describes."""

from __future__ import annotations

from typing import Any

import numpy as np

from truerecall.errors import InputError
from truerecall.model.answers import Answers, Grades
from truerecall.model.arrays import Booleans, Floats, Integers
from truerecall.model.cut import NOTHING
from truerecall.model.distance import distance_named
from truerecall.model.ids import as_ids
from truerecall.steps.align import codes_of

LARGEST_CODE = 1 << 40
"""Whole numbers up to here are their own codes."""

ROUNDING = 1e-6
"""By how much, beside the distance, one may fall below the one before: distances that were once rounded."""

MANY = np.iinfo(np.int64).max
"""How many rows are eligible where nobody says."""


def answers_from(
    truth_ids: Any,
    answer_ids: Any,
    *,
    truth_distances: Any,
    answer_distances: Any,
    distance: str,
    integral: bool,
    eligible: Any,
    relevant_ids: Any,
) -> Answers:
    """Answers of as many queries as both sides have rows. Raises InputError for sides that do not fit each other."""
    true_ids, true_there = matrix_of(truth_ids, what="the truth")
    found_ids, found_there = matrix_of(answer_ids, what="the answers")
    n = len(true_ids)
    if len(found_ids) != n:
        raise InputError(
            f"the truth has {n} queries and the answers have {len(found_ids)}",
            "give a row for each query on both sides",
        )
    if bool((true_there[:, 1:] & ~true_there[:, :-1]).any()):
        raise InputError("a row of the truth has padding before an id", "pad at the end alone")
    listed = true_there.sum(axis=1)
    counts = np.where(listed < true_there.shape[1], listed, MANY) if eligible is None else _counts(eligible, listed)
    judged_ids, judged_there = matrix_of([] if relevant_ids is None else relevant_ids, what="the relevant ids")
    if relevant_ids is not None and len(judged_ids) != n:
        raise InputError(f"{len(judged_ids)} lists of relevant ids are for {n} queries", "give a list for each query")
    true, found, relevant = _coded((true_ids, true_there), (found_ids, found_there), (judged_ids, judged_there))
    _refuse_repeated(true)
    places = np.broadcast_to(np.arange(true.shape[1], dtype=np.float64), true.shape)
    true_distances = _distances(places if truth_distances is None else truth_distances, true_there, "the truth")
    _refuse_unordered(true_distances, true_there)
    known = truth_distances is not None and answer_distances is not None
    came = answer_distances if known else np.full(found.shape, np.nan)
    judged = None if relevant_ids is None else tuple(np.unique(row[row != NOTHING]) for row in relevant)
    return Answers(
        truth=true,
        truth_distances=true_distances,
        eligible=counts,
        found=found,
        found_distances=_distances(came, found_there, "the answers"),
        failed=np.zeros(n, np.bool_),
        relevant=judged,
        deepest=np.max(true_distances, axis=1, where=true_there, initial=-np.inf),
        whole=counts == listed,
        judged=None if judged is None else Grades(judged, tuple(np.ones(len(row)) for row in judged), 1.0),
        distance=distance_named(distance).name,
        integral=integral,
        recomputed=known,
    )


def matrix_of(lists: Any, *, what: str) -> tuple[Any, Booleans]:
    """Lists of ids as a matrix, and where it holds an id. Raises InputError for what are no lists of ids."""
    if isinstance(lists, np.ndarray) and lists.ndim == 2 and lists.dtype.kind in "iu":
        return lists, np.asarray(lists != NOTHING)
    rows = [list(row) for row in lists]
    lengths = np.array([len(row) for row in rows], np.int64)
    there = np.arange(lengths.max(initial=0)) < lengths[:, None]
    flat = [value for row in rows for value in row]
    holds = np.array([value is not None and value != -1 for value in flat], np.bool_)
    kept = [value for value, is_id in zip(flat, holds.tolist(), strict=True) if is_id]
    strings = any(isinstance(value, str) for value in kept)
    ids = as_ids(np.array(kept, dtype=object if strings else None) if kept else np.empty(0, np.int64), what=what)
    there[there] = holds
    matrix = np.full(there.shape, {"T": "", "u": 0}.get(ids.dtype.kind, NOTHING), ids.dtype)
    matrix[there] = ids
    return matrix, there


def _refuse_repeated(true: Integers) -> None:
    ordered = np.sort(true, axis=1)
    rows = int(((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NOTHING)).any(axis=1).sum())
    if rows:
        raise InputError(
            f"{rows} {'row' if rows == 1 else 'rows'} of the truth {'repeats' if rows == 1 else 'repeat'} an id",
            "list every true neighbour once",
        )


def _counts(eligible: Any, listed: Integers) -> Integers:
    """How many rows may answer each query, at least those that the truth lists."""
    given = np.asarray(eligible, np.int64)
    if given.shape not in ((), (1,), listed.shape):
        raise InputError(f"eligible has shape {given.shape} for {len(listed)} queries", "give a count for each query")
    counts = np.broadcast_to(given, listed.shape)
    if bool((counts < listed).any()):
        raise InputError("fewer rows are eligible than the truth lists", "count every row that may answer")
    return counts


def _refuse_unordered(distances: Floats, there: Booleans) -> None:
    """Raises InputError where a true distance is missing, or neighbours get nearer along a row."""
    if bool((np.isnan(distances) & there).any()):
        raise InputError("the truth has neighbours without a distance (NaN)", "give the true distance of each")
    before, after = distances[:, :-1], distances[:, 1:]
    nearer = after < before - ROUNDING * np.maximum(np.abs(before), 1.0)
    if bool(nearer.any()):
        raise InputError(
            f"the true distances fall along row {int(np.argmax(nearer.any(axis=1)))}",
            "list neighbours from the nearest on, with lower distances for nearer ones (for ip the negated product)",
        )


def _coded(*sides: tuple[Any, Booleans]) -> list[Integers]:
    """Each side with its ids as codes and NOTHING for padding."""
    kinds = {ids.dtype.kind == "T" for ids, there in sides if there.any()}
    if len(kinds) > 1:
        raise InputError("some arrays hold strings and others whole numbers as ids", "give ids of one type")
    if all(_are_codes(ids, there) for ids, there in sides):
        # Padding of signed integers is NOTHING already.
        signed = [
            ids if ids.dtype.kind == "i" else np.where(there, ids.astype(np.int64), NOTHING) for ids, there in sides
        ]
        return [ids.astype(np.int64, copy=False) for ids in signed]
    coded = codes_of([as_ids(ids[there], what="an array") for ids, there in sides])
    filled = []
    for (ids, there), codes in zip(sides, coded, strict=True):
        matrix = np.full(ids.shape, NOTHING, np.int64)
        matrix[there] = codes
        filled.append(matrix)
    return filled


def _are_codes(ids: Any, there: Booleans) -> bool:
    return ids.dtype.kind in "iu" and (not ids.size or (int(ids.min()) >= -1 and int(ids.max()) < LARGEST_CODE))


def _distances(values: Any, there: Booleans, what: str) -> Floats:
    """True distances in float64, NaN in padding. Raises InputError where they are not one for each id."""
    if not isinstance(values, np.ndarray):
        rows = [list(row) for row in values]
        lengths = sorted({len(row) for row in rows})
        if lengths and lengths[-1] > there.shape[1]:
            raise InputError(
                f"{what} has ids of shape {there.shape} and {len(rows)} rows of up to {lengths[-1]} distances",
                "give one each",
            )
        values = np.array([row + [np.nan] * (there.shape[1] - len(row)) for row in rows], np.float64)
        values = values.reshape(len(rows), there.shape[1])
    if values.shape != there.shape:
        raise InputError(
            f"{what} has ids of shape {there.shape} and distances of shape {values.shape}", "give one each"
        )
    values = np.asarray(values, np.float64)
    return values if there.all() else np.where(there, values, np.nan)
