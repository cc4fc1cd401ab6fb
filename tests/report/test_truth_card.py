"""The card of a truth: what it says is counted right."""

from __future__ import annotations

import json

import numpy as np

from truerecall.model.neighbors import Neighbors
from truerecall.model.truth import PROVED, GroundTruth
from truerecall.model.vectors import Fingerprint
from truerecall.report.truth_card import truth_card


def test_ties_short_lists_and_copies_are_counted() -> None:
    # k = 2 over four rows. Query 0: one row nearer, two tie for the one place left. Query 1: one nearer, one at the
    # cut. Query 2: one row is eligible; it equals the query.
    truth = GroundTruth(
        distance="l2",
        k=2,
        state=PROVED,
        corpus=Fingerprint("c", 4, 1, "float32", "row"),
        queries=Fingerprint("q", 3, 1, "float32", "row"),
        query_ids=np.arange(3),
        neighbors=Neighbors(np.array([0, 1, 2, 3, 1]), np.array([1.0, 2.0, 1.0, 2.0, 0.0]), np.array([0, 2, 4, 5])),
        eligible=np.array([4, 4, 1]),
        nearer=np.array([1, 1, 0]),
        tied=np.array([2, 1, 1]),
        copies=np.array([0, 0, 1]),
        provenance={"method": "by hand"},
    )
    card = truth_card(truth, "d" * 64)
    assert (card["ties_at_cut"], card["short_lists"], card["queries_equal_to_a_row"]) == (1, 1, 1)
    assert card["corpus"] == {"digest": "c", "rows": 4, "dimensions": 1, "dtype": "float32", "ids": "row"}
    assert json.loads(json.dumps(card)) == card
