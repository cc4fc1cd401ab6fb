"""Calls on the clock, in turn or by several clients at once: the loop that all modes and the empty engine share."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from threading import Barrier, Thread
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from truerecall.model.arrays import Vectors

Call = Callable[[Vectors, int], Any]


@dataclass(frozen=True)
class Sheet:
    """What came back, each call at its own place: when it began and ended on the same clock in seconds, the reply as it
    came (None where the call raised) and the error in words (empty where it did not). A place where nothing was filed
    counts as a failed call."""

    began: list[float]
    ended: list[float]
    replies: list[Any]
    failures: list[str]

    @classmethod
    def of(cls, calls: int) -> Sheet:
        return cls([0.0] * calls, [0.0] * calls, [None] * calls, ["nothing came back"] * calls)


def ask(call: Call, asked: Sequence[Vectors], k: int, sheet: Sheet, first: int) -> None:
    """Call once with each of ``asked``, in turn; the reply to number i stands at place ``first + i`` of the sheet.

    Between the two readings of the clock there is nothing but the call. A call that raises is noted, and the rest go
    on.
    """
    clock, began, ended, replies, failures = time.perf_counter, sheet.began, sheet.ended, sheet.replies, sheet.failures
    for place, queries in enumerate(asked, first):
        try:
            start = clock()
            reply = call(queries, k)
            stop = clock()
            failure = ""
        except Exception as error:  # whatever an engine may raise: the queries of the call count as failed
            stop = clock()
            reply = None
            failure = " ".join(f"{type(error).__name__}: {error}".split())
        began[place] = start
        ended[place] = stop
        replies[place] = reply
        failures[place] = failure


def ask_at_once(call: Call, asked: Sequence[Vectors], k: int, sheet: Sheet, clients: int) -> None:
    """The same by ``clients`` threads that begin together, each with its share, asking its next when the last is
    answered.

    They share one Python: an engine that does not let go of it while it searches serves one of them at a time. Each
    searches on one thread of its own.
    """
    parts = [part for part in shares(len(asked), clients) if part]
    gate = Barrier(len(parts))

    def work(part: range) -> None:
        with threadpool_limits(1):  # OpenMP keeps this number for each thread that calls it
            gate.wait()
            ask(call, asked[part.start : part.stop], k, sheet, part.start)

    threads = [Thread(target=work, args=(part,), daemon=True) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def shares(count: int, clients: int) -> list[range]:
    """A contiguous share of ``count`` places for each client; they differ by one at most."""
    cuts = np.linspace(0, count, clients + 1).astype(int).tolist()
    return [range(start, stop) for start, stop in pairwise(cuts)]
