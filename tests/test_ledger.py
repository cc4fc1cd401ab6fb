"""The ledger of rows: edited, it is that of the edited vectors; compared, it names every row that differs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerecall.errors import InputError
from truerecall.kernels.fingerprint import row_digests
from truerecall.model.arrays import texts
from truerecall.model.distance import distance_named
from truerecall.model.ledger import Changes, Ledger, changes_between
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, Fingerprint, QuerySet
from truerecall.steps.identify import identify


def named(values: list[int], kind: str) -> Any:
    return np.array(values, np.int64) if kind == "int64" else texts([f"é{value}" for value in values])


def identity_of(ids: Any, vectors: Any) -> tuple[Fingerprint, Ledger]:
    queries = QuerySet(np.ones((1, vectors.shape[1]), vectors.dtype))
    found = identify(Corpus(ArraySource(vectors), ids), queries, distance_named("l2")).corpus
    assert found.ledger is not None
    return found.fingerprint, found.ledger


def ledger_of(ids: Any, values: list[float]) -> Ledger:
    return Ledger.of_rows(ids, row_digests(np.array(values, np.float32)[:, None]))


@given(st.data(), st.sampled_from(["int64", "string"]))
def test_an_edited_ledger_is_that_of_the_edited_vectors(data: st.DataObject, kind: str) -> None:
    before = data.draw(st.dictionaries(st.integers(-9, 9), st.integers(0, 2), min_size=1))
    after = data.draw(st.dictionaries(st.integers(-9, 9), st.integers(0, 2), min_size=1))
    removed = sorted(set(before) - set(after))
    written = [name for name in after if before.get(name) != after[name]]
    vectors = {name: np.full((1, 2), value, np.float32) for name, value in after.items()}

    old = ledger_of_pairs(before, kind)
    new_digests = row_digests(np.concatenate([vectors[name] for name in written] or [np.empty((0, 2), np.float32)]))
    new = old.edited(removed=named(removed, kind), written=named(written, kind), digests=new_digests)
    fingerprint, ledger = identity_of(named(list(after), kind), np.concatenate([vectors[name] for name in after]))
    assert new.fingerprint(2, "float32") == ledger.fingerprint(2, "float32") == fingerprint

    changes = changes_between(old, ledger)
    added = [name for name in written if name not in before]
    changed = [name for name in written if name in before]
    for found, expected in ((changes.added, added), (changes.removed, removed), (changes.changed, changed)):
        assert found.tolist() == sorted(named(expected, kind).tolist())
    assert changes.share == (len(added) + len(removed) + len(changed)) / len(before)


def ledger_of_pairs(rows: dict[int, int], kind: str) -> Ledger:
    vectors = np.array([[value] * 2 for value in rows.values()], np.float32)
    return Ledger.of_rows(named(list(rows), kind), row_digests(vectors))


def test_row_numbers_move_up_when_a_row_goes() -> None:
    old = ledger_of(None, [0, 1, 2, 3])
    none = np.empty(0, np.int64)
    shifted = old.edited(
        removed=np.array([1]), written=np.array([0, 4]), digests=row_digests(np.array([[9.0], [4]], "f4"))
    )
    assert shifted.digests.tolist() == ledger_of(None, [9, 2, 3, 4]).digests.tolist()
    changes = changes_between(old, ledger_of(None, [0, 2, 3]))
    assert (changes.changed.tolist(), changes.removed.tolist(), changes.added.tolist()) == ([1, 2], [3], [])
    assert str(changes) == "1 removed (3), 2 changed (1, 2)"
    with pytest.raises(InputError, match="leave a gap"):
        old.edited(removed=none, written=np.array([6]), digests=old.digests[:1])
    with pytest.raises(InputError, match="row 8 is removed and not there"):
        old.edited(removed=np.array([8]), written=none, digests=old.digests[:0])
    with pytest.raises(InputError, match="at once"):
        old.edited(removed=np.array([1]), written=np.array([1]), digests=old.digests[:1])


@pytest.mark.parametrize("ids", [None, "int64", "string"])
def test_the_same_vectors_under_other_ids_are_called_so(ids: str | None) -> None:
    old = ledger_of(ids and named([0, 1, 2, 3], ids), [5, 6, 7, 8])
    new = ledger_of(ids and named([1, 0, 2, 3], ids), [5, 6, 7, 8] if ids else [6, 5, 7, 8])
    changes = changes_between(old, new)
    assert (len(changes.changed), changes.renamed) == (2, True)
    assert str(changes).endswith("; all vectors are the same, under other ids or in another order")
    assert not changes_between(old, ledger_of(ids and named([1, 0, 2, 3], ids), [5, 6, 7, 9])).renamed
    assert (len(changes_between(old, old)), changes_between(old, old).renamed) == (0, False)


def test_two_sign_flips_do_not_cancel() -> None:
    x = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    assert identity_of(None, x)[0] != identity_of(None, x * np.array([[-1, 1], [-1, 1]], np.float32))[0]
    assert identity_of(None, x)[0] != identity_of(None, -x)[0]


def test_at_most_three_rows_of_each_kind_are_named() -> None:
    ids = np.arange(1000, 6000)
    assert str(Changes(9000, ids, ids[:3], ids[:0])) == (
        "5,000 added (1000, 1001, 1002, ...), 3 removed (1000, 1001, 1002)"
    )
