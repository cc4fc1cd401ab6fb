"""tolerant_recall@k(x%): recall in which a row may stand in for one true neighbour that it is nearly as near as.

Formula
    |T| / |G|, T the largest part of R of which every t has a g in G of its own with t = g or s(t) >= s(g) - x/100
    |s(g)| (ip, cosine), or d(t) <= d(g) (1 + x/100) (l2, l1, hamming): a maximum matching. The pairs are nested, so
    that one pass over both sides in order finds it.

Edge cases
    The same x is another strictness on distances than on similarities, and says so beside the score. ``auto`` takes
    for x the mean over queries of 100 (s(g_m) - s(g_k)) / s(g_1), m = 2k/3 rounded (on distances 100 (d(g_k) -
    d(g_m)) / d(g_k)); queries with fewer than 3 neighbours or with s(g_1) <= 0 tell nothing. It looks at the very
    queries that it then judges: for a number to publish, find x on other queries and give it. The error that an
    index's own compression makes in its scores is a conservative lower bound of x: where it is known, as the mean of
    |score of the index - true score|, ``error:0.004`` takes for x the mean over queries of 100 e / s(g_1) (on
    distances 100 e / d(g_k), e of a distance; ours, after ``auto``), which moves no threshold further than e. Queries
    where that value is not positive tell nothing. recall <= tolerant_recall(x) <=
    eps_recall(x), and it does not fall with x: show it over a range. Undefined as recall is.

Example
    The same answer as on the page of eps_recall: the lost clear hit stays visible.

    >>> from truerecall import tolerant_recall_at_k
    >>> true, came = [[-0.90, -0.80, -0.79, -0.78]], [[-0.80, -0.79, -0.7799, -0.775]]
    >>> tolerant_recall_at_k([[1, 2, 3, 4]], [[2, 3, 8, 9]], true, came, k=4, percent=1, distance="ip").tolist()
    [0.75]

Elsewhere
    Handing out exact ids first and matching the rest is not the maximum. Published at k = 100 and x = 1 % on
    MSMARCO (8.8 million rows): recall .863, semantic .932, tolerant .920.

Source
    arXiv 2604.20417; thresholds of negative similarities and of distances are ours.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from truerecall.errors import InputError
from truerecall.kernels.thresholds import error_shares, furthest, largest_matching, proxy_shares
from truerecall.model.answers import Answers
from truerecall.model.arrays import Booleans, Floats
from truerecall.model.cut import Cut
from truerecall.model.measure import Along, Measure, PerQuery
from truerecall.model.measure_name import MeasureName

AUTO = "auto"
ERROR = "error:"
AROUND = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0)
"""The tolerances at which the curve is drawn, as multiples of the one that was asked for."""
INSTEAD_OF_NONE = 0.005
"""What they are multiples of where that is 0."""


class TolerantRecall(Measure):
    title = "share of the true neighbours that came back, or a row of their own that is nearly as near"
    needs_distances = True
    argument = (
        "x %, a share of each neighbour's similarity or distance: 1%; auto; or error:E, of the index's own error E"
    )
    argument_needed = True

    def demand(self, name: MeasureName) -> None:
        name.demand_depth()
        if name.argument == AUTO and name.k < 3:
            raise InputError(f"{name} derives its tolerance from at least 3 neighbours", "give it: 1%")
        if name.argument.startswith(ERROR):
            _error_in(name)
        elif name.argument != AUTO:
            if name.argument and not name.argument.endswith("%"):
                raise InputError(f"{name} has a tolerance without its %", f"write {name.base}@{name.k}(1%)")
            name.number("the tolerance, from 0% to 100%", example="1%")

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        cut = answers.cut(name.k, name.places)
        share = tolerance_of(cut, name)
        note = f"x = {100 * share:.3g} %" + (" of the distance" if cut.distance not in ("ip", "cosine") else "")
        return PerQuery(_matched(cut, share), cut.undefined, note=note)

    def along(self, answers: Answers, name: MeasureName) -> Along:
        cut = answers.cut(name.k, name.places)
        asked = tolerance_of(cut, name)
        shares = sorted({min(1.0, (asked or INSTEAD_OF_NONE) * times) for times in AROUND})
        return Along(asked, tuple((share, PerQuery(_matched(cut, share), cut.undefined)) for share in shares))


def tolerance_of(cut: Cut, name: MeasureName) -> float:
    """The tolerance as a share, at most 1: as given, or what the queries' own neighbours differ by towards the cut, or
    what an error in the scores is of them, in the mean. Raises InputError where no query tells."""
    if name.argument == AUTO:
        return _mean_of(*proxy_shares(cut.distance, cut.true_distances, cut.size))
    if name.argument.startswith(ERROR):
        return _mean_of(*error_shares(cut.distance, cut.true_distances, cut.size, _error_in(name)))
    return name.number("the tolerance", example="1%")


def _error_in(name: MeasureName) -> float:
    """The error of a score or distance. Raises InputError where it is none."""
    own = replace(name, argument=name.argument.removeprefix(ERROR))
    if own.argument.endswith("%"):
        raise InputError(f"{name} has an error in %", f"give it in the units of the scores: {ERROR}0.004")
    try:
        return own.number("the error of a score", example="0.004", most=math.inf)
    except InputError as error:
        raise InputError(
            f"{name} has no error of a score", f"write {replace(name, argument=ERROR + '0.004')}"
        ) from error


def _mean_of(shares: Floats, defined: Booleans) -> float:
    if not defined.any():
        raise InputError("no query has neighbours from which a tolerance can be derived", "give it: 1%")
    return min(1.0, float(np.sort(shares[defined]).mean()))


def _matched(cut: Cut, share: float) -> Floats:
    return cut.share(largest_matching(cut.ascending, furthest(cut.distance, cut.true_distances, share)))


measure = TolerantRecall()
