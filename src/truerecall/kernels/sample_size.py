"""How many queries a claim about a mean over queries needs.

The query is the sampling unit. Both formulas take normal quantiles: 1.96 for 95 % confidence, and for a paired
comparison (1.960 + 0.842)^2 = 7.85 for 95 % confidence and 80 % power.
"""

from __future__ import annotations

import math

CONFIDENCE = 1.96
CONFIDENCE_AND_POWER = 7.85
RULE_OF_THREE = 3.0
ROUNDING = 1e-9
"""What the arithmetic may be off: 785.0000000001 queries are 785."""


def queries_for_half_width(sd: float, half_width: float) -> int:
    """So many that the 95 % interval of the mean reaches ``half_width`` to either side. sd .177, .01 -> 1204."""
    return _whole((CONFIDENCE * sd / half_width) ** 2)


def queries_to_detect(sd_of_differences: float, difference: float) -> int:
    """So many that a paired comparison sees a true ``difference`` in 80 of 100 cases. sd .05, .005 -> 785."""
    return _whole(CONFIDENCE_AND_POWER * (sd_of_differences / difference) ** 2)


def queries_if_all_agree(half_width: float) -> int:
    """So many that, all of them perfect, at most a share ``half_width`` of all queries is not (rule of three)."""
    return _whole(RULE_OF_THREE / half_width)


def _whole(n: float) -> int:
    return max(1, math.ceil(n - ROUNDING))
