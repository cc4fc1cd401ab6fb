"""sampled-corpus: the corpus is a sample of a larger one."""

from __future__ import annotations

from dataclasses import replace

from tests.nouns import truth_of
from truerecall.checks.sampled_corpus import check
from truerecall.model.truth import Card

FIRES = {"one row in fifty": {"truth": replace(truth_of([[0], [1]]), card=Card(drawn_from=50_000))}}
STAYS_QUIET = {"all there is": {"truth": truth_of([[0], [1]])}}


def test_it_says_of_how_many() -> None:
    finding = check.examine(**FIRES["one row in fifty"])
    assert finding is not None
    assert finding.severity == "warning"
    assert finding.message == "sampled corpus, 1,000 of 50,000 rows"
    assert finding.evidence == {"rows": 1000, "drawn_from": 50_000, "share": 0.02}
