"""Were places filled up with -1 or null? Padding is no id; such a place is empty."""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.finding import Finding
from truerecall.model.returned import Returned


class PaddedAnswers:
    title = "places that hold no id"

    def examine(self, returned: Returned) -> Finding | None:
        if not returned.padding:
            return None
        total = len(returned.neighbors.ids) - int(returned.holes.sum()) + returned.padding
        return Finding(
            code_of(__name__),
            "note",
            f"{returned.padding:,} of {total:,} places are padding (-1, null or empty) and hold no id",
            "nothing where fewer rows are there; else raise the search effort",
            {"padding": returned.padding, "places": total},
        )


check = PaddedAnswers()
