"""What else the answers fit, where they do not fit the truth well: tried, not guessed from the looks of them.

Ids that are off by one amount, row numbers for ids and ids for row numbers, letters of another case, answers to other
queries, and neighbours under another distance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Literal

import numpy as np

from truerecall.model.arrays import Floats, Ids, texts
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.judged import Rival
from truerecall.model.returned import Returned
from truerecall.model.truth import GroundTruth
from truerecall.steps.align import align, codes_of
from truerecall.steps.elsewhere import Elsewhere, rivals_elsewhere

LEAST_GAIN = 0.05
"""What explains answers better adds this much recall at least, and takes away half of what was missing."""
LISTS_TRIED = 256
SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")
ROWS, SAY_ROWS = "row numbers in place of ids", "say so with --by row, or give ids"
LARGEST_SHIFT = 2**62
LISTS_FOR_ANY_SHIFT = 3
"""One list or two may look shifted by anything."""


def rivals(
    returned: Returned,
    truth: GroundTruth,
    k: int,
    *,
    corpus_ids: Ids | None = None,
    elsewhere: Callable[[Ids], Elsewhere] | None = None,
) -> tuple[Rival, ...]:
    """What explains the answers better than the truth does as they stand, the best first.

    ``elsewhere``: gives the neighbours under other distances, of some of the queries named, which fall short.
    """
    returned, asked = some_lists(returned, truth)
    own = _recalls(returned, asked, k)
    if not len(asked) or _mean(own) > 1 - LEAST_GAIN:
        return ()
    found = [*_by_ids(returned, asked, k, corpus_ids, own), *_by_queries(returned, asked, truth, k, own)]
    if elsewhere is not None:
        found += rivals_elsewhere(returned, truth, k, elsewhere(asked.query_ids[own < 1]))
    better = [rival for rival in found if _better(rival)]
    return tuple(sorted(better, key=lambda rival: -rival.recall))


def some_lists(returned: Returned, truth: GroundTruth) -> tuple[Returned, GroundTruth]:
    """At most LISTS_TRIED answered lists, evenly over the file, and the truth of their queries."""
    answered = np.flatnonzero(~returned.failed)
    picked = answered[np.unique(np.linspace(0, len(answered) - 1, min(LISTS_TRIED, len(answered))).astype(np.int64))]
    own = rows_of(returned.query_ids[picked], truth.query_ids)
    place = np.isin(returned.owners, picked)
    part = replace(
        returned,
        query_ids=returned.query_ids[picked],
        failures=returned.failures[picked],
        neighbors=returned.neighbors.of_queries(picked),
        reported=None,
        **{name: getattr(returned, name)[place] for name in ("holes", "known", "strange")},
    )
    counts = {name: getattr(truth, name)[own] for name in ("query_ids", "eligible", "nearer", "tied", "copies")}
    return part, replace(truth, neighbors=truth.neighbors.of_queries(own), **counts)


def _better(rival: Rival) -> bool:
    gain = rival.recall - rival.own
    return gain >= LEAST_GAIN and gain >= (1 - rival.own) / 2


def _recalls(returned: Returned, truth: GroundTruth, k: int) -> Floats:
    """For each query of the truth its recall, NaN where it has no true neighbour or was not answered."""
    answers = align(returned.query_ids, returned.neighbors, returned.failed, truth, depth=k)
    cut = answers.cut(k, k)
    return np.where((cut.size > 0) & ~answers.failed, cut.hits / np.maximum(cut.size, 1), np.nan)


def _mean(recalls: Floats) -> float:
    defined = recalls[~np.isnan(recalls)]
    return float(defined.mean()) if len(defined) else 1.0


def _by_ids(returned: Returned, truth: GroundTruth, k: int, corpus_ids: Ids | None, own: Floats) -> Iterator[Rival]:
    """The same answers under other ids."""
    for told, remedy, other in _other_ids(returned, truth, k, corpus_ids):
        yield Rival(told, remedy, _mean(_recalls(returned.named(other), truth, k)), _mean(own))


def _other_ids(
    returned: Returned, truth: GroundTruth, k: int, corpus_ids: Ids | None
) -> Iterator[tuple[str, str, Ids]]:
    ids = returned.neighbors.ids
    if ids.dtype.kind == "T":
        yield from _rows_spelt(returned, corpus_ids)
        lower = texts([value.lower() for value in ids.tolist()])
        if bool((lower != ids).any()):
            yield "ids in lower case", "write ids as the corpus has them, letter by letter", lower
        return
    for shift in _shifts(returned, truth, k):
        direction = "raised" if shift > 0 else "lowered"
        yield (f"ids that are {direction} by {abs(shift)}",
               "mend the numbering: another first number, or a lost offset", _shifted(ids, shift))  # fmt: skip
    if corpus_ids is None or truth.corpus.ids == "row":
        return
    inside = (ids >= 0) & (ids < len(corpus_ids)) & ~returned.holes
    named = ids.astype(corpus_ids.dtype)
    named[inside] = corpus_ids[ids[inside].astype(np.int64)]
    yield ROWS, SAY_ROWS, named


def _rows_spelt(returned: Returned, corpus_ids: Ids | None) -> Iterator[tuple[str, str, Ids]]:
    """Row numbers where ids are strings."""
    ids = returned.neighbors.ids
    if corpus_ids is None:
        return
    rows = np.array(
        [int(value) if value.isdecimal() and len(value) < 18 else NO_ROW for value in ids.tolist()], np.int64
    )
    inside = (rows >= 0) & (rows < len(corpus_ids))
    named = ids.copy()
    named[inside] = corpus_ids[rows[inside]]
    yield ROWS, SAY_ROWS, named


def _shifts(returned: Returned, truth: GroundTruth, k: int) -> list[int]:
    """One up, one down, and the most frequent difference between a true id and the answer at its place."""
    firsts, starts = truth.neighbors.offsets[:-1], returned.neighbors.offsets
    place = rows_of(returned.query_ids, truth.query_ids)
    depth = np.minimum(np.minimum(truth.neighbors.lengths[place], returned.neighbors.lengths), k)
    owner = np.repeat(np.arange(len(depth)), depth)
    step = np.arange(len(owner)) - np.repeat(np.cumsum(depth) - depth, depth)
    true = truth.neighbors.ids[firsts[place][owner] + step].astype(np.int64)
    came = returned.neighbors.ids[starts[:-1][owner] + step].astype(np.int64)
    values, counts = np.unique(true - came, return_counts=True)
    often = [int(values[np.argmax(counts)])] if len(depth) >= LISTS_FOR_ANY_SHIFT and len(values) else []
    return [shift for shift in dict.fromkeys([1, -1, *often]) if shift and abs(shift) < LARGEST_SHIFT]


def _shifted(ids: Ids, shift: int) -> Ids:
    """The ids moved by ``shift``; one that would leave its type stays."""
    limits, moved = np.iinfo(ids.dtype), ids.copy()
    amount = ids.dtype.type(abs(shift))
    fits = ids <= limits.max - shift if shift > 0 else ids >= limits.min - shift
    moved[fits] = ids[fits] + amount if shift > 0 else ids[fits] - amount
    return moved


def _by_queries(returned: Returned, asked: GroundTruth, truth: GroundTruth, k: int, own: Floats) -> Iterator[Rival]:
    """The same answers as those to other queries of the whole truth, each list to the one that it fits best."""
    first = np.arange(len(truth.neighbors.ids)) - np.repeat(truth.neighbors.offsets[:-1], truth.neighbors.lengths) < k
    codes, came = codes_of([truth.neighbors.ids[first], returned.neighbors.ids])
    order = np.argsort(codes, kind="stable")
    codes, owners = codes[order], np.repeat(np.arange(len(truth)), np.minimum(truth.neighbors.lengths, k))[order]
    came = np.where(returned.holes, -1, came)
    fitted, best = np.zeros(len(returned.query_ids), np.int64), np.zeros(len(returned.query_ids))
    for which, (start, end) in enumerate(pairwise(returned.neighbors.offsets.tolist())):
        wanted = np.unique(came[start : min(end, start + k)])
        begins, ends = (np.searchsorted(codes, wanted, side=side) for side in SIDES)
        seen = [owners[a:b] for a, b in zip(begins.tolist(), ends.tolist(), strict=True)]
        counts = np.bincount(np.concatenate([*seen, np.empty(0, np.int64)]), minlength=len(truth))
        fitted[which] = int(counts.argmax())
        best[which] = counts[fitted[which]] / max(1, min(k, int(truth.neighbors.lengths[fitted[which]])))
    if len(np.unique(fitted)) * 2 > len(fitted):  # not all the one popular list
        told = f"answers to other queries (the list of query {returned.query_ids[0]} fits {truth.query_ids[fitted[0]]})"
        yield Rival(told, "bind answers to their queries by id", float(best.mean()), _mean(own))
