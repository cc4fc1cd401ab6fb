"""The summary as one HTML file that needs nothing else: no script, no network, light and dark, wide and narrow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import ModuleType

from jinja2 import Environment, PackageLoader, StrictUndefined

from truerecall.report import checked, estimates, timed, wording
from truerecall.report.builds import build_pictures
from truerecall.report.charts import latency_pictures, other_pictures, rate_picture, work_picture
from truerecall.report.curve_parts import Family
from truerecall.report.point_parts import PointRow
from truerecall.report.selectivity import selectivity_picture
from truerecall.report.spreads import semantic_picture, spread_picture
from truerecall.report.summary_parts import Summary, WorstQuery
from truerecall.report.svg import series, shape
from truerecall.report.tolerance import tolerance_pictures

FILTERS: dict[ModuleType, tuple[str, ...]] = {
    wording: (
        "percent", "interval", "estimate", "duration", "milliseconds", "significant", "queries", "count",
        "distance_text", "size",
    ),
    estimates: ("measured_text", "mean_text", "sd_text", "passes_text", "ends_ms"),
    timed: ("per_call",),
}  # fmt: skip
"""What templates may call, by where it stands; numbers and their units stay on one line."""
PLAIN = ("reasons_of", "places_of", "shown_sightings", "folded_sightings", "brief_evidence")


@dataclass(frozen=True)
class Mark:
    """A neighbour on the strip of a query: ``hit``, ``missed`` or ``instead``, and how far along, in percent."""

    kind: str
    along: float
    said: str


@dataclass(frozen=True)
class Strip:
    """The neighbours of a query by their true distance; ``cut`` is where the true neighbours end, in percent."""

    marks: tuple[Mark, ...]
    cut: float


def to_html(summary: Summary) -> str:
    """The page. Every text of the user's is escaped; only our own pictures go in as markup."""
    numbered = list(enumerate(summary.families))
    page = environment().get_template("report.html.j2").render(
        s=summary,
        numbered=numbered,
        checked=checked.sorted_checks(summary.trust.checks),
        latencies=latency_pictures(summary),
        rate=rate_picture(summary),
        work=work_picture(summary),
        others=other_pictures(summary),
        narrowing=selectivity_picture(summary.behind, summary.measure),
        built=build_pictures(summary.builds),
        spreads=[spread_picture(summary, place) for place, _ in numbered],
        semantics=[semantic_picture(summary, place) for place, _ in numbered],
        tolerances=tolerance_pictures(
            [(n, f.shown.label, row.scores) for n, f in numbered if (row := _read(f, summary.measure))],
            name="tolerance",
        ),
        strips=[strip(query) for query in summary.worst.queries] if summary.worst else [],
    )  # fmt: skip
    return page.translate(wording.CONTROLS)


def _read(family: Family, measure: str) -> PointRow | None:
    """The point of the first build at the setting that stands for the family."""
    row = family.reading(measure)
    return next((p for p in family.shown.points if row is not None and p.setting == row.setting), None)


def strip(query: WorstQuery) -> Strip | None:
    """Where the neighbours of a query lie; None where all known distances are equal and order says nothing."""
    groups = (("hit", query.found), ("instead", query.instead), ("missed", query.missed))
    placed = [(kind, n, n.distance) for kind, group in groups for n in group if n.distance is not None]
    nearest, farthest = min(d for _, _, d in placed), max(d for _, _, d in placed)
    if nearest == farthest:
        return None
    marks = tuple(
        Mark(kind, _along(d, nearest, farthest), f"{n.text or n.id}, distance {wording.distance_text(d)}")
        for kind, n, d in placed
    )
    return Strip(marks, _along(query.cut, nearest, farthest))


def _along(distance: float, nearest: float, farthest: float) -> float:
    return round(2 + 96 * (distance - nearest) / (farthest - nearest), 2)


def _unbroken(write: Callable[..., str]) -> Callable[..., str]:
    """The same wording, in which a number and its unit stay on one line."""
    return lambda *values: write(*values).replace(" ", "\u00a0")


@cache
def environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("truerecall.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for room, names in FILTERS.items():
        environment.filters.update({name: _unbroken(getattr(room, name)) for name in names})
    environment.filters.update({name: getattr(checked, name) for name in PLAIN})
    environment.filters["spoken"] = wording.spoken
    environment.globals.update(series=series, shape=shape, sorted_checks=checked.sorted_checks)
    return environment
