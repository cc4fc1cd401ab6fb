"""Did fewer neighbours come back than were asked for, though the corpus has more?

The places that stay empty are misses whatever the index finds, so they set a ceiling. A query that failed is not
short, and a query for which fewer rows are eligible is short only below their number.
"""

from __future__ import annotations

import numpy as np

from truerecall.checks._words import below_one
from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.measure import NOTHING, Answers
from truerecall.model.run import Run


class ShortAnswers:
    title = "answers that stop before k"

    def examine(self, answers: Answers, asked_k: int, run: Run | None = None) -> Finding | CannotTell | None:
        k = asked_k
        if answers.failed.all():
            return CannotTell("no query was answered")
        asked = np.minimum(k, answers.eligible)[~answers.failed]
        returned = np.minimum((answers.found != NOTHING).sum(axis=1)[~answers.failed], asked)
        short = returned < asked
        count, n = int(short.sum()), len(asked)
        if count == 0:
            return None
        counts = np.unique(returned[short])
        ceiling = float((returned[asked > 0] / asked[asked > 0]).mean())
        in_force = {} if run is None else run.setup.in_force
        limits = {name: value for name, value in in_force.items() if [value] == counts.tolist() and value != k}
        because = "".join(f" ({name} {value} < {k})" for name, value in limits.items())
        wanted = f"{k}" if bool((asked[short] == k).all()) else f"the {k} asked for, or of the eligible rows if fewer"
        amount = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        return Finding(
            code_of(__name__),
            "warning",
            f"{count} of {n} queries returned {amount} of {wanted};"
            f" the ceiling of this setting is {below_one(ceiling)}{because}",
            "raise the search effort until k neighbours come back, or ask for fewer",
            {
                "count": count,
                "n": n,
                "k": k,
                "fewest": int(counts[0]),
                "missing": int((asked - returned).sum()),
                "ceiling": ceiling,
                "limits": limits,
            },
        )


check = ShortAnswers()
