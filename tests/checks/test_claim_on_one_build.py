"""claim-on-one-build: another build of the same setting may differ (H23)."""

from __future__ import annotations

from tests.sides import comparison, difference
from truerecall.checks.claim_on_one_build import check
from truerecall.model.finding import Finding

METHOD = difference("ef=16", claim="the method")
FIRES = {
    "a claim": {"comparison": comparison(difference(), METHOD)},
    "nothing is claimed": {"comparison": comparison(difference(word="not shown"))},
}
STAYS_QUIET = {"several builds": {"comparison": comparison(METHOD)}, "no setting": {"comparison": comparison()}}


def test_a_claim_weighs_more_than_a_number() -> None:
    claim, number = (check.examine(**FIRES[name]) for name in FIRES)
    assert isinstance(claim, Finding)
    assert isinstance(number, Finding)
    assert (claim.severity, number.severity) == ("warning", "note")
    assert claim.message.startswith("a claim about this index alone (1 of 2 settings have one build a side): another")
    assert claim.evidence["claimed"] == ["ef=64"]
