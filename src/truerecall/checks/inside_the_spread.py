"""Do curves differ by less than one of them does from build to build, or from pass to pass? Then they do not differ.

Configurations are held against each other at the settings that they share. Recall: the mean over builds, where one of
the two has two builds at least; the spread is that of a difference of two means, 2 sd sqrt(1/a + 1/b) for a and b
builds, with the larger sd of the two (H23: 0.9730 ± 0.0007 of three builds, and 0.9737 of one). Latency: the medians,
where the ranges of the medians of their passes overlap. Two that are equal to the last digit are alike, and not told.
It is a note, with the smallest differences first: what differs by so little is not shown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from truerecall.checks._curves import mean_of
from truerecall.model.check import CannotTell, code_of
from truerecall.model.curve import Curve
from truerecall.model.finding import Finding

NAMED = 3


@dataclass(frozen=True)
class _Seen:
    """One configuration at one setting: the mean of every build, and the median times of all passes."""

    means: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)


class InsideTheSpread:
    title = "differences between curves within their spread"

    def examine(self, curves: Sequence[Curve]) -> Finding | CannotTell | None:
        seen = _by_setting(curves)
        pairs = [
            (setting, one, other, configurations[one], configurations[other])
            for setting, configurations in seen.items()
            for one, other in combinations(configurations, 2)
        ]
        known = [pair for pair in pairs if max(len(pair[3].means), len(pair[4].means)) > 1]
        timed = [pair for pair in pairs if min(len(pair[3].times), len(pair[4].times)) > 1]
        if not pairs:
            return CannotTell("no two configurations have a setting in common")
        if not known and not timed:
            return CannotTell("there is one build and one pass of each: nothing to take a spread from")
        alike = sorted(
            (gap, f"{abs(gap):.4f} of recall between {one} and {other} at {setting} (spread of builds {spread:.4f})")
            for setting, one, other, a, b in known
            for gap, spread in [_of_builds(a.means, b.means)]
            if 0 < gap <= spread
        )
        overlapping = [
            f"p50 of {one} and {other} at {setting} (passes overlap)"
            for setting, one, other, a, b in timed
            if max(min(a.times), min(b.times)) <= min(max(a.times), max(b.times))
        ]
        told = [words for _, words in alike] + overlapping
        if not told:
            return None
        more = f", and {len(told) - NAMED} more" if len(told) > NAMED else ""
        return Finding(
            code_of(__name__),
            "note",
            f"differences within the spread, which show nothing: {'; '.join(told[:NAMED])}{more}",
            "measure more builds and passes (--builds, --repeats), or call them alike",
            {"recall": len(alike), "latency": len(overlapping), "pairs": len(pairs), "named": told[:NAMED]},
        )


def _by_setting(curves: Sequence[Curve]) -> dict[str, dict[str, _Seen]]:
    found: dict[str, dict[str, _Seen]] = {}
    for curve in curves:
        for point in curve.points:
            setup, mean = point.run.setup, mean_of(point, curve.measure)
            setting = ", ".join(f"{name}={value}" for name, value in sorted(setup.asked.items())) or "the defaults"
            seen = found.setdefault(f"{setting}, {setup.mode}", {}).setdefault(setup.built, _Seen())
            seen.times.extend(point.latency.p50_by_pass_s)
            if mean is not None:
                seen.means.append(mean)
    return found


def _of_builds(one: Sequence[float], other: Sequence[float]) -> tuple[float, float]:
    """How far the means of two configurations are apart, and how far builds alone may set them apart."""
    if not one or not other:
        return 0.0, 0.0
    sd = max(float(np.std(own, ddof=1)) for own in (one, other) if len(own) > 1)
    return abs(float(np.mean(one) - np.mean(other))), 2 * sd * math.sqrt(1 / len(one) + 1 / len(other))


check = InsideTheSpread()
