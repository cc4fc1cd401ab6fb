"""What is said about an inspection, and its faces."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from tests.shapes import corpus_shape, query_shape, sizes
from truerecall.model.finding import CheckOutcome, Finding
from truerecall.model.shape import Duplicates, Estimate, Faults, Inspection, undefined
from truerecall.report.bins import doubling, spread_out
from truerecall.report.histogram import distribution_picture
from truerecall.report.inspection import summarise_inspection
from truerecall.report.inspection_document import inspection_document
from truerecall.report.inspection_html import inspection_html
from truerecall.report.inspection_markdown import inspection_markdown
from truerecall.report.inspection_numbers import estimate_text
from truerecall.report.inspection_terminal import inspection_terminal
from truerecall.steps.check import examine

HOSTILE = "<script>alert(1)</script>\x1b[31m"


def inspection(*, queries: bool = True, name: str = "corpus.npy") -> Inspection:
    corpus = corpus_shape(
        name=name,
        duplicates=Duplicates(10_000, sizes(40, 2)),
        faults=Faults(10_000, {"NaN": 2}, {"NaN": (3, 7)}, zeros_undefined=False),
    )
    about = query_shape(copies=np.array([1] * 4 + [0] * 96)) if queries else None
    evidence = {"corpus_shape": corpus}
    more = {} if about is None else {"query_shape": about, "copies": about.copies}
    return Inspection(corpus, about, Estimate(0.01, 100), examine({**evidence, **more}), ("all rows were read",), 7)


@pytest.mark.parametrize(
    ("found", "share", "text"),
    [
        (Estimate(17.81, 1000, (17.45, 18.18), "bca"), False, "17.8 [17.4, 18.2] rows, n=1,000"),
        # Ends that would read alike get more decimals.
        (Estimate(1.0004, 1000, (0.9991, 1.0018), "bootstrap"), False, "1.000 [0.999, 1.002] rows, n=1,000"),
        (Estimate(0.5, 10), False, "0.500 rows, n=10"),
        (Estimate(0.015, 1000, (0.009, 0.025), "wilson"), True, "1.5 % [0.9, 2.5] rows, n=1,000"),
        (undefined("there is one usable row"), True, "undefined: there is one usable row"),
    ],
)
def test_an_estimate_is_written_with_interval_and_n(found: Estimate, text: str, *, share: bool) -> None:
    assert estimate_text(found, "rows", share=share) == text


def test_findings_stand_by_weight_and_with_the_quality_they_are_about() -> None:
    summary = summarise_inspection(inspection())
    assert [finding.severity for finding in summary.findings] == ["warning", "warning", "note"]
    assert [finding.code for finding in summary.findings] == ["queries-in-corpus", "unusable-vectors", "duplicate-rows"]
    by_code = {quality.code: quality for quality in summary.qualities}
    assert by_code["duplicate-rows"].finding is summary.findings[2]
    assert by_code["hubs"].outcome == "passed"
    assert (summary.answer, summary.verdict) == ("With care", "suspect")
    assert summary.sentence.startswith("2 warnings may make recall on these vectors mislead, and 1 note to know of.")
    assert summary.others == ()


def test_a_finding_that_no_quality_is_about_is_shown_too() -> None:
    strange = Finding("from-elsewhere", "note", "seen", "do", {})
    found = replace(inspection(), checks=(CheckOutcome("from-elsewhere", "fired", strange),))
    summary = summarise_inspection(found)
    assert summary.others == (strange,)
    assert "from-elsewhere" in inspection_html(summary)


def test_nothing_checked_is_not_a_pass() -> None:
    silent = CheckOutcome("hubs", "cannot tell", None, "there is one usable row")
    summary = summarise_inspection(replace(inspection(), checks=(silent,)))
    assert summary.answer == "Not known"
    assert next(quality for quality in summary.qualities if quality.code == "hubs").reason == silent.reason


def test_every_quality_has_a_picture_or_nothing_to_draw() -> None:
    summary = summarise_inspection(inspection())
    drawn = {quality.title for quality in summary.qualities if quality.picture is not None}
    # No ties among sampled rows: there is nothing to draw.
    assert {quality.title for quality in summary.qualities} - drawn == {"Ties across the cut"}


def test_values_beyond_the_ends_stand_in_the_outer_bins() -> None:
    found = spread_out("x", {"a": np.array([-5.0, 0.5, 1.5, np.inf, np.nan])}, low=0.0, high=2.0)
    assert found is not None
    counts = found.series[0].counts
    assert (sum(counts), counts[0], counts[-1]) == (4, 1, 1)
    assert spread_out("x", {"a": np.empty(0)}) is None
    assert spread_out("x", {"a": np.ones(5)}) is None
    assert spread_out("x", {"a": np.full(5, np.inf)}, low=0.0, high=1.0) is not None


def test_bins_that_double() -> None:
    found = doubling("lists", "rows", np.array([0, 0, 1, 2, 3, 4, 9]), least=0)
    assert found.labels == ("0", "1", "2–3", "4–7", "8–15")
    assert found.series[0].counts == (2, 1, 2, 1, 1)
    groups = np.array([40, 2])
    found = doubling("stored", "rows", groups, least=2, weights=groups)
    assert found.labels == ("2–3", "4–7", "8–15", "16–31", "32–63")
    assert found.series[0].counts == (2, 0, 0, 0, 40)
    many = doubling("lists", "rows", np.array([0, 2000]), least=0)
    assert (many.labels[-1], many.axis) == ("1,024", "lists, from")
    assert sum(many.series[0].counts) == 2


def test_a_picture_is_an_image_that_says_what_it_shows() -> None:
    for quality in summarise_inspection(inspection()).qualities:
        if quality.picture is not None:
            svg = distribution_picture(quality.picture, name="one", title=quality.title)
            ET.fromstring(svg)
            assert f'<title id="one-title">{quality.title}</title>' in svg
            assert "#0a0" not in svg  # every stand-in colour has become one of the page's
            assert all(series.name in svg for series in quality.picture.series)


def test_the_page_needs_nothing_else_and_reads_no_markup_of_the_user() -> None:
    page = inspection_html(summarise_inspection(inspection(name=HOSTILE)))
    assert "<script" not in page
    assert "\x1b" not in page
    assert not re.search(r'(?:src|href)="(?!#)', page)
    assert page.count("<svg") == 12
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_text_faces_hold_the_same_numbers_and_read_no_markup() -> None:
    summary = summarise_inspection(inspection(name=HOSTILE))
    markdown = inspection_markdown(summary)
    console = Console(width=160, record=True, file=io.StringIO())
    console.print(inspection_terminal(summary))
    terminal = console.export_text()
    for text in ("skewness 1.00 [0.99, 1.01], n=1,000", "4 of 100 queries, by content"):
        assert text in markdown.replace("\\", "")
        assert text in terminal
    assert "\x1b" not in markdown
    assert "<script" not in markdown


def test_the_document_has_null_for_what_is_undefined() -> None:
    found = inspection(queries=False)
    found = replace(found, corpus=replace(found.corpus, dimension=undefined("it needs 101 usable rows"), lengths=None))
    document = inspection_document(found)
    assert document["queries"] is None
    assert document["corpus"]["intrinsic_dimension"]["value"] is None
    assert document["corpus"]["intrinsic_dimension"]["reason"] == "it needs 101 usable rows"
    assert document["corpus"]["lengths"] is None
    assert document["corpus"]["hubs"]["skewness"]["ci95"] == pytest.approx([0.99, 1.01])


def test_narrow_terminals_lose_nothing() -> None:
    console = Console(width=60, record=True, file=io.StringIO())
    console.print(inspection_terminal(summarise_inspection(inspection())))
    lines = console.export_text().splitlines()
    assert max(map(len, lines)) <= 60
    assert "n=1,000" in "".join(lines)
