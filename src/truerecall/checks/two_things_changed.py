"""Did more than one thing change between the sides? Then no difference can be laid to one of them.

Facts that were set are counted: engine, version, build and search settings, mode, threads, seed; what forbids a
comparison (other vectors, another k) has been refused before. It is a warning where a difference is claimed, else a
note. Of answers from elsewhere nobody knows what was set.
"""

from __future__ import annotations

from truerecall.model.check import CannotTell, code_of
from truerecall.model.comparison import Comparison
from truerecall.model.finding import Finding


class TwoThingsChanged:
    title = "two things that changed at once"

    def examine(self, comparison: Comparison) -> Finding | CannotTell | None:
        if comparison.origin_unknown:
            return CannotTell(f"nobody knows how the answers of {' and '.join(comparison.origin_unknown)} were made")
        count = len(comparison.changes)
        if count < 2:
            return None
        return Finding(
            code_of(__name__),
            "warning" if comparison.claims or comparison.equal_quality else "note",
            f"{count} things changed: no difference can be laid to one of them",
            "change one at a time",
            {"changed": {change.fact: [change.first, change.second] for change in comparison.changes}},
        )


check = TwoThingsChanged()
