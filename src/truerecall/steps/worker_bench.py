"""A bench in a process of its own, seen from this one."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from truerecall.errors import EngineFailed
from truerecall.model.arrays import Vectors
from truerecall.model.engine import IndexState
from truerecall.model.progress import SILENT, Progress
from truerecall.steps.bench import Measured, Recipe
from truerecall.steps.frames import receive, send
from truerecall.steps.handing import Handing
from truerecall.steps.task import Task

SECONDS_TO_END = 10.0
DOING = {
    "open": "begun",
    "build": "built",
    "load": "loaded",
    "attach": "opened",
    "save": "saved",
    "measure": "searched",
}


class WorkerBench:
    """The same methods as a Bench. The process finds modules where this one does, and imports nothing of the program
    that is run here.

    Errors of ours come back as themselves. Where the process ends by itself, every method raises EngineFailed.
    """

    def __init__(self, recipe: Recipe, queries: Vectors, handing: Handing) -> None:
        self.engine = recipe.engine
        self.handing = handing
        self.in_step = True
        places = [os.path.abspath(place) for place in sys.path]  # noqa: PTH100, an empty one is the working folder
        start = f"import sys; sys.path[:] = {places!r}; from truerecall.steps.worker import main; main()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", start],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # a Ctrl-C of the terminal reaches this process alone, which ends the other
        )
        try:
            self._ask("open", recipe, queries)
        except BaseException:
            self.close()
            raise

    def build(self) -> tuple[float, IndexState]:
        built: tuple[float, IndexState] = self._ask("build")
        return built

    def load(self, path: Path) -> None:
        self._ask("load", path)

    def attach(self) -> IndexState:
        state: IndexState = self._ask("attach")
        return state

    def save(self, path: Path) -> None:
        self._ask("save", path)

    def measure(self, task: Task, progress: Progress) -> Measured:
        measured: Measured = self._ask("measure", task, progress=progress)
        return measured

    def close(self) -> None:
        """End the process: with leave where it waits for a request, at once where it is in the middle of one."""
        if self.in_step and self.process.poll() is None:
            with suppress(Exception):  # whatever an index says as it is let go, what was measured stands
                self._ask("close")
        if not self.in_step:
            self.process.kill()
        pipes = self.process.stdin, self.process.stdout
        for pipe in pipes:
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
        try:
            self.process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _ask(self, name: str, *arguments: Any, progress: Progress = SILENT) -> Any:
        requests, replies = self.process.stdin, self.process.stdout
        if requests is None or replies is None:
            raise ValueError("the process was started without pipes")
        message = self.handing.pickled((name, arguments))
        self.in_step = False  # until the answer is here: whatever interrupts this leaves nobody to talk to
        with suppress(BrokenPipeError):  # then there is no answer either
            send(requests, message)
        while True:
            reply = receive(replies)
            if reply is None:
                raise self._ended(DOING.get(name, name))
            kind, value = pickle.loads(reply)
            if kind == "told":
                method, said = value
                getattr(progress, method)(*said)
                send(requests, b"")
                continue
            self.in_step = True
            if kind == "raised":
                raise value
            return value

    def _ended(self, doing: str) -> EngineFailed:
        """What is known of a process that is gone."""
        status = self.process.wait()
        how = f"ended with status {status}"
        if status < 0:
            how = f"was ended by {_signal_name(-status)}"
        remedy = "what was measured before is kept; start again to go on"
        if status == -getattr(signal, "SIGKILL", 9):
            remedy = f"where memory ran out, hold fewer or smaller indexes; {remedy}"
        return EngineFailed(f"the worker process of {self.engine} {how} while its index was {doing}", remedy)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
