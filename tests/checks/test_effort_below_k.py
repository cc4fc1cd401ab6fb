"""effort-below-k: a setting that limits the answers is below k (H19)."""

from __future__ import annotations

from typing import Any

from tests.nouns import run_of
from truerecall.checks.effort_below_k import check
from truerecall.model.finding import Finding


def case(ef: Any, k: int, *, limiting: tuple[str, ...] = ("ef_search",)) -> dict[str, Any]:
    return {"run": run_of([[1]], k=k, in_force={"ef_search": ef, "m": 2}, limiting=limiting)}


FIRES = {"H19": case(40, 100)}
STAYS_QUIET = {
    "k": case(100, 100),
    "it limits nothing": case(40, 100, limiting=()),
    "it is not in force": case(40, 100, limiting=("limit",)),
    "a word": case("auto", 100),
}


def test_the_ceiling_is_told() -> None:
    finding = check.examine(**FIRES["H19"])
    assert isinstance(finding, Finding)
    assert finding.message == (
        "ef_search 40 < 100: no more than that many answers can come back, and the ceiling of recall@100 is 0.40"
    )
    assert finding.remedy == "set ef_search to 100 at least, or ask for fewer"
    assert (finding.severity, finding.evidence["ceiling"]) == ("warning", 0.4)
