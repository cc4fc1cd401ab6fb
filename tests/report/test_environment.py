"""Where it was measured: everything is shown, what passes is a range, and what spoils a comparison is named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.report.builders import curve, point, truth
from truerecall.report.html import to_html
from truerecall.report.markdown import to_markdown
from truerecall.report.summary import summarise
from truerecall.report.summary_parts import Summary

OWN = {"processor": "Test CPU", "memory_bytes": 2**30, "load": 0.5, "libraries": {"numpy": "2.4"}}


def of(**other: Any) -> Summary:
    first, second = curve([point(environment=OWN)], label="A"), curve([point(environment={**OWN, **other})], label="B")
    return summarise([first, second], truth(), measure="recall@4")


def test_one_environment_is_told_once_with_ranges_of_what_passes() -> None:
    own = of(load=9.0).environment
    facts = {fact.name: fact.value for fact in own.same}
    assert facts == {"processor": "Test CPU", "memory": "1.00 GiB", "libraries: numpy": "2.4", "load": "0.5 to 9"}
    assert (own.differing, own.differs) == ((), "")


def test_other_machines_are_named_and_the_rest_is_told_once() -> None:
    summary = of(processor="Another")
    own = summary.environment
    assert own.columns == ("A", "B")
    assert own.differing == (("processor", ("Test CPU", "Another")),)
    assert "(processor differ)" in own.differs
    assert "memory" in [fact.name for fact in own.same]
    for face in (to_html(summary), to_markdown(summary)):
        assert "Another" in face
        assert "their latencies do not compare" in face


def test_what_differs_without_harm_to_latencies_is_no_alarm() -> None:
    own = of(libraries={"numpy": "2.5"}).environment
    assert {fact.name: fact.value for fact in own.same}["libraries: numpy"] == "2.4; 2.5"
    assert (own.differing, own.differs) == ((), "")


def test_ranges_are_over_all_passes_and_unknown_names_are_shown() -> None:
    own = point()
    pools = [{"library": "a", "threads": 1}, {"library": "b", "threads": 2}]
    during = [
        {
            "during": {"others_busy_cores": busy, "memory_available_bytes": 2**30 * busy, "told": told},
            "client_and_server": "one machine",
            "when": f"2026-01-01T00:00:0{second}.123456+00:00",
            "thread_pools": pools[:: -1 if second else 1],
        }
        for second, (busy, told) in enumerate(((0.25, None), (1.5, 3), (0.5, None)))
    ]
    runs = tuple(replace(run, environment=each) for run, each in zip(own.runs, during, strict=True))
    table = summarise([curve([replace(own, runs=runs)])], truth(), measure="recall@4").environment
    assert {fact.name: fact.value for fact in table.same} == {
        "client and server": "one machine", "cores other programs kept busy during the passes": "0.25 to 1.5",
        "memory free after the passes": "256 MiB to 1.50 GiB", "during: told": "3",
        "when": "2026-01-01T00:00:00+00:00 to 2026-01-01T00:00:02+00:00",
        "thread pools of the libraries": "library a threads 1; library b threads 2",
    }  # fmt: skip
