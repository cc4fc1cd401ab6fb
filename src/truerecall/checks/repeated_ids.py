"""Did an answer hold an id twice? A repeated row counts once, and takes the place of another."""

from __future__ import annotations

import numpy as np

from truerecall.model.check import code_of
from truerecall.model.finding import Finding
from truerecall.model.measure import Answers


class RepeatedIds:
    title = "ids that came back twice"

    def examine(self, answers: Answers) -> Finding | None:
        ordered = np.sort(answers.found, axis=1)
        again = ((np.diff(ordered, axis=1) == 0) & (ordered[:, 1:] >= 0)).sum(axis=1)
        count, n = int((again > 0).sum()), len(answers)
        if count == 0:
            return None
        return Finding(
            code_of(__name__),
            "warning",
            f"{count} of {n} queries returned repeated ids: {int(again.sum())} places hold a row that came before",
            "make the system return each row once: several segments, chunks or replicas may each have answered",
            {"count": count, "n": n, "share": count / n, "places": int(again.sum())},
        )


check = RepeatedIds()
