"""A comparison in words: what is shown, what is not, and why."""

from __future__ import annotations

import json
from dataclasses import replace

from truerecall.checks import inside_the_noise
from truerecall.model.comparison import Builds, Comparison, Difference, EqualQuality
from truerecall.model.finding import CheckOutcome, Finding
from truerecall.report.comparison_card import comparison_card, comparison_text, difference_rows, equal_rows
from truerecall.steps.check import outcome_of

ONE = Difference(
    setting="ef=64", first=Builds(3, 0.973005, 0.000748), second=Builds(1, 0.9737, None), difference=0.000695,
    ci95=(-0.003, 0.0044), ci_method="t-queries-and-builds", standard_error=0.00087, unpaired_error=0.01, n=500,
    left_out=1, higher=200, lower=190, same=110, claim="the method", test="t over queries and builds", p=0.5,
    smallest_p=0.0, p_holm=0.5, word="not shown", build_share=0.99,
)  # fmt: skip
FOUND = Comparison("recall@10", ("m16", "m32"), (), (ONE,), (), "one point is no curve", ("a note",), ())


def text(**changes: object) -> str:
    own = replace(ONE, **changes)  # type: ignore[arg-type]
    found = replace(FOUND, differences=(own,))
    said = outcome_of("inside-the-noise", inside_the_noise.check, {"comparison": found})
    return comparison_text(replace(found, checks=(said,)), "one thing changed: M (16 → 32)")


def test_h23_in_words_and_once() -> None:
    shown = text()
    assert "no difference shown (p 0.500" in shown
    assert shown.count("within the spread of builds") == 1
    assert "note: ef=64: difference 0.0007 is within the spread of builds, not shown; call them alike" in shown
    assert "standard deviation 0.0007 over 3 builds" in shown
    assert "1 query without a value left out" in shown
    assert "latencies are not compared: one point is no curve" in shown


def test_every_word_has_its_sentence() -> None:
    assert "no difference shown (p 0.500" in text(build_share=None)
    assert "m32 is higher (p < 0.001" in text(word="higher", p=0.0001)
    assert "the same on every query" in text(word="same")
    undecided = text(word="undecided", smallest_p=0.125, ci95=None)
    assert "no test could reject with so few (the smallest p is 0.125)" in undecided


def test_tables_and_document() -> None:
    timed = replace(FOUND, equal_quality=(EqualQuality(0.9, 0.001, 0.0005),), no_latency="")
    assert "at equal recall@10 a call of m32 takes 0.500 times what one of m16 takes" in comparison_text(timed, "")
    assert equal_rows(timed) == (("at recall@10", "m16", "m32", "ratio"), [("90.0 %", "1.00 ms", "0.50 ms", "0.500")])
    head, (row,) = difference_rows(FOUND)
    assert len(head) == len(row)
    assert row[-1] == "within the spread of builds"
    card = comparison_card(timed)
    json.dumps(card, allow_nan=False)
    assert (card["latency_not_compared"], card["decided"]) == (None, True)
    assert card["differences"][0]["first"] == {"mean": 0.973005, "builds": 3, "sd_of_builds": 0.000748}


def test_what_the_checks_say_of_the_comparison_stands_by_weight_beside_what_they_said_of_the_sides() -> None:
    note, warning = (Finding(name, name, f"seen {name}", "mend", {}) for name in ("note", "warning"))
    outcomes = (
        CheckOutcome("a", "fired", note),
        CheckOutcome("b", "fired", warning),
        CheckOutcome("c", "cannot tell", reason="needs sides"),
    )
    own = replace(FOUND, checks=outcomes, findings=(("m16", warning),))
    assert comparison_text(own, "").splitlines()[3:6] == [
        "warning: seen warning; mend", "note: seen note; mend", "warning (m16): seen warning; mend",
    ]  # fmt: skip
    card = comparison_card(own)
    assert [(f["side"], f["severity"]) for f in card["findings"]] == [
        (None, "note"), (None, "warning"), ("m16", "warning"),
    ]  # fmt: skip
    assert card["checks"][2] == {"code": "c", "outcome": "cannot tell", "reason": "needs sides"}
