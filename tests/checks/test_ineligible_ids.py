"""ineligible-ids: rows that came back and may not answer (H18, H22)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tests.nouns import truth_of
from tests.returned import bound, matrix
from truerecall.checks.ineligible_ids import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding
from truerecall.model.neighbors import Neighbors
from truerecall.model.returned import Returned

EVEN = replace(truth_of([[10, 8]]), reasons={"filter": "6 of 12 rows kept"})


def recomputed(returned: Returned, distances: list[float]) -> Returned:
    own = returned.neighbors
    return replace(
        returned, neighbors=Neighbors(own.ids, np.array(distances), own.offsets), known=np.ones(len(own.ids), np.bool_)
    )


odd = bound(matrix([[10, 9]]), EVEN)
FIRES: dict[str, dict[str, Any]] = {"H18": {"returned": recomputed(odd, [0.2, np.nan]), "truth": EVEN}}
STAYS_QUIET: dict[str, dict[str, Any]] = {
    "all may answer": {"returned": recomputed(odd, [0.2, 1.2]), "truth": EVEN},
    "no condition": {"returned": odd, "truth": truth_of([[10, 8]])},
}


def test_each_is_a_miss_and_is_named() -> None:
    finding = check.examine(**FIRES["H18"])
    assert isinstance(finding, Finding)
    assert finding.message.startswith("1 of 2 returned ids are of rows that may not answer their query (first: 9)")


def test_without_the_vectors_it_cannot_tell() -> None:
    assert isinstance(check.examine(odd, EVEN), CannotTell)
