"""A process of its own for one bench: it does what it is told over its standard input, and ends when that ends.

So it ends with the process that started it, however that one ends, and an interruption from the keyboard is a matter of
that one alone. What libraries print goes to standard error. Messages are pickles: a request names a method of the Bench
and its arguments, and is answered by ``done`` or ``raised``. Before that there may come any number of ``told``: a call
of the progress, which is acknowledged before the work goes on, so that nothing is drawn while something is timed.
"""

from __future__ import annotations

import os
import pickle
import signal
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO

from truerecall.errors import TruerecallError
from truerecall.steps.bench import Bench
from truerecall.steps.frames import receive, send
from truerecall.steps.handing import not_handed_over


def main() -> None:
    """Serve until ``close`` was asked for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    line = _Line(requests, replies)
    bench: Bench | None = None
    name = ""
    while name != "close":
        try:
            name, arguments = line.next_request()
            if name == "open":
                recipe, queries = arguments
                bench = Bench(recipe, queries, "process")
                value = None
            else:
                told = (_Told(line),) if name == "measure" else ()
                value = getattr(bench, name)(*arguments, *told)
            line.answer("done", value)
        except Exception as error:
            line.answer("raised", _portable(error))


class _Line:
    """Both directions. A thread reads, for one that waits takes no time and hears when the other side ends, whatever
    is being done meanwhile."""

    def __init__(self, requests: BinaryIO, replies: BinaryIO) -> None:
        self.replies = replies
        self.waiting: SimpleQueue[bytes] = SimpleQueue()
        Thread(target=self._read, args=(requests,), daemon=True).start()

    def _read(self, requests: BinaryIO) -> None:
        while True:
            message = receive(requests)
            if message is None:
                os._exit(0)
            self.waiting.put(message)

    def next_request(self) -> tuple[str, tuple[Any, ...]]:
        message = self.waiting.get()
        try:
            name, arguments = pickle.loads(message)
        except (AttributeError, ImportError, pickle.UnpicklingError) as error:
            raise not_handed_over(error) from error
        return name, arguments

    def answer(self, kind: str, value: Any) -> None:
        try:
            send(self.replies, pickle.dumps((kind, value), pickle.HIGHEST_PROTOCOL))
        except BrokenPipeError:
            os._exit(0)

    def tell(self, name: str, arguments: tuple[Any, ...]) -> None:
        self.answer("told", (name, arguments))
        self.waiting.get()


class _Told:
    """A listener whose ears are in the other process."""

    def __init__(self, line: _Line) -> None:
        self.line = line

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *arguments: self.line.tell(name, arguments)


def _portable(error: Exception) -> Exception:
    """The error in a form that survives the way; of an unexpected one with the place where it was raised."""
    if isinstance(error, TruerecallError):
        return error
    told = "".join(traceback.format_exception(error))
    try:
        error.add_note(f"raised in a worker process:\n{told}")
        pickle.loads(pickle.dumps(error))
    except Exception:  # whatever the error's own class may do when it is copied
        return RuntimeError(told)
    return error
