"""What curves are called: by their label, and by what tells them from others of the same label."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from truerecall.model.curve import Curve
from truerecall.report.wording import count


def family_of(curve: Curve) -> Hashable:
    """What all builds of one configuration in one mode have in common."""
    return (curve.label, *_told_by(curve))


def family_labels(curves: Sequence[Curve]) -> tuple[str, ...]:
    """For each curve the name of its family: the label, with the facts in which families of that label differ."""
    labels = []
    for curve in curves:
        others = [_told_by(other) for other in curves if other.label == curve.label]
        own = _told_by(curve)
        differing = [fact for place, fact in enumerate(own) if any(other[place] != fact for other in others)]
        labels.append(", ".join([curve.label, *differing]))
    return tuple(labels)


def curve_names(curves: Sequence[Curve], labels: Sequence[str]) -> tuple[str, ...]:
    """For each curve a name of its own: that of its family, with the number of the build, or its id where numbers
    agree."""
    names = []
    for curve, label in zip(curves, labels, strict=True):
        builds = [other.points[0].run.setup.build for other, its in zip(curves, labels, strict=True) if its == label]
        own = curve.points[0].run.setup.build
        if len(builds) == 1:
            names.append(label)
        elif [build.number for build in builds].count(own.number) == 1:
            names.append(f"{label}, build {own.number + 1}")
        else:
            names.append(f"{label} ({own.id[:8]})")
    return tuple(names)


def _told_by(curve: Curve) -> tuple[str, ...]:
    """The facts that tell families of one label apart, in words."""
    setup = curve.points[0].run.setup
    return (
        str(setup.mode),
        f"{setup.engine} {setup.engine_version}",
        f"k={setup.k}",
        count(setup.warmup_calls, "warm-up call"),
        count(setup.build.threads, "build thread"),
        f"corpus {setup.corpus.digest[:8]}",
        f"queries {setup.queries.digest[:8]}",
        f"model {setup.model}",
    )
