"""The summary as one HTML file that needs nothing else: no script, no network, light and dark, wide and narrow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from truerecall.report import wording
from truerecall.report.charts import recall_against_distances, recall_against_latency
from truerecall.report.parts import Summary, WorstQuery
from truerecall.report.spreads import semantic_picture, spread_picture
from truerecall.report.svg import series, shape
from truerecall.report.tolerance import tolerance_pictures


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
    places = range(len(summary.curves))
    page = environment().get_template("report.html.j2").render(
        s=summary,
        numbered=list(enumerate(summary.curves)),
        latency=recall_against_latency(summary),
        distances=recall_against_distances(summary),
        spreads=[spread_picture(summary, place) for place in places],
        semantics=[semantic_picture(summary, place) for place in places],
        tolerances=tolerance_pictures(
            [(n, c.label, p.scores) for n, c in enumerate(summary.curves) if (p := c.reading(summary.measure))],
            name="tolerance",
        ),
        strips=[strip(query) for query in summary.worst.queries] if summary.worst else [],
    )  # fmt: skip
    return page.translate(wording.CONTROLS)


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
    names = (
        "percent",
        "interval",
        "estimate",
        "duration",
        "milliseconds",
        "significant",
        "spoken",
        "queries",
        "count",
        "distance_text",
    )
    environment.filters.update({name: _unbroken(getattr(wording, name)) for name in names})
    environment.globals.update(series=series, shape=shape)
    return environment
