"""Sign flips against plain enumeration, what they can show at best, and Holm by hand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test

from truerecall.kernels.randomisation import FLIPS, holm, sign_flip_p, smallest_p


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([-0.3, -0.1, 0.0, 0.1, 0.2]), min_size=1, max_size=8))
def test_exact_is_the_share_of_all_assignments(differences: list[float]) -> None:
    sums = [
        sum(s * d for s, d in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]
    expected = float(np.mean(np.abs(sums) >= abs(sum(differences)) - 1e-9))
    found, how = sign_flip_p(np.array(differences), seed=0)
    assert found == pytest.approx(expected)
    assert how == "exact"


def test_sampled_agrees_with_scipy_and_is_never_zero() -> None:
    differences = np.random.default_rng(2).normal(0.03, 0.1, 60)
    found, how = sign_flip_p(differences, seed=0)
    twin = permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(1)
    ).pvalue
    assert how == "sampled"
    assert found == pytest.approx(twin, abs=0.01)
    assert sign_flip_p(np.full(100, 0.1), seed=0) == (1 / (FLIPS + 1), "sampled")
    assert sign_flip_p(differences, seed=0) == (found, how)
    assert sign_flip_p(differences, seed=5)[0] != found


def test_nothing_differs() -> None:
    assert sign_flip_p(np.zeros(5), seed=0) == (1.0, "exact")


def test_what_a_test_can_show_at_best() -> None:
    assert [smallest_p(n) for n in (0, 1, 5, 6)] == [1.0, 1.0, 0.0625, 0.03125]
    assert smallest_p(10_000) == 1 / (FLIPS + 1)
    assert sign_flip_p(np.full(6, 0.1), seed=0)[0] == smallest_p(6)


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []
