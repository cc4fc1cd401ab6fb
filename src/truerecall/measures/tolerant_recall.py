"""tolerant_recall@k(x%): recall in which a row may stand in for one true neighbour that it is nearly as near as."""

from __future__ import annotations

import numpy as np

from truerecall.errors import InputError
from truerecall.kernels.thresholds import furthest, largest_matching, proxy_shares
from truerecall.model.answers import Answers
from truerecall.model.cut import Cut
from truerecall.model.measure import Measure, PerQuery
from truerecall.model.measure_name import MeasureName

AUTO = "auto"


class TolerantRecall(Measure):
    title = "share of the true neighbours that came back, or a row of their own that is nearly as near"
    needs_distances = True
    argument = "x %, a share of each neighbour's similarity or distance: 1%; or auto"
    argument_needed = True

    def demand(self, name: MeasureName) -> None:
        name.demand_depth()
        if name.argument == AUTO and name.k < 3:
            raise InputError(f"{name} derives its tolerance from at least 3 neighbours", "give it: 1%")
        if name.argument != AUTO:
            if name.argument and not name.argument.endswith("%"):
                raise InputError(f"{name} has a tolerance without its %", f"write {name.base}@{name.k}(1%)")
            name.number("the tolerance, from 0% to 100%", example="1%")

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        cut = answers.cut(name.k, name.places)
        share = proxy_of(cut) if name.argument == AUTO else name.number("the tolerance", example="1%")
        limits = furthest(cut.distance, cut.true_distances, share)
        note = f"x = {100 * share:.3g} %" + (" of the distance" if cut.distance not in ("ip", "cosine") else "")
        return PerQuery(cut.share(largest_matching(cut.ascending, limits)), cut.undefined, note=note)


def proxy_of(cut: Cut) -> float:
    """The mean over queries of what their own neighbours differ by towards the cut, at most 1. Raises InputError where
    no query tells."""
    shares, defined = proxy_shares(cut.distance, cut.true_distances, cut.size)
    if not defined.any():
        raise InputError("no query has neighbours from which a tolerance can be derived", "give it: 1%")
    return min(1.0, float(np.sort(shares[defined]).mean()))


measure = TolerantRecall()
