"""Which curves are of one configuration in one mode, and what all of them together are called."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from truerecall.model.curve import Curve
from truerecall.report.wording import count
from truerecall.steps.curve import asked_as


def family_of(curve: Curve) -> Hashable:
    """What all builds of one configuration in one mode have in common, whatever filter they were searched behind."""
    return (_base(curve), *_told_by(curve))


def family_labels(curves: Sequence[Curve]) -> tuple[str, ...]:
    """For each curve the name of its family: its own where it is alone; else what was built and how it was asked, with
    the facts in which it differs from other families of which the same is true."""
    families = [family_of(curve) for curve in curves]
    labels = []
    for curve, family in zip(curves, families, strict=True):
        if families.count(family) == 1:
            labels.append(curve.label)
            continue
        others = [_told_by(other) for other in curves if _base(other) == _base(curve)]
        own = _told_by(curve)
        differing = [fact for place, fact in enumerate(own) if any(other[place] != fact for other in others)]
        labels.append(", ".join([_base(curve), *differing]))
    return tuple(labels)


def _base(curve: Curve) -> str:
    return asked_as(replace(curve.points[0].run.setup, where=None))


def _told_by(curve: Curve) -> tuple[str, ...]:
    """The facts that tell families apart of which the same was built, in words."""
    run = curve.points[0].run
    setup = run.setup
    return (
        f"{setup.engine} {setup.engine_version}",
        f"k={setup.k}",
        count(setup.warmup_calls, "warm-up call"),
        count(setup.build.threads, "build thread"),
        f"corpus {setup.corpus.digest[:8]}",
        f"queries {setup.queries.digest[:8]}",
        f"model {setup.model}",
        f"{run.environment.get('processor')}",
        f"{run.environment.get('cores_logical')} cores",
    )
