"""Children that can be interrupted, however the tests themselves were started."""

from __future__ import annotations

import signal


def heard() -> None:
    """For ``preexec_fn``: a shell starts what runs in its background with interrupts ignored, and children inherit
    that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
