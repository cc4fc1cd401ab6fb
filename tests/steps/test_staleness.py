"""Of how many queries a change can touch the neighbours: never fewer than it does, and not many more."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from truerecall.errors import StaleTruth
from truerecall.model.distance import distance_named
from truerecall.model.drift import Drift
from truerecall.model.ids import as_ids
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.identify import identify
from truerecall.steps.staleness import affected_by, changes_since, demand_truth_fits
from truerecall.steps.truth import build_truth
from truerecall.steps.unusable import Policies

L2 = distance_named("l2")


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from(["l2", "ip", "cosine", "l1"]), st.booleans(), st.sampled_from([0, 3, 10]))
def test_every_query_whose_neighbours_changed_is_counted(seed: int, distance: str, coarse: bool, slack: int) -> None:
    rng = np.random.default_rng(seed)
    draw = (lambda n: rng.integers(1, 4, (n, 3)).astype(float)) if coarse else (lambda n: rng.normal(size=(n, 3)))
    x, names, queries = draw(60), np.arange(60), QuerySet(draw(25))
    before = Corpus(ArraySource(x), as_ids(names, what="ids"))
    truth = build_truth(before, queries, distance, 4, slack=slack)
    gone = rng.choice(60, 2, replace=False)
    vectors = np.concatenate([np.delete(x, gone, axis=0), draw(1)])
    vectors[rng.integers(58)] = draw(1)[0]
    after = Corpus(ArraySource(vectors), as_ids(np.append(np.delete(names, gone), 99), what="ids"))
    sides = identify(after, queries, distance_named(distance))
    affected = affected_by(truth, after, queries, sides, changes_since(truth, sides)["corpus"])
    again = build_truth(after, queries, distance, 4)
    differs = np.array(
        [
            not all(np.array_equal(a, b) for a, b in zip(truth.neighbors.of(q), again.neighbors.of(q), strict=True))
            or (truth.nearer[q], truth.tied[q]) != (again.nearer[q], again.tied[q])
            for q in range(25)
        ]
    )
    assert not (differs & ~affected).any()
    if slack and not coarse and distance != "cosine":  # the bands are narrow: what is counted has changed
        assert affected.tolist() == differs.tolist()


def drift_of(x: np.ndarray, y: np.ndarray, allowed: float | None, *, keep: str = "ledger") -> Drift | None:
    queries = QuerySet(np.array([[0.0], [100.0]]))
    was = identify(Corpus(ArraySource(x)), queries, L2, keep="ledger" if keep == "ledger" else "nothing")
    truth = build_truth(Corpus(ArraySource(x)), queries, "l2", 2, identities=was)
    now = Corpus(ArraySource(y))
    sides = identify(now, queries, L2)
    return demand_truth_fits(truth, now, queries, sides, sides.subject(L2), max_drift=allowed, name="t")


def test_right_values() -> None:
    x = np.arange(101.0)[:, None]
    y = np.append(x, [[-0.5], [50.5]], axis=0)
    drift = drift_of(x, y, 0.02)
    assert drift is not None
    assert (drift.rows, drift.added, drift.removed, drift.changed, drift.allowed) == (101, 2, 0, 0, 0.02)
    assert drift.share == 2 / 101
    # Row 101 lies nearer to the first query than the second neighbour; row 102 is near nobody.
    assert (drift.affected, drift.queries, drift.told) == (1, 2, "2 added (101, 102)")
    assert drift_of(x, x, 0.02) is None
    assert drift_of(x, x, None) is None


def test_a_query_that_nothing_may_answer_is_never_affected() -> None:
    x, queries = np.eye(4) + 0.1, QuerySet(np.array([[1.0, 0, 0, 0], [0, 0, 0, 0]]))
    cosine, leave_out = distance_named("cosine"), Policies(zero_vectors="leave-out")
    before, after = (Corpus(ArraySource(x[:rows]), as_ids(np.arange(rows), what="ids")) for rows in (4, 3))
    truth = build_truth(before, queries, "cosine", 2, identities=identify(before, queries, cosine, policies=leave_out))
    sides = identify(after, queries, cosine, policies=leave_out)
    drift = demand_truth_fits(truth, after, queries, sides, sides.subject(cosine), max_drift=1.0, name="t")
    assert drift is not None
    assert (drift.removed, drift.affected, drift.queries) == (1, 1, 1)


def test_what_is_too_much_or_not_a_matter_of_rows_is_refused() -> None:
    x = np.arange(101.0)[:, None]
    y = np.append(x, [[-0.5], [50.5]], axis=0)
    with pytest.raises(StaleTruth, match=r"2 added \(101, 102\), 1.980% of 101 rows, and 1.900% is allowed"):
        drift_of(x, y, 0.019)
    with pytest.raises(StaleTruth, match=r"101 rows, not 103: 2 added"):
        drift_of(x, y, None)
    with pytest.raises(StaleTruth, match=r"101 rows, not 103\)"):
        drift_of(x, y, 1.0, keep="nothing")
    with pytest.raises(StaleTruth, match="elements of float64, not float32"):
        drift_of(x, y.astype(np.float32), 1.0)
