"""Why a truth may be wrong: suspicions that are tried, not guessed from the looks of it.

A suspicion is named only where it explains every list that was tried, those that are wrong and some that are right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from truerecall.kernels.second_opinion import unit
from truerecall.model.arrays import Floats, Ids, Integers
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.scan.question import Look, Question
from truerecall.scan.second_look import look
from truerecall.steps.agreement import Listed, same_rows

TRIED = 8
"""How many wrong lists, and how many right ones, a suspicion has to explain."""

OTHER_DISTANCES = ("l2", "ip", "cosine", "l1")
BITS = "hamming"
"""The distance of packed bits, which have no length."""

SPELLINGS: dict[str, Callable[[Floats], Floats]] = {
    "the stored distances are squared": np.square,
    "the stored distances are square roots": np.sqrt,
    "the stored distances have the other sign: similarities, not distances": np.negative,
    "the stored distances are one minus ours: similarities, not distances": lambda values: 1 - values,
    "the stored distances are those between unit vectors, not one minus the cosine": lambda values: np.sqrt(2 * values),
}
ABOUT_EQUAL = 1e-4


@dataclass(frozen=True, eq=False)
class Trial:
    """The lists that are tried, with the look at each. ``largest_row``: over the whole truth; ``ids``: the corpus's."""

    question: Question
    listed: Sequence[Listed]
    seen: Sequence[Look]
    ids: Ids
    largest_row: int

    @property
    def rows(self) -> list[Integers]:
        return [one.rows for one in self.listed]


def likely_cause(trial: Trial) -> str | None:
    """The first suspicion that explains every list; None where none does."""
    return next((told for told in _suspicions(trial)), None)


def _suspicions(trial: Trial) -> Iterator[str]:
    unknown = [one.ids[one.rows == NO_ROW] for one in trial.listed]
    strange, total = sum(len(ids) for ids in unknown), sum(len(one.ids) for one in trial.listed)
    rows = trial.question.source.rows
    if strange and trial.ids.dtype.kind in "iu" and unknown[0].dtype.kind in "iu":
        largest = max(int(ids.max()) for ids in unknown if len(ids))
        yield from _shifts(trial)
        yield f"{strange} of {total} true ids are of no row (largest {largest}, {rows} rows): truth of a larger corpus"
    if all(same_rows(one, seen) for one, seen in zip(trial.rows, trial.seen, strict=True)):
        yield from _values(trial)
        return
    for name in OTHER_DISTANCES:
        if name != trial.question.distance and _explained(trial, replace(trial.question, distance=name)):
            yield f"other distance: the lists are those of {name}, not of {trial.question.distance}"
    if trial.question.distance != BITS and _explained(trial, replace(trial.question, change=unit)):
        yield "normalisation: the lists are those of the vectors brought to length one"
    if not strange:
        yield from _shifts(trial)
    below = trial.largest_row + 1
    if below < rows and _explained(trial, replace(trial.question, below=below)):
        yield f"truncated corpus: the lists are those of the first {below} of {rows} rows, and no id lies beyond them"
    if not _holding(trial):
        yield "other corpus: no stored distance holds for the row that it names"


def _explained(trial: Trial, question: Question, rows: Sequence[Integers] | None = None) -> bool:
    """Whether every list is right under another question, and not just because nearly everything ties there."""
    rows = trial.rows if rows is None else rows
    looks = look(question, rows)
    telling = any(seen.nearer[0] + seen.tied[1] < min(2 * len(seen.rows), seen.eligible) for seen in looks)
    return telling and all(same_rows(one, seen) for one, seen in zip(rows, looks, strict=True))


def _values(trial: Trial) -> Iterator[str]:
    """The rows are right and the distances are not."""
    own, stored = _flat(trial, [seen.at for seen in trial.seen])
    if not len(stored):
        return
    with np.errstate(all="ignore"):
        for told, spelling in SPELLINGS.items():
            if _about_equal(spelling(own), stored):
                yield told
    for name in OTHER_DISTANCES:
        if name == trial.question.distance:
            continue
        seen = look(replace(trial.question, distance=name), trial.rows)
        if _about_equal(_flat(trial, [one.at for one in seen])[0], stored):
            yield f"other distance: the stored distances are those of {name}, not of {trial.question.distance}"
    if trial.question.distance == BITS:
        return
    seen = look(replace(trial.question, change=unit), trial.rows)
    if _about_equal(_flat(trial, [one.at for one in seen])[0], stored):
        yield "normalisation: the stored distances are those of the vectors brought to length one"


def _shifts(trial: Trial) -> Iterator[str]:
    """Whole-number ids that are off by the same amount everywhere, or that start again in every chunk."""
    pairs = [
        (one.ids.astype(np.int64), trial.ids[seen.rows].astype(np.int64))
        for one, seen in zip(trial.listed, trial.seen, strict=True)
        if trial.ids.dtype.kind in "iu" and one.ids.dtype.kind in "iu" and len(one.ids) == len(seen.rows)
    ]
    if len(pairs) < len(trial.listed) or not sum(len(ids) for ids, _ in pairs):
        return
    off = np.concatenate([true - ids for ids, true in pairs])
    values, counts = np.unique(off, return_counts=True)
    shift = int(values[np.argmax(counts)])
    if shift and _explained(trial, trial.question, [rows_of(ids + shift, trial.ids) for ids, _ in pairs]):
        direction = "small" if shift > 0 else "large"
        yield f"shifted ids: every id is {abs(shift)} too {direction} (another first number, or a lost offset)"
    chunk, largest = int(np.gcd.reduce(off)), max(int(ids.max(initial=0)) for ids, _ in pairs)
    if chunk > largest and bool((off >= 0).all()) and len(values) > 1:
        yield f"shifted ids: the numbering starts again at 0 in every chunk of {chunk} rows (a lost offset)"


def _holding(trial: Trial) -> int:
    """How many stored distances are about right for the rows that they name."""
    own, stored = _flat(trial, [seen.at for seen in trial.seen])
    return int(np.isclose(own, stored, rtol=ABOUT_EQUAL, atol=0).sum())


def _flat(trial: Trial, at: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Recomputed and stored distances of all lists, where there are both."""
    own = np.concatenate([np.empty(0), *at])
    stored = np.concatenate([np.empty(0), *(one.distances for one in trial.listed)])
    both = ~(np.isnan(own) | np.isnan(stored))
    return own[both], stored[both]


def _about_equal(own: Floats, stored: Floats) -> bool:
    return bool(np.allclose(own, stored, rtol=ABOUT_EQUAL, atol=1e-9))
