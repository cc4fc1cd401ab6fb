"""Which of the ids that came back may answer their query at all.

An id that may not (filtered out, the query itself, left out as unusable) is a miss in every measure, also where its
distance would fit. A truth lists rows that may; of the rows that it does not list it knows why some were left out, and
how many, not which. So where rows were left out, an unlisted id that came back counts only if nothing can speak
against it:

- nearer than the end of the list it may not answer, or it would be listed;
- under exclude-self by id it may answer if it is not the query's own id; by content, if it lies beyond the list, where
  no copy of the query lies (for ip one may: there no unlisted id counts);
- behind a filter or a list of allowed rows no unlisted id counts. This can only lower a measure that gives credit
  beyond the list (tie_recall, eps_recall, tolerant_recall, ratio), and less so the deeper the truth is;
- an id without a distance is no row, or one that no distance is defined for.
"""

from __future__ import annotations

from collections.abc import Mapping

from truerecall.kernels.overlap import match
from truerecall.model.arrays import Booleans, Floats, Integers
from truerecall.model.eligibility import FILTER
from truerecall.steps.choice import ALLOWED, SELF


def may_count(
    reasons: Mapping[str, str],
    distance: str,
    *,
    truth: Integers,
    found: Integers,
    query_codes: Integers,
    found_distances: Floats,
    deepest: Floats,
) -> Booleans | None:
    """For each place of ``found`` whether its id may answer; None where no row was left out.

    ``truth``: the codes of all that the truth lists; ``query_codes``: those of the queries' own ids; ``deepest``: the
    distance at which each list ends.
    """
    if not reasons:
        return None
    listed = match(truth, found) >= 0
    unlisted = found_distances >= deepest[:, None]  # False where there is no distance
    if FILTER in reasons or ALLOWED in reasons:
        unlisted &= False
    elif SELF in reasons and reasons[SELF].startswith("by id"):
        unlisted &= found != query_codes[:, None]
    elif SELF in reasons and distance == "ip":
        unlisted &= False
    elif SELF in reasons:
        unlisted &= (found_distances > deepest[:, None]) | (deepest[:, None] > 0)
    return listed | unlisted
