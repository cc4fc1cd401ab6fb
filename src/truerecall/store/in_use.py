"""A folder that one process at a time may work in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from truerecall.errors import InputError

try:
    import fcntl
except ImportError:  # no such locks on this system: two at once are not noticed there
    fcntl = None  # type: ignore[assignment]

NAME = "in-use"


@contextmanager
def only_one_in(folder: Path) -> Iterator[None]:
    """Hold ``folder``, which is made where it is not there and removed where it is empty in the end.

    Raises InputError where somebody holds it. A process that was killed holds nothing, whatever file it left.
    """
    if fcntl is None:
        yield
        return
    place = _held(folder)
    try:
        yield
    finally:
        (folder / NAME).unlink(missing_ok=True)
        os.close(place)
        if folder.exists() and not any(folder.iterdir()):
            folder.rmdir()


def _held(folder: Path) -> int:
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            place = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o666)
        except FileNotFoundError:  # whoever held the folder has just removed it
            continue
        try:
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(place), (folder / NAME).stat()):
                return place
        except BlockingIOError:
            os.close(place)
            problem = f"another measurement is at work in {folder}"
            raise InputError(problem, "wait until it ends, or give another --out") from None
        except FileNotFoundError:  # it was held by one who has just ended
            pass
        os.close(place)
