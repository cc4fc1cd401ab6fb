"""reported-distances: what the numbers beside the answers are (H05)."""

from __future__ import annotations

from truerecall.checks.reported_distances import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding
from truerecall.model.judged import Reported

FIRES = {
    "H05": {"reported": Reported("cosine", "sqrt(2 (1 - cos))", False, 3, 3)},
    "nothing agrees": {"reported": Reported("l2", "l2", True, 1, 100)},
    "another distance": {"reported": Reported("l2", "l2", True, 0, 100, ("ip", "dot"))},
    "unit length": {"reported": Reported("l2", "l2", True, 0, 100, ("cosine", "sqrt(2 (1 - cos))"))},
}
STAYS_QUIET = {"ours": {"reported": Reported("l2", "l2", True, 99, 100)}}


def told(case: str) -> Finding:
    finding = check.examine(**FIRES[case])
    assert isinstance(finding, Finding)
    return finding


def test_another_scale_is_a_note_and_another_distance_a_warning() -> None:
    assert told("H05").severity == told("nothing agrees").severity == "note"
    assert told("H05").message.startswith("the index reports distances on another scale: sqrt(2 (1 - cos))")
    assert told("another distance").severity == "warning"
    assert told("another distance").message == (
        "100 of 100 reported distances do not agree with l2; they are those of ip (dot)"
    )
    assert told("unit length").message.endswith("the index holds vectors of length one")


def test_without_distances_it_cannot_tell() -> None:
    assert isinstance(check.examine(None), CannotTell)
