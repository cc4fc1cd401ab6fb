"""Strata by k-means: plain groups are found, and the seed alone decides."""

from __future__ import annotations

import numpy as np

from truerecall.kernels.clusters import learn_centres, nearest_centres


def test_three_heaps_are_three_clusters() -> None:
    random = np.random.default_rng(0)
    heaps = np.array([[0, 0], [50, 0], [0, 50]], np.float32)
    member = np.repeat([0, 1, 2], [600, 60, 6])
    rows = heaps[member] + random.normal(size=(666, 2)).astype(np.float32)
    centres = learn_centres(rows, 3, seed=1)
    own = nearest_centres(rows, centres)
    assert [len(set(own[member == heap].tolist())) for heap in range(3)] == [1, 1, 1]
    assert len(set(own.tolist())) == 3


def test_the_same_seed_gives_the_same_centres_and_another_seed_others() -> None:
    rows = np.random.default_rng(0).normal(size=(2000, 8)).astype(np.float32)
    first, again, other = (learn_centres(rows, 7, seed) for seed in (3, 3, 4))
    assert (first == again).all()
    assert not (first == other).all()


def test_a_row_between_two_centres_goes_to_the_first() -> None:
    centres = np.array([[0], [2]], np.float32)
    assert nearest_centres(np.array([[1], [1.5], [-9]], np.float32), centres).tolist() == [0, 1, 0]
