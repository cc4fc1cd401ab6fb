"""Does an index still answer? Asked after a pass in which queries failed.

An engine may fail some queries and answer others: these failures belong to the pass. One that is gone, such as a server
that was killed, answers nothing any more, not even what it answered before; then the pass says nothing of the index.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerecall.model.arrays import Vectors
from truerecall.model.engine import Index, IndexState
from truerecall.steps.one_pass import Asked
from truerecall.steps.task import Task

ASKED_AGAIN = 8
"""How often: an engine that fails some calls, whichever they are, answers one of so many."""


@dataclass(eq=False)
class Pulse:
    """Of one index. ``answered``: a task and one of its prepared queries that was answered, the latest; None before."""

    answered: tuple[Task, Vectors] | None = None

    def look(self, index: Index, task: Task, prepared: Vectors, asked: Asked) -> tuple[IndexState, str]:
        """The state of the index after a pass, and what the engine says where it answers no more: empty where it does,
        and where it never has. Of one that is gone nothing is known.

        Raises what the engine raises that answers and cannot tell its state.
        """
        good = np.flatnonzero(asked.failures == "")
        if len(good):
            self.answered = task, prepared[good[-1:]]
        try:
            state = index.state()
        except Exception as error:  # whatever an engine may raise that is gone
            lost = self._lost(index)
            if not lost:
                raise
            return IndexState("unknown", 0, None, None, "unknown", None, False, told=_words(error)), lost
        return state, "" if len(good) == len(asked.failures) else self._lost(index)

    def _lost(self, index: Index) -> str:
        """The index is left as it was when it answered."""
        if self.answered is None:
            return ""
        known, query = self.answered
        said = ""
        for _ in range(ASKED_AGAIN):
            try:
                index.restrict(known.where)
                index.configure(known.search)
                index.search(query, known.k)
            except Exception as error:
                said = _words(error)
            else:
                return ""
        return said


def _words(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
