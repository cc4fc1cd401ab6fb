"""Are rows stored several times? Which copy an index returns is then a matter of chance, and recall by id counts it.

It fires on any exact copy. It is a warning where at least one row in a hundred stands in a group that is larger than
k: queries like these rows are answered by lot, and at one in a hundred an exact index would fall below the 0.99 from
which ``ties-at-cut`` calls recall by id usable.
"""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.finding import Finding
from truerecall.model.shape import CorpusShape

MANY = 100
"""A warning from one row in so many on."""


class DuplicateRows:
    title = "rows with an exact copy"

    def examine(self, corpus_shape: CorpusShape) -> Finding | None:
        found, k = corpus_shape.duplicates, corpus_shape.k
        if not found.groups:
            return None
        groups = f"{found.groups:,} duplicate {'group' if found.groups == 1 else 'groups'}"
        seen = f"{groups}, largest {found.largest:,}, {found.surplus:,} surplus rows"
        drawn = int(found.sizes[found.sizes > k].sum())
        by_lot, unusable = drawn / found.n, MANY * drawn >= found.n
        effect = (
            f"id recall is not usable near them: {by_lot:.1%} of rows stand in groups of more than {k}, and which"
            f" {k} of them come back is settled by lot"
            if unusable
            else "a query near them may lose id recall though nothing was missed"
        )
        return Finding(
            code_of(__name__),
            "warning" if unusable else "note",
            f"{seen}: {effect}",
            "take the surplus rows out, or use tie-aware recall, which gives every copy the same credit",
            {
                "n": found.n,
                "groups": found.groups,
                "largest": found.largest,
                "surplus": found.surplus,
                "share": found.share,
                "share_by_lot": by_lot,
            },
        )


check = DuplicateRows()
