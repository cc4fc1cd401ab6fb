"""How often the 95 % intervals hold the true mean: known populations, samples drawn again and again.

    python benchmarks/interval_coverage.py                    2,000 samples each (some ten minutes on two cores)
    python benchmarks/interval_coverage.py --samples 500 --only mean

``shown`` is the interval that truerecall shows (``kernels/intervals.py``), ``bca`` the BCa bootstrap everywhere, for
the sake of comparison; below and above are the shares of samples whose interval lies wholly below or above the truth.
2,000 samples know a coverage of 95 % to within 1 point.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.stats import betabinom

from truerecall.kernels.builds import satterthwaite, t_interval, variance_of_difference
from truerecall.kernels.intervals import ALWAYS, SHARES, Interval, mean_interval, rule_of_three
from truerecall.kernels.ratios import wilson_interval
from truerecall.kernels.resampling import bca_interval
from truerecall.steps.difference import bounds_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Draw = Callable[[np.random.Generator, int], Floats]
QUERIES = (50, 200, 1000)
EDGE = 1e-12
DRAWS = 2_000
"""Fewer resamples than truerecall takes (5,000), to be done in time."""


@dataclass
class Tally:
    """What came of the samples of one population and size."""

    below: int = 0
    above: int = 0
    samples: int = 0
    width: float = 0.0
    methods: Counter[str] = field(default_factory=Counter)

    def add(self, interval: Interval, truth: float, method: str) -> None:
        self.samples += 1
        self.below += interval[1] < truth - EDGE
        self.above += interval[0] > truth + EDGE
        self.width += interval[1] - interval[0]
        self.methods[method] += 1

    def row(self) -> str:
        n = self.samples
        return (
            f"{100 * (1 - (self.below + self.above) / n):5.1f}  {100 * self.below / n:4.1f} {100 * self.above / n:4.1f}"
        )

    def used(self) -> str:
        return ", ".join(f"{name} {100 * c / self.samples:.0f} %" for name, c in self.methods.most_common())


def levels(values: list[float], shares: list[float]) -> tuple[Draw, float]:
    """Values that occur in these shares, and their mean."""
    support, weights = np.array(values), np.array(shares)
    return lambda random, n: random.choice(support, n, p=weights), float(support @ weights)


def spread_out(k: int, a: float, b: float) -> tuple[Draw, float]:
    """Recall at k whose chance differs from query to query by a beta distribution."""
    return levels((np.arange(k + 1) / k).tolist(), betabinom.pmf(np.arange(k + 1), k, a, b).tolist())


def beta(a: float, b: float) -> tuple[Draw, float]:
    return lambda random, n: random.beta(a, b, n), a / (a + b)


MEANS: dict[str, tuple[Draw, float]] = {
    "middling, k = 10": spread_out(10, 8, 1.2),
    "middling, k = 100": spread_out(100, 8, 1.2),
    "continuous": beta(5, 1),
    "even from 0 to 1": spread_out(10, 1, 1),
    "bimodal": levels([0, 0.1, 0.9, 1], [0.09, 0.03, 0.08, 0.80]),
    "near 1 (0.9926)": levels([0, 0.5, 0.8, 0.9, 1], [0.001, 0.002, 0.007, 0.04, 0.95]),
    "nearer 1 (0.9985)": levels([0, 0.9, 1], [0.0005, 0.01, 0.9895]),
    "1 % at zero": levels([0, 0.8, 0.9, 1], [0.01, 0.1, 0.3, 0.59]),
    "1 % at zero, else 1": levels([0, 1], [0.01, 0.99]),
}
DIFFERENCES: dict[str, tuple[Draw, float]] = {
    "many small": levels([-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3], [0.01, 0.05, 0.2, 0.41, 0.25, 0.06, 0.02]),
    "mostly none": levels([-0.1, 0, 0.1, 0.2], [0.03, 0.915, 0.05, 0.005]),
    "hardly any": levels([-0.1, 0, 0.1, 0.3], [0.004, 0.985, 0.01, 0.001]),
    "rare and large": levels([-1, -0.1, 0, 0.1, 1], [0.002, 0.15, 0.643, 0.2, 0.005]),
    "one way": levels([0, 0.1, 0.2, 0.5], [0.79, 0.15, 0.05, 0.01]),
}


def of_means(samples: int) -> Iterator[str]:
    yield "MEANS                    n   shown  below above   bca  below above  width  methods"
    for name, (draw, truth) in MEANS.items():
        for n in QUERIES:
            random, shown, plain = np.random.default_rng(n), Tally(), Tally()
            for seed in range(samples):
                values = draw(random, n)
                interval, method = mean_interval(values, seed=seed, draws=DRAWS)
                assert interval is not None
                shown.add(interval, truth, method)
                plain.add(bca_alone(values, seed), truth, "bca")
            yield f"{name:20s} {n:5d}  {shown.row()}  {plain.row()}  {shown.width / samples:.4f}  {shown.used()}"


def bca_alone(values: NDArray[np.float64], seed: int, bounds: Interval = SHARES) -> Interval:
    """What would be shown if BCa were taken wherever it has an interval of some width."""
    if values.min() == values.max():
        return rule_of_three(float(values[0]), len(values), bounds)
    return bca_interval(np.sort(values), seed=seed, draws=DRAWS)


def of_differences(samples: int) -> Iterator[str]:
    yield "DIFFERENCES              n   shown  below above   bca  below above  width  methods"
    for name, (draw, truth) in DIFFERENCES.items():
        for n in QUERIES:
            random, shown, plain = np.random.default_rng(n), Tally(), Tally()
            for seed in range(samples):
                values = draw(random, n)
                bounds = bounds_of(values)
                interval, method = mean_interval(values, seed=seed, draws=DRAWS, bounds=bounds, unseen=ALWAYS)
                assert interval is not None
                shown.add(interval, truth, method)
                plain.add(bca_alone(values, seed, bounds), truth, "bca")
            yield f"{name:20s} {n:5d}  {shown.row()}  {plain.row()}  {shown.width / samples:.4f}  {shown.used()}"


def of_clusters(samples: int) -> Iterator[str]:
    """Clusters of 1 to 9 queries that share half of what makes a query hard."""
    yield "CLUSTERS OF 1 TO 9    clusters  shown  below above   as if alone"
    truth = 0.8
    for count in (20, 50, 200):
        random, shown, alone = np.random.default_rng(count), Tally(), Tally()
        for seed in range(samples):
            clusters = np.repeat(np.arange(count), random.integers(1, 10, count))
            ease = random.beta(4, 1, count)[clusters]
            values = random.binomial(10, ease) / 10
            interval, method = mean_interval(values, seed=seed, draws=DRAWS, clusters=clusters)
            single, _ = mean_interval(values, seed=seed, draws=DRAWS)
            assert interval is not None
            assert single is not None
            shown.add(interval, truth, method)
            alone.add(single, truth, "alone")
        yield f"{'':20s} {count:5d}  {shown.row()}  {alone.row()}  {shown.used()}"


def of_shares(samples: int) -> Iterator[str]:
    yield "SHARES (Wilson)          n   shown  below above"
    for truth in (0.5, 0.9, 0.99):
        for n in QUERIES:
            random, shown = np.random.default_rng(n), Tally()
            for _ in range(samples):
                hits = int(random.binomial(n, truth))
                interval = wilson_interval(hits, n)
                assert interval is not None
                shown.add(interval, truth, "wilson")
            yield f"{truth:<20} {n:5d}  {shown.row()}"


def of_builds(samples: int) -> Iterator[str]:
    """Two settings of the same mean, the builds of which differ by 0.003 (sd) and each query by 0.02 between builds."""
    yield "BUILDS                builds, n  shown  below above"
    for builds in ((3, 3), (5, 5), (3, 1)):
        for n in QUERIES:
            random, shown = np.random.default_rng(n), Tally()
            for _ in range(samples):
                hardness, differing = random.normal(0.9, 0.1, n), random.normal(0, 0.05, n)
                first, second = (
                    hardness + own + random.normal(0, 0.003, (count, 1)) + random.normal(0, 0.02, (count, n))
                    for count, own in zip(builds, (0.0, differing), strict=True)
                )
                over_queries, over_builds, *freedoms = variance_of_difference(first, second)
                freedom = satterthwaite((over_queries, over_builds), (freedoms[0], freedoms[1]))
                interval = t_interval(float(second.mean() - first.mean()), over_queries + over_builds, freedom)
                shown.add(interval, 0.0, "t")
            yield f"{builds!s:20s} {n:5d}  {shown.row()}"


TABLES = {
    "mean": of_means,
    "difference": of_differences,
    "cluster": of_clusters,
    "share": of_shares,
    "build": of_builds,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=2_000)
    parser.add_argument("--only", choices=list(TABLES), nargs="*", default=list(TABLES))
    given = parser.parse_args()
    for name in given.only:
        for line in TABLES[name](given.samples):
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
