"""Are there differences that chance explains? They are no differences, however many digits they have.

A difference is "not shown" where its test, with all settings counted, stays above 0.05. Where two standard errors of
the builds alone are as large, it is within the spread of builds (H23: 0.9730 ± 0.0007 over three builds, and 0.9737). A
note: the number stands with its interval, and nothing is claimed.
"""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.comparison import ALPHA, Comparison
from truerecall.model.finding import Finding

NAMED = 3


class InsideTheNoise:
    title = "differences that chance explains"

    def examine(self, comparison: Comparison) -> Finding | None:
        hidden = [own for own in comparison.differences if own.word == "not shown"]
        if not hidden:
            return None
        told = [
            f"{own.setting}: difference {abs(own.difference):.4f} is within the spread of"
            f" {'builds' if own.within_builds else 'queries'}, not shown"
            for own in hidden
        ]
        more = f"; and {len(told) - NAMED} more" if len(told) > NAMED else ""
        return Finding(
            code_of(__name__),
            "note",
            "; ".join(told[:NAMED]) + more,
            "call them alike, or measure more builds and ask more queries: truerecall sample size",
            {
                "settings": [own.setting for own in hidden],
                "differences": [own.difference for own in hidden],
                "p": [own.p_holm for own in hidden],
                "alpha": ALPHA,
            },
        )


check = InsideTheNoise()
