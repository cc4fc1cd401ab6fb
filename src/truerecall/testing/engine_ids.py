"""The laws of ids: what rows are called in the engine they are called in its answers, and in the corpus it gives."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from truerecall.errors import Incapable
from truerecall.testing.subject import MOST_LOST, DoesNotApply, Q, Subject, X, answers, nearest, plain, recall, refused

LAID = 300
"""Rows that are laid out under ids."""
IDS: dict[str, list[int] | list[str]] = {
    "whole numbers past 2^53": [2**53 + 1 + 2 * ((7 * row) % LAID) for row in range(LAID)],
    "texts": [f"Zeile {(7 * row) % LAID:03} 'ä\" %s" for row in range(LAID)],
    "UUIDs": [str(uuid.UUID(int=((7 * row) % LAID) * 2**100 + row)) for row in range(LAID)],
}
"""Of each kind that an engine may have: numbers that no float holds, texts that want quoting, in no order."""


def ids_come_back_as_they_are(subject: Subject) -> None:
    """Of an index that exists, in each kind of id that it can have; and it is not to be written to."""
    if not subject.can("attach"):
        raise DoesNotApply("it offers no attaching; its answers are rows")
    for kind, ids, name in _laid(subject):
        index = subject.attached(name)
        assert index.answers == "ids", f"attached to, it answers with {index.answers}"
        subject.at_most(index)
        found = answers(index)
        together = [plain(own) for own in index.search_batch(index.prepare(Q), len(found[0]))]
        truth: list[list[Any]] = [[ids[row] for row in own] for own in nearest(X[:LAID], Q, subject.distance)]
        for answer in (found, together):
            strange = [
                own for own in chain.from_iterable(answer) if own not in set(ids) or type(own) is not type(ids[0])
            ]
            assert not strange, f"of {kind} came {strange[0]!r}, which no row is called"
            share = recall(truth, answer)
            assert share > 1 - MOST_LOST, f"of {kind} {share:.1%} of the true neighbours come under their own id"
        uses: dict[str, Callable[[], object]] = {
            "delete": lambda index=index, row=found[0][:1]: index.delete(row),  # type: ignore[misc]
            "update": lambda index=index, row=found[0][:1]: index.update(row, X[:1]),  # type: ignore[misc]
            "save": lambda index=index: index.save(subject.folder / "attached.index"),  # type: ignore[misc]
        }
        for what, use in uses.items():
            refused(use, Incapable, f"to {what} where it was attached")


def a_corpus_is_given_with_its_ids(subject: Subject) -> None:
    """Each row under its own id, in blocks of any size, from any row on, and picked."""
    if not subject.can("source"):
        raise DoesNotApply("it does not give its vectors back")
    for kind, ids, name in _laid(subject):
        corpus = subject.engine.source(name, place=subject.place())
        called = corpus.ids.tolist()
        assert sorted(called) == sorted(ids), f"of {kind} others come than were laid out"
        order = [ids.index(own) for own in called]
        read = [(start, block.copy()) for start, block in corpus.source.blocks(128, 20)]
        assert [start for start, _ in read] == [20, 148, 276], f"blocks of 128 begin at {[start for start, _ in read]}"
        told = f"of {kind} vectors come under the ids of others"
        assert np.allclose(np.vstack([block for _, block in read]), X[order][20:]), told
        assert np.allclose(corpus.source.take(np.array([5, 3, 5])), X[order][[5, 3, 5]]), told


def _laid(subject: Subject) -> Iterator[tuple[str, Sequence[int | str], str]]:
    """Each kind of id that the engine can have: what it is, the ids, and by which name to attach to the rows."""
    if subject.lay_out is None:
        raise DoesNotApply("nothing was given to lay rows out with (lay_out=)")
    none = True
    for kind, ids in IDS.items():
        name = subject.lay_out(ids, X[:LAID], subject.distance)
        if name is not None:
            none = False
            yield kind, ids, name
    assert not none, "rows can be laid out under no kind of id"
