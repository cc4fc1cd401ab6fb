"""Where a file may be written, looked at before anything long begins."""

from __future__ import annotations

import codecs
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from truerecall.errors import InputError
from truerecall.store.parts import parted

HEAD_BYTES = 4096


def demand_file_place(path: Path) -> None:
    """Raises InputError where no file can be written at ``path``: it is a folder, or its folder cannot hold one."""
    if path.is_dir():
        raise InputError(f"{path} is a folder", "name a file in it")
    demand_folder_place(path.parent)


def demand_new_file(path: Path) -> None:
    """Raises InputError where no file can be written, or where one is already: of some kinds nobody can tell vectors of
    whole numbers from what may be replaced."""
    demand_file_place(path)
    if path.exists():
        raise InputError(f"{path} is there already and would be replaced", "name another file, or take that one away")


def demand_outside(path: Path, *vectors: Path | None) -> None:
    """Raises InputError where ``path`` would become one of the files that vectors are read from: all those of a
    folder."""
    for own in vectors:
        folder = None if own is None else parted(own)[0]
        if folder is not None and folder.is_dir() and path.resolve().parent == folder.resolve():
            raise InputError(f"{path} would be read as vectors of {folder}", "name another folder")


def demand_folder_place(folder: Path) -> None:
    """Raises InputError where ``folder`` is not one, or cannot be made, or cannot be written to. Makes nothing."""
    nearest = folder.absolute()
    while not nearest.exists():
        nearest = nearest.parent
    if not nearest.is_dir():
        raise InputError(f"{nearest} is a file", "name a folder")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise InputError(f"{nearest} may not be written to", "name another place, or change its permissions")


@contextmanager
def put_in_place(path: Path) -> Iterator[Path]:
    """A new file beside ``path`` to write to; at the end it takes that place in one step, and where writing fails it is
    gone. Every writer has one of its own, so that two at once do not mix what they write."""
    partial = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.writing")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def is_text(path: Path) -> bool:
    """Whether a file begins like UTF-8 text, as everything does that a page may replace."""
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return b"\0" not in head and not head.startswith(b"PAR1")
