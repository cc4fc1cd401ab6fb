"""The laws of how long things live: saved and loaded, side by side, and let go."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import psutil

from truerecall.errors import InputError
from truerecall.testing.subject import DoesNotApply, Subject, X, answers, refused


def a_loaded_index_behaves_like_the_one_saved(subject: Subject) -> None:
    if not subject.can("save"):
        raise DoesNotApply("it offers no saving")
    index = subject.index()
    subject.folder.mkdir(parents=True, exist_ok=True)
    path = subject.folder / "an.index"
    index.save(path)
    for threads in (1, 2):
        loaded = subject.load(path, threads=threads)
        assert loaded.configure({}) == index.configure({}), "other settings are in force"
        assert loaded.answers == index.answers, "other names of rows come"
        assert answers(loaded) == answers(index), "it answers otherwise"
    torn = subject.folder / "torn"
    torn.write_bytes(path.read_bytes()[: min(40, path.stat().st_size // 2)])
    refused(lambda: subject.load(torn), InputError, "a torn file")
    for rows in (X[:-1], X[:, :-1]):
        refused(lambda rows=rows: subject.load(path, rows), InputError, "an index of another corpus")  # type: ignore[misc]


def two_indexes_live_side_by_side(subject: Subject) -> None:
    first, second = subject.built(), subject.built(X[::-1].copy())
    before = answers(first), answers(second)
    subject.at_most(second)
    assert answers(first) == before[0], "what one was told changed the other"
    second.configure({})
    assert answers(second) == before[1], "a setting lingers"
    first.close()
    assert answers(second) == before[1], "closing one changed the other"


def closing_lets_go(subject: Subject) -> None:
    """No file in the place of an index stays open, and no process that came with it lives on. Closing twice does
    nothing."""
    others = set(_children())
    index = subject.built()
    answers(index)
    index.close()
    index.close()
    place = f"{subject.places[-1].folder.resolve()}{os.sep}"
    left = [name for name in _open_files() if name.startswith(place)]
    assert not left, f"still open: {left}"
    alive = [own.name() for own in set(_children()) - others]
    assert not alive, f"still running: {alive}"


def _open_files() -> Iterable[str]:
    """Of this process, where the system tells."""
    for number in Path("/proc/self/fd").glob("*"):
        with suppress(OSError):
            yield str(number.readlink())


def _children() -> Iterable[psutil.Process]:
    """The processes that this one started and that have not ended."""
    for own in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):
            if own.status() != psutil.STATUS_ZOMBIE:
                yield own
