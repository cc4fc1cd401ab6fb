"""In which order a plan is measured: rounds over everything, each shuffled anew.

A machine that grows busier during a measurement then slows every setting alike, where otherwise it would slow those
that happened to come last. Every draw comes from the seed of the plan, each from a stream of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from truerecall.model.arrays import Integers

BUILD_DRAW, INSERTION_DRAW, VISIT_DRAW, QUERY_DRAW = 6, 7, 8, 9
LARGEST_SEED = 2**31


@dataclass(frozen=True)
class Visit:
    """One round's passes over one build: the place of the build, and the places of its points in their order."""

    repeat: int
    build: int
    points: tuple[int, ...]


def rounds(points: Sequence[int], repeats: int, seed: int) -> Iterator[Visit]:
    """``repeats`` rounds; ``points[b]`` is how many points build b has. In each round every build is visited once, and
    on a visit every point of it is measured once."""
    for repeat in range(repeats):
        draw = np.random.default_rng([seed, VISIT_DRAW, repeat])
        for build in draw.permutation(len(points)).tolist():
            yield Visit(repeat, build, tuple(draw.permutation(points[build]).tolist()))


def query_order(queries: int, seed: int, repeat: int) -> Integers:
    """The order in which a round asks the queries, the same for every build, point and mode of the round."""
    return np.random.default_rng([seed, QUERY_DRAW, repeat]).permutation(queries)


def build_seed(seed: int, number: int) -> int:
    """With what build ``number`` is seeded: the first with the seed of the plan itself."""
    return seed if number == 0 else int(np.random.default_rng([seed, BUILD_DRAW, number]).integers(LARGEST_SEED))


def insertion_order(rows: int, seed: int) -> Integers:
    """The order in which a build that is not the first takes the rows, from its own seed."""
    return np.random.default_rng([seed, INSERTION_DRAW]).permutation(rows)
