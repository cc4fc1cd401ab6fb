"""Answers with a neighbour on every line: brought together by query, and put into their order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truerecall.errors import FormatError
from truerecall.model.arrays import Booleans, Floats, Ids, Integers, texts
from truerecall.model.foreign import ForeignLists, Nearer, without_padding


def lists_of_pairs(
    query_ids: Ids,
    ids: Ids,
    held: Booleans,
    *,
    what: str,
    ranks: Floats | None = None,
    numbers: Floats | None = None,
    nearer: Nearer = "unsaid",
    failures: Sequence[str] | None = None,
    remarks: tuple[str, ...] = (),
) -> ForeignLists:
    """Lists in the order in which their queries first come. Ranks order a list, from whatever number they start; where
    there are none, its numbers do, once somebody knows what they mean; else the order of the lines.

    Raises FormatError where a query has one rank twice. Ranks that are all alike say nothing and are left aside.
    """
    found, first, code = np.unique(query_ids, return_index=True, return_inverse=True)
    by_first = np.argsort(first, kind="stable")
    query = np.empty(len(found), np.int64)
    query[by_first] = np.arange(len(found))
    owner = query[code.ravel()]
    if ranks is not None and numbers is not None and len(ranks) > 1 and bool((ranks == ranks[0]).all()):
        ranks, remarks = None, (*remarks, "its ranks are all alike and are left aside")
    order = np.argsort(owner, kind="stable") if ranks is None else np.lexsort((ranks, owner))
    owner = owner[order]
    if ranks is not None:
        _refuse_repeated_ranks(owner, ranks[order], found[by_first], what)
        remarks = (*remarks, *_against_numbers(owner, numbers, order, nearer))
    elif numbers is None:
        remarks = (*remarks, "it has neither ranks nor scores: neighbours stand in the order of its lines")
    return without_padding(
        ids[order],
        held[order],
        np.bincount(owner, minlength=len(found)),
        None if numbers is None else numbers[order],
        query_ids=found[by_first],
        failures=None if failures is None else _failures(failures, order, owner, len(found)),
        nearer=nearer,
        by_number=ranks is None and numbers is not None,
        remarks=remarks,
    )


def _refuse_repeated_ranks(owner: Integers, ranks: Floats, query_ids: Ids, what: str) -> None:
    again = np.flatnonzero((np.diff(owner) == 0) & (np.diff(ranks) == 0))
    if len(again):
        raise FormatError(
            f"{what}: query {query_ids[owner[again[0]]]} has the rank {ranks[again[0]]:g} twice"
            f" ({len(again)} such lines)",
            "give each rank of a query once",
        )


def _against_numbers(owner: Integers, numbers: Floats | None, order: Integers, nearer: Nearer) -> tuple[str, ...]:
    """What is to be said where ranks and numbers tell of different orders."""
    if numbers is None:
        return ()
    same = np.diff(owner) == 0
    step = np.diff(numbers[order])[same]
    rising, falling = (np.unique(owner[1:][same][way]) for way in (step > 0, step < 0))
    odd = {"smaller": falling, "larger": rising, "unsaid": np.intersect1d(rising, falling)}[nearer]
    total = int(owner[-1]) + 1 if len(owner) else 0
    return (f"in {len(odd)} of {total} lists ranks and numbers disagree; ranks are taken",) if len(odd) else ()


def _failures(failures: Sequence[str], order: Integers, owner: Integers, queries: int) -> object:
    """For each query the first error on any of its lines."""
    told = [""] * queries
    for line, query in zip(order.tolist(), owner.tolist(), strict=True):
        told[query] = told[query] or failures[line]
    return texts(told)
