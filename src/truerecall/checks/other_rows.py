"""Does the index hold as many rows as the truth ranges over? Else one of the two is about another corpus.

It fires on any difference (H12: of 1,000,000 rows 10,000 arrived). It is a warning and no more: a live index may have
lost rows, and then its recall is what it is.
"""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.finding import Finding
from truerecall.model.run import Run


class OtherRows:
    title = "an index of more or fewer rows than the corpus"

    def examine(self, run: Run) -> Finding | None:
        held, wanted = run.setup.state.rows, run.setup.corpus.rows
        if held == wanted:
            return None
        effect = "the missing ones cannot be found" if held < wanted else "the others crowd out true neighbours"
        return Finding(
            code_of(__name__),
            "warning",
            f"the index holds {held:,} rows and the corpus {wanted:,}: {effect}",
            "load the corpus anew, and see that no id occurs twice and nothing is left from before",
            {"held": held, "corpus": wanted, "share": held / wanted if wanted else None},
        )


check = OtherRows()
