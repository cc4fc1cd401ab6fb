"""Are the numbers beside the answers the true distances? They never judge, but another scale, another distance or
other vectors show in them."""

from __future__ import annotations

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.judged import Reported

UNIT_LENGTH = {("l2", "cosine", "sqrt(2 (1 - cos))"), ("ip", "cosine", "cos"), ("ip", "cosine", "-cos")}
"""Truth, other distance and scale that show vectors which were brought to length one."""


class ReportedDistances:
    title = "reported distances on another scale, or of another distance"

    def examine(self, reported: Reported | None) -> Finding | CannotTell | None:
        if reported is None:
            return CannotTell("no distances came with the answers that could be held against true ones")
        evidence = {
            "distance": reported.distance, "scale": reported.scale, "agree": reported.agree, "total": reported.total,
        }  # fmt: skip
        if reported.fits:
            if reported.own:
                return None
            return Finding(
                code_of(__name__),
                "note",
                f"the index reports distances on another scale: {reported.scale}, where the distance is"
                f" {reported.distance} ({reported.agree:,} of {reported.total:,} agree)",
                "nothing: true distances are recomputed, and those of the index never judge",
                evidence,
            )
        seen = f"{reported.total - reported.agree:,} of {reported.total:,} reported distances do not agree with"
        if reported.other is None:
            return Finding(
                code_of(__name__),
                "note",
                f"{seen} the recomputed ones on any scale that is known",
                "look whether the index holds a compressed copy, or other vectors; the recomputed distances judge",
                evidence,
            )
        other, scale = reported.other
        unit = (reported.distance, other, scale) in UNIT_LENGTH
        return Finding(
            code_of(__name__),
            "warning",
            f"{seen} {reported.distance}; they are those of {other} ({scale})"
            + (": the index holds vectors of length one" if unit else ""),
            f"search by {reported.distance}, or build the truth with --distance {other}",
            {**evidence, "other_distance": other, "other_scale": scale},
        )


check = ReportedDistances()
