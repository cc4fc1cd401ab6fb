"""Runs or answers as one side of a comparison: their settings, and what was fixed for them."""

from __future__ import annotations

from collections.abc import Sequence

from truerecall.errors import NotAMeasurement
from truerecall.model.comparison import Entrant, Pass, Side
from truerecall.model.curve import Point
from truerecall.model.finding import Finding
from truerecall.model.judged import Judged
from truerecall.model.run import Run
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Fingerprint
from truerecall.steps.points import SAME_MACHINE

AS_GIVEN = "answers as given"
"""The setting of answers of which nobody knows how they were made."""


def facts_of_runs(runs: Sequence[Run]) -> dict[str, tuple[str, ...]]:
    """Every fact that a comparison of runs may turn on, with each value that it has.

    Seeds are chance, and no fact, where a setting was built more than once.
    """
    found: dict[str, dict[str, None]] = {}
    for run in runs:
        setup = run.setup
        facts = {
            **({} if setup.model is None else {"model": setup.model}),
            "distance": setup.distance,
            "corpus": _vectors(setup.corpus),
            "queries": _vectors(setup.queries),
            "k": setup.k,
            "engine": setup.engine,
            "engine version": setup.engine_version,
            **setup.build.settings,
            **setup.in_force,
            "mode": setup.mode,
            "build threads": setup.build.threads,
            "seed": setup.build.seed,
        }
        for name, value in facts.items():
            found.setdefault(name, {})[str(value)] = None
    if len({run.setup.build.id for run in runs}) > len({_built(run) for run in runs}):
        del found["seed"]
    return {name: tuple(sorted(values)) for name, values in found.items()}


def side_of_points(name: str, points: Sequence[Point], measure: str) -> Side:
    """Judged runs as a side. Raises NotAMeasurement where one of them has no valid score."""
    groups: dict[tuple[str, str, tuple[str, ...]], dict[tuple[str, int], Pass]] = {}
    for point in points:
        score = point.score(measure)
        if score is None or score.mean is None:
            raise NotAMeasurement(f"{name} at {_searched(point.run)} has no valid {measure}", _why(point.findings))
        setup = point.run.setup
        passes = groups.setdefault((_built(point.run), _searched(point.run), _how(point.run)), {})
        own = Pass(
            build=setup.build.id,
            per_query=score.per_query,
            p50_s=point.latency.p50_s,
            environment={**point.run.environment, "warmup_calls": setup.warmup_calls, "mode": str(setup.mode)},
            p50_by_pass_s=point.latency.p50_by_pass_s,
            mode=str(setup.mode),
        )
        passes.setdefault((setup.build.id, setup.build.number), own)
    entrants = tuple(
        Entrant(built, searched, tuple(own.values()), how) for (built, searched, how), own in groups.items()
    )
    findings = tuple({(f.code, f.message): f for point in points for f in point.findings}.values())
    return Side(name, facts_of_runs([point.run for point in points]), entrants, findings)


def side_of_answers(name: str, judged: Judged, truth: GroundTruth, measure: str) -> Side:
    """Judged answers as a side: one list a query, made nobody knows how and timed by nobody. What they are of is what
    the ``truth`` is of that they were judged by; their k is the depth that was asked for.

    Raises NotAMeasurement where they have no valid score.
    """
    score = judged.score(measure)
    if score is None or score.mean is None:
        raise NotAMeasurement(f"{name} has no valid {measure}", _why(judged.findings))
    facts = {
        "distance": truth.distance,
        "corpus": _vectors(truth.corpus),
        "queries": _vectors(truth.queries),
        "k": str(judged.asked_k),
    }
    entrant = Entrant(AS_GIVEN, AS_GIVEN, (Pass(AS_GIVEN, score.per_query),))
    return Side(name, {fact: (value,) for fact, value in facts.items()}, (entrant,), judged.findings)


def _why(findings: Sequence[Finding]) -> str:
    invalid = [finding for finding in findings if finding.severity == "invalid"]
    return f"{invalid[0].message}: {invalid[0].remedy}" if invalid else "no query has a value; choose another measure"


def _built(run: Run) -> str:
    """The engine and what was built, without what is chance."""
    return f"{run.setup.engine} {_settings(run.setup.build.settings)}"


def _searched(run: Run) -> str:
    return _settings(run.setup.asked) or "the defaults"


def _how(run: Run) -> tuple[str, ...]:
    """How it was asked and where, in words."""
    setup, calls, where = run.setup, run.setup.warmup_calls, [str(run.environment.get(name)) for name in SAME_MACHINE]
    return (
        str(setup.mode),
        f"{calls} warm-up {'call' if calls == 1 else 'calls'}",
        f"{setup.engine} {setup.engine_version}",
        *where,
    )


def _settings(settings: object) -> str:
    return ", ".join(f"{name}={value}" for name, value in sorted(dict(settings).items()))  # type: ignore[call-overload]


def _vectors(own: Fingerprint) -> str:
    return f"{own.rows:,} × {own.dimensions:,} {own.dtype}, {own.digest[:12]}"
