"""How many queries a claim needs, from how much queries differed in runs that were measured before."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from truerecall.errors import InputError
from truerecall.kernels.sample_size import queries_for_half_width, queries_if_all_agree, queries_to_detect
from truerecall.model.arrays import Floats
from truerecall.model.measure_name import MeasureName
from truerecall.model.run import Run
from truerecall.model.truth import GroundTruth
from truerecall.steps.score import score_run

FEWEST_QUERIES = 2
UNPAIRED = "both settings differ as much over queries as the pilot, independently: sd of differences = sqrt(2) sd"


@dataclass(frozen=True)
class Spread:
    """A standard deviation over queries (of differences, for a comparison), where it was taken from, and what was
    assumed for it. ``all_perfect``: it is zero because every query of the pilot is perfect."""

    sd: float
    source: str
    assumed: str | None = None
    all_perfect: bool = False


@dataclass(frozen=True)
class QueriesNeeded:
    """``queries``: how many a claim needs; ``target``: the half width or the difference; ``formula``: how."""

    queries: int
    target: float
    spread: Spread
    formula: str


def for_half_width(half_width: float, spread: Spread) -> QueriesNeeded:
    """So many that the 95 % interval of the mean reaches ``half_width`` to either side."""
    _demand_share(half_width, "the half width")
    if spread.all_perfect:
        return QueriesNeeded(queries_if_all_agree(half_width), half_width, spread, "3 / h (rule of three)")
    _demand_spread(spread)
    return QueriesNeeded(queries_for_half_width(spread.sd, half_width), half_width, spread, "(1.96 sd / h)^2")


def to_detect(difference: float, spread: Spread) -> QueriesNeeded:
    """So many that a paired comparison sees a true ``difference`` with 95 % confidence and 80 % power."""
    _demand_share(difference, "the difference")
    _demand_spread(spread)
    return QueriesNeeded(queries_to_detect(spread.sd, difference), difference, spread, "7.85 (sd / D)^2")


def spread_of(pilots: Sequence[Run], truth: GroundTruth) -> Spread:
    """How much queries differ in a pilot; of several the one in which they differ most."""
    values = [_recalls(pilot, truth) for pilot in pilots]
    widest = max(values, key=lambda own: _sd(own))
    several = "" if len(values) == 1 else f", the widest of {len(values)} runs"
    source = f"{_name(pilots[0])} over {len(widest):,} queries of the pilot{several}"
    return Spread(_sd(widest), source, all_perfect=bool((widest == 1).all()))


def spread_of_differences(pilots: Sequence[Run], truth: GroundTruth) -> Spread:
    """How much two settings differ over the same queries: from two pilots, or from one with an assumption that leans
    to more queries."""
    if len(pilots) == 1:
        alone = spread_of(pilots, truth)
        return Spread(math.sqrt(2) * alone.sd, alone.source, UNPAIRED)
    if len(pilots) != 2:
        raise InputError(f"{len(pilots)} pilot runs are given", "give the two that are compared, or one")
    one, other = (_per_query(pilot, truth) for pilot in pilots)
    both = ~(np.isnan(one) | np.isnan(other))
    differences = (one - other)[both]
    return Spread(_sd(differences), f"paired differences of {_name(pilots[0])} over {len(differences):,} queries")


def _per_query(run: Run, truth: GroundTruth) -> Floats:
    """Recall of each query of the truth, NaN where it is undefined. In the truth's order, so that two runs pair."""
    point = score_run(run, truth, measures=[MeasureName("recall", run.setup.k)])
    if not point.scores:
        raise InputError("a pilot run is no valid measurement", "see: truerecall report, and choose another pilot")
    per_query = point.scores[0].per_query
    return np.where(per_query.defined, per_query.values, np.nan)


def _recalls(run: Run, truth: GroundTruth) -> Floats:
    values = _per_query(run, truth)
    return values[~np.isnan(values)]


def _sd(values: Floats) -> float:
    if len(values) < FEWEST_QUERIES:
        raise InputError(f"the pilot has {len(values)} queries with a value", "give a pilot with more queries")
    return float(values.std(ddof=1))


def _name(run: Run) -> str:
    return f"recall@{run.setup.k}"


def _demand_share(value: float, what: str) -> None:
    if not 0 < value < 1:
        raise InputError(f"{what} is {value:g}", "give a share between 0 and 1, such as 0.01")


def _demand_spread(spread: Spread) -> None:
    if not (math.isfinite(spread.sd) and spread.sd >= 0):
        raise InputError(f"the standard deviation is {spread.sd:g}", "give a number above 0")
    if spread.sd == 0:
        raise InputError(
            f"all queries agree ({spread.source}), which does not tell how much others would differ",
            "give --sd, or a pilot at a setting where they differ",
        )
