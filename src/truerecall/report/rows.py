"""Curves as rows of plain values."""

from __future__ import annotations

from collections.abc import Sequence

from truerecall.model.curve import Curve, Point
from truerecall.report.curve_parts import CurveRow
from truerecall.report.parts import Fact
from truerecall.report.point_rows import mean_of, point_rows, remarks
from truerecall.report.query_rows import semantic_rows, spread
from truerecall.report.wording import flat_facts, some, value_text


def curve_row(curve: Curve, measure: str, seed: int) -> CurveRow:
    """All that is shown of one curve."""
    best = reading_point(curve, measure)
    points = point_rows(curve, measure)
    return CurveRow(
        label=curve.label,
        points=points,
        spread=None if best is None else spread(best, measure),
        semantic=semantic_rows(curve, measure, seed),
        remarks=remarks(points),
    )


def reading_point(curve: Curve, measure: str) -> Point | None:
    """The point that stands for the curve: its knee, or the best point where it has none; None without a mean."""
    if curve.knee is not None and mean_of(curve.points[curve.knee], measure) is not None:
        return curve.points[curve.knee]
    scored = [(mean, point) for point in curve.points if (mean := mean_of(point, measure)) is not None]
    return max(scored, key=lambda pair: pair[0])[1] if scored else None


def build_facts(curves: Sequence[Curve]) -> tuple[Fact, ...]:
    """How the builds of one configuration were made and what they say of themselves, as far as they agree."""
    told = [_facts_of(curve) for curve in curves]
    return tuple(fact for fact in told[0] if all(fact in other for other in told))


def _facts_of(curve: Curve) -> tuple[Fact, ...]:
    setup = curve.points[0].run.setup
    build, state = setup.build, setup.build.state
    rows = value_text(state.indexed_rows) if state.indexed_rows is None else f"{state.indexed_rows:,}"
    return (
        Fact("engine", f"{setup.engine} {setup.engine_version}"),
        *(Fact(name, value_text(value)) for name, value in build.settings.items()),
        Fact("kind", state.kind),
        Fact("transform", state.transform or "none"),
        Fact("exact by design", value_text(state.exact_by_design)),
        Fact("trained", value_text(state.trained)),
        Fact("rows given", f"{state.rows:,}"),
        Fact("rows indexed", rows),
        Fact("build threads", str(build.threads)),
        Fact("neighbours asked for", str(setup.k)),
        *_paths(curve),
        *_search_facts(curve),
    )


def _paths(curve: Curve) -> tuple[Fact, ...]:
    """How queries were answered, where the engine tells: through the index or past it."""
    states = [point.run.setup.state for point in curve.points]
    paths = dict.fromkeys(state.path for state in states if state.path is not None)
    words = dict.fromkeys(state.told for state in states if state.told)
    return (
        *((Fact("answered through", ", ".join(f"{path}" for path in paths)),) if paths else ()),
        *((Fact("in the engine's words", some(tuple(words))),) if words else ()),
    )


def _search_facts(curve: Curve) -> tuple[Fact, ...]:
    """Search settings as read back from the index that the points share; what varies stands in the table."""
    in_force = [point.run.setup.in_force for point in curve.points]
    shared = {name: value for name, value in in_force[0].items() if all(s.get(name) == value for s in in_force)}
    return tuple(Fact(f"search: {fact.name}", fact.value) for fact in flat_facts(shared))
