"""HTML, Markdown and terminal: whatever is odd in the nouns, each face is made, says it, and stays inert."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pytest
from rich.console import Console

from tests.report.builders import curve, fired, point, sweep, truth
from truerecall.model.curve import Curve
from truerecall.model.mode import Mode
from truerecall.report.html import to_html
from truerecall.report.markdown import to_markdown
from truerecall.report.summary import summarise
from truerecall.report.summary_parts import Summary
from truerecall.report.terminal import to_terminal

CONTROL = "\x00\x1b[2J\x9b31m\r"
HOSTILE = CONTROL + '<script>alert("1")</script><img src=x onerror=alert(2)> a|b `c` *d* [red]e[/red] {{ 7 * 7 }}'
LONG = "OPQ64_256,IVF65536_HNSW32,PQ64x4fsr,Refine(SQfp16)" * 4
ODD: dict[str, list[Curve]] = {
    "a sweep with a knee": [sweep()],
    "one point": [curve([point()])],
    "nothing found and no latency": [curve([point((0, 0, 0, 0, 0), p50_s=None)])],
    "all perfect": [curve([point((4, 4, 4, 4, 4))])],
    "invalid": [curve([point(checks=[fired("stale", "invalid", HOSTILE)])])],
    "three scales": [sweep("A"), sweep("B", 1000.0, "2" * 64), sweep("C", 1e5, "3" * 64)],
    "long names": [sweep(LONG)],
    "labels": [curve([point(semantic=[1.0, 1.0, 0.5, np.nan, 0.0])])],
    "hostile": [curve([point(checks=[fired(HOSTILE, "note", HOSTILE, **{HOSTILE: HOSTILE})])], label=HOSTILE)],
    "builds and modes": [
        *(sweep(f"{HOSTILE}{n % 2}", 1.5**n, str(n) * 64, number=n // 2) for n in range(6)),
        sweep(f"{HOSTILE}0", 70.0, "0" * 64, mode=Mode("batch", 64), failed=3, by_formula=["distance_computations"]),
    ],
    "one pass of nothing known": [curve([point(passes=(), harness_s=0.0)])],
    "eight curves": [sweep(f"C{n}", 1.5**n, str(n) * 64) for n in range(8)],
}


@cache
def summary_of(case: str) -> Summary:
    texts = {str(row): HOSTILE for row in range(1000)}
    return summarise(ODD[case], truth(), measure="recall@4", corpus_texts=texts, query_texts=texts)


@cache
def page_of(case: str) -> str:
    return to_html(summary_of(case))


class Elements(HTMLParser):
    """Collects the names of elements, their attributes and their ids."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += attrs

    @property
    def ids(self) -> list[str | None]:
        return [value for name, value in self.attributes if name == "id"]


@pytest.mark.parametrize("case", ODD)
def test_the_page_is_self_contained_and_inert(case: str) -> None:
    elements = Elements(page_of(case))
    assert not {"script", "img", "link", "iframe"} & set(elements.names)
    assert len(elements.ids) == len(set(elements.ids))
    outside = [v for name, v in elements.attributes if name in ("src", "href", "xlink:href", "action")]
    assert outside == []
    assert not [name for name, _ in elements.attributes if name.startswith("on")]


@pytest.mark.parametrize("case", ODD)
def test_every_colour_of_a_chart_comes_from_the_page(case: str) -> None:
    page = page_of(case)
    for chart in re.findall(r'<svg[^>]*class="marks".*?</svg>', page, flags=re.DOTALL):
        colours = set(re.findall(r'(?:fill|stroke)="([^"]*)"', chart)) - {"none", "transparent"}
        assert colours
        assert all(colour.startswith("var(--") for colour in colours), colours
        assert 'role="img"' in chart
        assert "<title id=" in chart


def test_the_page_shows_what_the_summary_says() -> None:
    page = to_html(summarise([sweep()], truth(), measure="recall@4", query_texts={"4": "why is the sky blue"}))
    for words in (
        "Can this be believed?",
        "why is the sky blue",
        "the knee",
        "[85.0, 95.0]",
        "Test CPU",
        "p99 is withheld",
    ):
        assert words in page.replace("\u00a0", " "), words
    assert page.index("Can this be believed?") < page.index("What each step of effort buys")
    assert "Does the loss matter?" not in page


def test_hostile_texts_stand_as_text() -> None:
    page = page_of("hostile")
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "{{ 7 * 7 }}" in page


@pytest.mark.parametrize("case", ODD)
def test_markdown_tables_keep_their_columns(case: str) -> None:
    text = to_markdown(summary_of(case))
    assert "<" not in text
    width = 0
    for line in text.splitlines():
        cells = len(re.findall(r"(?<!\\)\|", line))
        if line.startswith("|"):
            assert width in (0, cells), line
        width = cells if line.startswith("|") else 0


@pytest.mark.parametrize("width", [40, 60, 160])
@pytest.mark.parametrize("case", ODD)
def test_the_terminal_fits_and_reads_no_markup(case: str, width: int) -> None:
    console = Console(width=width, file=io.StringIO(), highlight=False)
    with console.capture() as captured:
        console.print(to_terminal(summary_of(case)))
    lines = captured.get().splitlines()
    assert all(len(line) <= width for line in lines)
    assert "Can this be believed?" in captured.get()
    if case == "hostile":
        assert "[red]e[/red]" in "".join(line.strip() + " " for line in lines).replace("  ", " ") or width < 160


def test_a_face_is_a_pure_function() -> None:
    summary = summary_of("three scales")
    assert to_html(summary) == page_of("three scales")
    assert to_markdown(summary) == to_markdown(summary)


@pytest.mark.parametrize("face", [to_html, to_markdown])
def test_no_control_character_reaches_a_reader(face: Callable[[Summary], str]) -> None:
    texts = {"4": f"seen{CONTROL}", "42": f"missed{CONTROL}"}
    page = face(summarise([sweep(HOSTILE)], truth(), measure="recall@4", corpus_texts=texts, query_texts=texts))
    assert not set("\x00\x1b\x9b\r") & set(page)
    assert "seen\ufffd" in page
