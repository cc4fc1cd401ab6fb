"""Was an index built once? Another build of the same settings finds other rows, and how far it goes is not known.

It fires for every configuration of which one build was measured (H23: 0.9725 to 0.9739 over three builds of one
graph). Not for an index that is exact by design, whose builds answer alike. A note on a lone run: the number is that of
this index. Where a claim rests on it ``claim-on-one-build`` says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from truerecall.model.check import code_of
from truerecall.model.curve import Curve
from truerecall.model.finding import Finding


class SingleBuild:
    title = "an index that was built once"

    def examine(self, curves: Sequence[Curve]) -> Finding | None:
        builds: dict[str, set[tuple[str, int]]] = {}
        for curve in curves:
            setup = curve.points[0].run.setup
            if not setup.state.exact_by_design:
                builds.setdefault(setup.built, set()).add((curve.build_id, setup.build.number))
        alone = [built for built, own in builds.items() if len(own) == 1]
        if not alone:
            return None
        return Finding(
            code_of(__name__),
            "note",
            f"one build of {', '.join(alone)}: another build of the same settings may reach another recall",
            "build each configuration several times: --builds 3",
            {"built": alone, "builds": 1},
        )


check = SingleBuild()
