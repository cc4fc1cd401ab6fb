"""Libraries written in C++ that print to standard error whatever they are told."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

_ONE_AT_A_TIME = Lock()


@contextmanager
def nothing_on_stderr() -> Iterator[None]:
    """What any thread of the process writes to its standard error in the meantime is lost; exceptions are not."""
    with _ONE_AT_A_TIME:
        sys.stderr.flush()
        kept = os.dup(2)
        try:
            with Path(os.devnull).open("wb") as nowhere:
                os.dup2(nowhere.fileno(), 2)
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
