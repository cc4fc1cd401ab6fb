"""The order of answers that come with numbers in place of ranks: which of them are the near ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Floats, Integers
from truerecall.model.foreign import ForeignLists, Nearer
from truerecall.model.truth import GroundTruth
from truerecall.steps.answer_distances import listed_distances

DECISIVE = 0.9
"""The share of pairs of neighbours that have to tell the same before a direction is taken from them."""
WORDS = {"smaller": "the smaller the nearer", "larger": "the larger the nearer"}


def in_order(
    lists: ForeignLists, asking: Integers, truth: GroundTruth, declared: Nearer | None
) -> tuple[ForeignLists, tuple[str, ...]]:
    """The lists nearest first, and what is to be said of how that was told.

    What is declared counts first, then what the column is called, then how the numbers run beside the true distances
    that the truth knows, then in which direction all lists run in the file; scores are higher for nearer rows where
    nothing tells.
    """
    numbers = lists.distances
    if not lists.by_number or numbers is None:
        return lists, ()
    _refuse_unnumbered(lists, numbers)
    nearer, why = declared or lists.nearer, "declared" if declared else "by the name of their column"
    if nearer == "unsaid":
        nearer, why = _by_distances(lists, listed_distances(lists, asking, truth))
    if nearer == "unsaid":
        nearer, why = _by_arrival(lists)
    owner = np.repeat(np.arange(len(lists)), np.diff(lists.offsets))
    key = numbers if nearer == "smaller" else -numbers
    order = np.lexsort((key, owner))
    holes = None if lists.holes is None else lists.holes[order]
    ordered = replace(
        lists, ids=lists.ids[order], distances=numbers[order], holes=holes, nearer=nearer, by_number=False
    )
    return ordered, (f"its lists are ordered by their numbers, {WORDS[nearer]} ({why})",)


def _refuse_unnumbered(lists: ForeignLists, numbers: Floats) -> None:
    """Raises InputError where an id has no number to order it by. A place that was padded needs none."""
    missing = np.isnan(numbers) if lists.holes is None else np.isnan(numbers) & ~lists.holes
    if missing.any():
        count = int(missing.sum())
        raise InputError(
            f"{count:,} of {len(numbers):,} neighbours have no number (or NaN), and nothing else orders them",
            "give ranks, or a number to each",
        )


def _by_distances(lists: ForeignLists, true: Floats) -> tuple[Nearer, str]:
    """How the numbers of neighbours in the truth run beside their true distances."""
    assert lists.distances is not None
    owner = np.repeat(np.arange(len(lists)), np.diff(lists.offsets))
    usable = ~np.isnan(true) & ~np.isnan(lists.distances)
    owner, true, numbers = owner[usable], true[usable], lists.distances[usable]
    order = np.lexsort((true, owner))
    same = np.diff(owner[order]) == 0
    farther, step = np.diff(true[order])[same] > 0, np.diff(numbers[order])[same]
    up, down = int((step[farther] > 0).sum()), int((step[farther] < 0).sum())
    told = up + down
    if told and max(up, down) >= DECISIVE * told:
        return ("smaller" if up > down else "larger"), "as the true distances run"
    return "unsaid", ""


def _by_arrival(lists: ForeignLists) -> tuple[Nearer, str]:
    assert lists.distances is not None
    owner = np.repeat(np.arange(len(lists)), np.diff(lists.offsets))
    step = np.diff(lists.distances)[np.diff(owner) == 0]
    rises, falls = bool((step > 0).any()), bool((step < 0).any())
    if rises and not falls:
        return "smaller", "as all lists of the file run"
    if falls and not rises:
        return "larger", "as all lists of the file run"
    return "larger", "as scores do where nothing says otherwise"
