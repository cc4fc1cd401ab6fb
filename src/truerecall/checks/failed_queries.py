"""Were there queries without an answer? They count 0 in the mean; where none was answered there is no number at all."""

from __future__ import annotations

from truerecall.model.arrays import Texts
from truerecall.model.check import code_of
from truerecall.model.finding import Finding
from truerecall.model.measure import Answers


class FailedQueries:
    title = "queries that failed"

    def examine(self, answers: Answers, failures: Texts) -> Finding | None:
        """``failures``: the errors of the queries that were asked; what is not among them was not asked."""
        count, n = int(answers.failed.sum()), len(answers)
        if count == 0:
            return None
        first = str(failures[0]) if len(failures) else "not asked"
        everything = count == n
        outcome = "recall is undefined" if everything else "each counts 0 in the mean"
        return Finding(
            code_of(__name__),
            "invalid" if everything else "warning",
            f"{count} of {n} queries failed (first: {first}); {outcome}",
            "make the engine answer, then run again",
            {"count": count, "n": n, "share": count / n, "first": first},
        )


check = FailedQueries()
