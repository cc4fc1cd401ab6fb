"""The ledger of one side of a measurement: a digest for every row, by its id. It tells what changed, row by row.

A fingerprint is the digest of a ledger. So a ledger that is edited gives the fingerprint of the edited vectors, and
none of the vectors that stayed has to be read.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truerecall.errors import InputError
from truerecall.kernels.fingerprint import ROW_DIGEST_BYTES, Digests, SetDigest
from truerecall.model.arrays import Booleans, Ids, Integers, frozen
from truerecall.model.ids import NO_ROW, id_kind, row_numbers, rows_of
from truerecall.model.vectors import Fingerprint

ROWS_AT_ONCE = 1 << 16
EXAMPLES = 3


@dataclass(frozen=True, eq=False)
class Ledger:
    """``ids``: ascending and without repeats, None where rows are called by their numbers. ``digests``: of each row."""

    ids: Ids | None
    digests: Digests

    def __post_init__(self) -> None:
        object.__setattr__(self, "digests", frozen(self.digests))
        if self.ids is not None:
            object.__setattr__(self, "ids", frozen(self.ids))

    @classmethod
    def of_rows(cls, ids: Ids | None, digests: Digests) -> Ledger:
        """From the digests of rows in any order."""
        if ids is None:
            return cls(None, digests)
        order = np.argsort(ids, kind="stable")
        return cls(ids[order], digests[order])

    def __len__(self) -> int:
        return len(self.digests)

    @property
    def names(self) -> Ids:
        """What the rows are called."""
        return row_numbers(len(self)) if self.ids is None else self.ids

    def fingerprint(self, dimensions: int, dtype: str) -> Fingerprint:
        """That of the vectors, which have so many dimensions of that element type."""
        kind = id_kind(self.ids)
        digest = SetDigest(kind, dimensions, dtype)
        for start in range(0, len(self), ROWS_AT_ONCE):
            part = slice(start, start + ROWS_AT_ONCE)
            digest.add(self.names[part] if self.ids is None else self.ids[part], self.digests[part])
        return Fingerprint(digest.hexdigest(), len(self), dimensions, dtype, kind)

    def edited(self, *, removed: Ids, written: Ids, digests: Digests) -> Ledger:
        """The ledger after some rows were removed and others ``written``: changed where the id is known, else added.

        Row numbers are those before the edit; where rows are called by them, what follows a removed row moves up.
        Raises InputError for a removed row that is not there, for a row that is removed and written, and for row
        numbers that would leave a gap.
        """
        gone, old = rows_of(removed, self.names), rows_of(written, self.names)
        if bool((gone == NO_ROW).any()):
            raise InputError(f"row {removed[gone == NO_ROW][0]} is removed and not there", "remove what is there")
        if len(np.intersect1d(gone, old[old != NO_ROW])):
            raise InputError("a row is removed and written at once", "do one of the two")
        kept = np.ones(len(self), np.bool_)
        kept[gone] = False
        changed = self.digests.copy()
        changed[old[old != NO_ROW]] = digests[old != NO_ROW]
        added = np.concatenate([changed[kept], digests[old == NO_ROW]])
        if self.ids is not None:
            return Ledger.of_rows(np.concatenate([self.ids[kept], written[old == NO_ROW]]), added)
        if not np.array_equal(written[old == NO_ROW], len(self) + np.arange((old == NO_ROW).sum())):
            raise InputError("rows are added under numbers that leave a gap", "number them on from the last row")
        return Ledger(None, added)


@dataclass(frozen=True, eq=False)
class Changes:
    """What became of the rows of a ledger of ``stored`` rows: the ids of each kind, ascending.

    ``renamed``: all vectors are the same, under other ids or in another order. ``listed``: how many of the rows that
    were removed stand in the lists of the truth that the changes are told of.
    """

    stored: int
    added: Ids
    removed: Ids
    changed: Ids
    renamed: bool = False
    listed: int = 0

    def __len__(self) -> int:
        return len(self.added) + len(self.removed) + len(self.changed)

    @property
    def share(self) -> float:
        """Rows added, removed and changed, over the rows that were stored."""
        return len(self) / self.stored

    def __str__(self) -> str:
        kinds = (("added", self.added), ("removed", self.removed), ("changed", self.changed))
        told = ", ".join(f"{len(ids):,} {kind} ({_examples(ids)})" for kind, ids in kinds if len(ids))
        if self.listed:
            told += f"; it names {self.listed:,} {'id that is' if self.listed == 1 else 'ids that are'} not live"
        return f"{told}; all vectors are the same, under other ids or in another order" if self.renamed else told


def changes_between(old: Ledger, new: Ledger) -> Changes:
    """What was added, removed and changed from one ledger to another. Their ids are of one kind."""
    before, after = _words(old), _words(new)
    if old.ids is None or new.ids is None:
        n = min(len(old), len(new))
        changed = np.flatnonzero((before[:n] != after[:n]).any(axis=1))
        added, removed = row_numbers(len(new))[n:], row_numbers(len(old))[n:]
    else:
        place: Integers = rows_of(new.ids, old.ids)
        known: Booleans = place != NO_ROW
        differs = (before[place[known]] != after[known]).any(axis=1)
        gone = np.ones(len(old), np.bool_)
        gone[place[known]] = False
        added, removed, changed = new.ids[~known], old.ids[gone], new.ids[known][differs]
    differs_at_all = bool(len(added) or len(removed) or len(changed))
    return Changes(len(old), added, removed, changed, differs_at_all and _same_in_any_order(before, after))


def _words(ledger: Ledger) -> NDArray[np.uint64]:
    return np.ascontiguousarray(ledger.digests).view(np.uint64).reshape(-1, ROW_DIGEST_BYTES // 8)


def _same_in_any_order(before: NDArray[np.uint64], after: NDArray[np.uint64]) -> bool:
    """Whether both hold the same digests. They are as good as random, so sums tell them apart."""
    return len(before) == len(after) and np.array_equal(before.sum(axis=0), after.sum(axis=0))


def _examples(ids: Ids) -> str:
    return ", ".join(map(str, ids[:EXAMPLES].tolist())) + (", ..." if len(ids) > EXAMPLES else "")
