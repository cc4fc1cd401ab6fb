"""index-not-used: a scan of all rows where an approximate index was meant (H08, H21)."""

from __future__ import annotations

from typing import Any

from tests.nouns import run_of
from truerecall.checks.index_not_used import check
from truerecall.model.check import CannotTell
from truerecall.model.engine import IndexState, SearchPath
from truerecall.model.finding import Finding


def case(
    path: SearchPath | None, *, rows: int = 1000, indexed: int | None = 1000, exact: bool = False, told: str = ""
) -> dict[str, Any]:
    state = IndexState("hnsw", rows, indexed, True, "none", None, exact, path, told)
    return {"run": run_of([[1, 2]], k=2, state=state)}


FIRES = {
    "H08": case("full scan", told="Limit > Sort > Seq Scan on items"),
    "H21": case(None, rows=10373, indexed=0),
    "it says index and covers nothing": case("index", indexed=0),
}
STAYS_QUIET = {
    "through the index": case("index"),
    "partly indexed": case("index", indexed=999),
    "exact by design": case("full scan", exact=True),
}


def test_a_scan_is_no_measurement_of_an_index() -> None:
    seen = {}
    for name in FIRES:
        finding = check.examine(**FIRES[name])
        assert isinstance(finding, Finding)
        assert finding.severity == "invalid"
        seen[name] = finding.message
    assert seen["H08"].startswith("no approximate index was used (plan: Limit > Sort > Seq Scan on items): ")
    assert seen["H21"] == "0 of 10373 vectors are indexed: this measures a full scan"


def test_silence_is_no_pass() -> None:
    for indexed in (None, 1000):
        answer = check.examine(**case(None, indexed=indexed))
        assert answer == CannotTell("faiss does not tell whether a query went through its index")
