"""Small sides and comparisons to judge, written by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from truerecall.model.arrays import texts
from truerecall.model.comparison import (
    MUST_AGREE,
    Builds,
    Change,
    Comparison,
    Difference,
    Entrant,
    EqualQuality,
    Pass,
    Side,
)
from truerecall.model.measure import PerQuery

FACTS = dict.fromkeys(MUST_AGREE, ("same",))
PER_QUERY = PerQuery(np.full(10, 0.9), texts([""] * 10))
EQUAL = (EqualQuality(0.9, 0.002, 0.001),)


def difference(setting: str = "ef=64", first: float = 0.9, second: float = 0.95, **changes: Any) -> Difference:
    """A difference between two single builds that is shown, but for what is changed."""
    own = Difference(
        setting=setting, first=Builds(1, first, None), second=Builds(1, second, None), difference=second - first,
        ci95=(second - first - 0.01, second - first + 0.01), ci_method="bca", standard_error=0.005, unpaired_error=0.01,
        n=500, left_out=0, higher=200, lower=100, same=200, claim="this index", test="sign flips", p=0.001,
        smallest_p=0.0, p_holm=0.001, word="higher" if second > first else "lower",
    )  # fmt: skip
    return replace(own, **changes)


def comparison(*differences: Difference, **changes: Any) -> Comparison:
    """A against B with these differences, where one thing changed, but for what is changed."""
    own = Comparison(
        "recall@10", ("A", "B"), (Change("M", "16", "32"),), differences, (), "one point is no curve", (), ()
    )
    return replace(own, **changes)


def side(
    name: str = "A",
    settings: Sequence[str] = ("ef=64",),
    *,
    p50_s: float | None = 0.001,
    passes: int = 3,
    mode: str = "one-by-one",
    environment: Mapping[str, Any] | None = None,
) -> Side:
    """One build at each of the settings."""
    timed = () if p50_s is None else (p50_s,) * passes
    facts = {"processor": "Test CPU"} if environment is None else environment
    own = Pass("b1", PER_QUERY, p50_s, facts, timed, mode)
    return Side(name, {**FACTS, "M": ("16",)}, tuple(Entrant("hnsw", setting, (own,)) for setting in settings))


def sides(**second: Any) -> tuple[Side, Side]:
    """A and B, the second with what is changed."""
    return side("A"), side("B", **second)
