"""inside-the-noise: differences that chance explains (H23)."""

from __future__ import annotations

from typing import Any

from tests.sides import comparison, difference
from truerecall.checks.inside_the_noise import check
from truerecall.model.finding import Finding

H23 = difference("ef=64", 0.973005, 0.9737, word="not shown", standard_error=0.00087, build_share=0.99, p_holm=0.5)
FIRES: dict[str, dict[str, Any]] = {
    "H23": {"comparison": comparison(H23)},
    "of queries": {"comparison": comparison(*[difference(f"ef={ef}", word="not shown") for ef in range(5)])},
}
STAYS_QUIET: dict[str, dict[str, Any]] = {
    "shown": {"comparison": comparison(difference())},
    "the same": {"comparison": comparison(difference(word="same"))},
    "no test could tell": {"comparison": comparison(difference(word="undecided"))},
}


def test_h23_in_words() -> None:
    builds, queries = (check.examine(**FIRES[name]) for name in FIRES)
    assert isinstance(builds, Finding)
    assert isinstance(queries, Finding)
    assert builds.message == "ef=64: difference 0.0007 is within the spread of builds, not shown"
    assert builds.severity == "note"
    assert "ef=2: difference 0.0500 is within the spread of queries, not shown; and 2 more" in queries.message
