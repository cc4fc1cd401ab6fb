"""two-things-changed: no difference can be laid to one of them."""

from __future__ import annotations

from typing import Any

from tests.sides import EQUAL, comparison, difference
from truerecall.checks.two_things_changed import check
from truerecall.model.check import CannotTell
from truerecall.model.comparison import Change
from truerecall.model.finding import Finding

TWO = (Change("M", "16", "32"), Change("efSearch", "16", "32"))
FIRES: dict[str, dict[str, Any]] = {
    "a claim": {"comparison": comparison(difference(), changes=TWO)},
    "latency is compared": {"comparison": comparison(changes=TWO, equal_quality=EQUAL)},
    "nothing is claimed": {"comparison": comparison(difference(word="not shown"), changes=TWO)},
}
STAYS_QUIET: dict[str, dict[str, Any]] = {
    "one": {"comparison": comparison(difference())},
    "none": {"comparison": comparison(difference(), changes=())},
}


def test_it_is_a_warning_where_something_is_claimed() -> None:
    found = [check.examine(**evidence) for evidence in FIRES.values()]
    assert [own.severity for own in found if isinstance(own, Finding)] == ["warning", "warning", "note"]
    assert isinstance(found[0], Finding)
    assert found[0].message == "2 things changed: no difference can be laid to one of them"
    assert found[0].evidence["changed"] == {"M": ["16", "32"], "efSearch": ["16", "32"]}


def test_nobody_knows_what_changed_between_answers_from_elsewhere() -> None:
    unknown = comparison(difference(), changes=(), origin_unknown=("B",))
    assert check.examine(unknown) == CannotTell("nobody knows how the answers of B were made")
