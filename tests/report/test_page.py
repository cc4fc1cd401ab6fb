"""The page in a real browser: quiet, offline, and readable in light and dark, on a desk and on a phone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.report.builders import curve, fired, point, sweep, truth
from tests.report.test_inspection import inspection
from truerecall.model.mode import Mode
from truerecall.report.html import to_html
from truerecall.report.inspection import summarise_inspection
from truerecall.report.inspection_html import inspection_html
from truerecall.report.summary import summarise

CHROMIUM = shutil.which("chromium")
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
LONG = "OPQ64_256,IVF65536_HNSW32,PQ64x4fsr,Refine(SQfp16)" * 4
HOSTILE = "<script>console.error('run')</script>" + "w" * 300
CONTRAST = """(node) => {
  const rgb = (text) => text.match(/[0-9.]+/g).slice(0, 3).map((v) => {
    const share = v / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const light = (text) => rgb(text).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const [a, b] = [light(getComputedStyle(node).stroke), light(getComputedStyle(document.body).backgroundColor)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    checks = [fired("queries-in-corpus", "warning", HOSTILE, share=0.5)]
    odd = curve(
        [point(semantic=[1.0, 1.0, 0.5, 0.5, 0.0], asked={"a_rather_long_setting": 123_456}, checks=checks)], label=LONG
    )
    texts = {str(row): HOSTILE for row in range(1000)}
    builds = [sweep("B", 300.0, str(number) * 64, number=number) for number in range(3)]
    batches = sweep("B", 9e3, "0" * 64, mode=Mode("batch", 64), failed=2)
    summary = summarise([sweep(), *builds, batches, odd], truth(), measure="recall@4",
                        corpus_texts=texts, query_texts=texts)  # fmt: skip
    file = tmp_path_factory.mktemp("page") / "report.html"
    file.write_text(to_html(summary), encoding="utf-8")
    return file


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 375])
def test_the_page_opens_quietly_and_the_curve_is_seen(browser: Any, page_file: Path, width: int, scheme: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(page_file.as_uri())
    assert said == []
    assert asked == [page_file.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    shown = "wide" if width == 1280 else "narrow"
    lines = page.locator(f"#curves .chart .{shown} svg .mark-line path:not([stroke-width='1'])")
    assert lines.count() >= 2
    for place in range(2):
        box = lines.nth(place).bounding_box()
        assert box is not None
        assert box["width"] > 20
        assert box["height"] > 5
        assert lines.nth(place).evaluate(CONTRAST) >= 3
    thin = page.locator(f"#curves .chart .{shown} svg .mark-line path[stroke-width='1']")
    assert thin.count() >= 3
    bars = page.locator("#builds svg .mark-rect path")
    assert bars.count() == 8  # the time and the size of four builds
    assert all((box := bars.nth(n).bounding_box()) and box["width"] > 20 for n in range(bars.count()))
    assert page.locator(f"#curves .{'narrow' if shown == 'wide' else 'wide'}").first.is_hidden()
    page.close()


@pytest.fixture(scope="module")
def inspection_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("page") / "inspection.html"
    file.write_text(inspection_html(summarise_inspection(inspection(name=HOSTILE))), encoding="utf-8")
    return file


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 375])
def test_the_page_of_an_inspection_opens_quietly_and_its_pictures_are_seen(
    browser: Any, inspection_file: Path, width: int, scheme: str
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: asked.append(request.url))
    page.goto(inspection_file.as_uri())
    assert said == []
    assert asked == [inspection_file.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    pictures = page.locator(".quality figure svg")
    assert pictures.count() == 12
    for place in range(pictures.count()):
        box = pictures.nth(place).bounding_box()
        assert box is not None
        assert box["width"] > 250
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    lines = page.locator(".quality figure svg .mark-line path")
    assert lines.count() >= 3
    assert lines.first.evaluate(CONTRAST) >= 3
    page.close()


def test_long_parts_open_without_a_script(browser: Any, page_file: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(page_file.as_uri())
    part = page.locator("#trust details").last
    assert part.locator("p").first.is_hidden()
    part.locator("summary").click()
    assert part.locator("p").first.is_visible()
    context.close()
