"""Fifty checks and findings at forty points stay readable on every face, and nothing is lost."""

from __future__ import annotations

import io
import re

from rich.console import Console

from tests.report.builders import curve, fired, point, truth
from truerecall.model.finding import CheckOutcome
from truerecall.report.checked import sorted_checks
from truerecall.report.html import to_html
from truerecall.report.markdown import to_markdown
from truerecall.report.summary import summarise
from truerecall.report.summary_parts import Summary
from truerecall.report.terminal import to_terminal

SILENT = CheckOutcome("hubs", "cannot tell", None, "needs corpus_shape")


def crowded() -> Summary:
    """Forty points: a warning with another sight at each, a note at all, 47 checks that pass, one that cannot tell and
    one that can at the first point alone."""
    points = []
    for n in range(40):
        checks = [fired("short-answers", "warning", f"{n + 1} of 50 are short", count=n + 1), fired("lone", "note")]
        checks += [CheckOutcome(f"check-{own:02d}", "passed") for own in range(46)]
        checks += [
            SILENT,
            CheckOutcome("drift", "passed") if n == 0 else CheckOutcome("drift", "cannot tell", None, "no"),
        ]
        points.append(point(asked={"efSearch": n + 10}, p50_s=1e-4 * (n + 1), checks=checks))
    return summarise([curve(points)], truth(), measure="recall@4")


def test_each_check_is_counted_once() -> None:
    found = sorted_checks(crowded().trust.checks)
    assert found.line == "50 checks: 46 passed, 2 fired, 1 passed where they could tell, 1 could not tell"
    assert [check.code for check in (*found.fired, *found.partly, *found.silent)] == [
        "lone", "short-answers", "drift", "hubs",
    ]  # fmt: skip


def test_the_page_folds_what_is_many_and_keeps_it() -> None:
    page = to_html(crowded()).replace("\u00a0", " ")
    trust = page[page.index('<section id="trust">') : page.index('<section id="headline">')]
    shown = re.sub(r"<details.*?</details>", "", trust, flags=re.DOTALL)
    assert [f"{n + 1} of 50 are short" in shown for n in range(40)] == [True] * 3 + [False] * 37
    assert "check-07" not in shown
    assert "lone" not in shown
    assert "count <b>1</b>" in shown
    assert "What to do:" in shown
    assert "and 37 more" in trust
    assert all(f"{n + 1} of 50 are short" in trust for n in range(40))
    assert "check-07" in trust
    assert "needs corpus_shape" in trust
    assert (
        trust.index("With care") < trust.index("short-answers") < trust.index("1 note: lone") < trust.index("50 checks")
    )


def test_belief_is_read_before_any_number() -> None:
    summary = crowded()
    page, text = to_html(summary), to_markdown(summary)
    for face in (page, text):
        assert face.index("Can this be believed?") < face.index("finds" if face is text else "at a glance")


def test_text_faces_stay_short() -> None:
    summary = crowded()
    console = Console(width=100, file=io.StringIO())
    with console.capture() as captured:
        console.print(to_terminal(summary))
    lines = captured.get()
    assert lines.count("are short") == 3
    assert "It saw 37 more like these." in lines
    assert "Could not tell: hubs." in lines
    text = to_markdown(summary)
    before = text[: text.index("## In short")]
    assert before.count("are short") == 3
    assert "Passed: check-00, check-01" in before
    assert "- hubs could not tell: needs corpus\\_shape" in before
    assert "- drift could not tell everywhere: no" in before


def test_places_are_shortened() -> None:
    points = [point(asked={"efSearch": n}, checks=[fired("x", "warning")] if n else []) for n in range(9)]
    text = to_markdown(summarise([curve(points)], truth(), measure="recall@4"))
    assert "Seen. (efSearch=1; efSearch=2; efSearch=3 and 5 more)." in text
