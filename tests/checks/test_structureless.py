"""structureless: dimensions that have nothing to do with each other."""

from __future__ import annotations

import numpy as np
import pytest

from tests.shapes import corpus_shape, estimate
from truerecall.checks.structureless import check
from truerecall.model.arrays import Vectors
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding
from truerecall.model.shape import CorpusShape, Estimate, Structure, undefined
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus
from truerecall.steps.inspect import inspect


def case(ratio: Estimate, k: int = 10, n: int = 10_000) -> dict[str, CorpusShape]:
    return {"corpus_shape": corpus_shape(structure=Structure(k, n, np.ones(3), np.ones(3), ratio))}


FIRES = {"random": case(estimate(1.0))}
STAYS_QUIET = {"as real vectors have": case(estimate(0.88)), "not surely random": case(estimate(0.955))}
RANDOM = np.random.default_rng(0)
CENTRES = np.repeat(RANDOM.standard_normal((30, 16)), 50, axis=0)


def test_it_warns_that_recall_says_nothing_about_real_vectors() -> None:
    finding = check.examine(**FIRES["random"])
    assert isinstance(finding, Finding)
    assert finding.severity == "warning"
    assert "neighbours lie as near as in shuffled vectors (ratio 1.00 at 1,000 rows)" in finding.message


def test_it_cannot_tell_in_one_dimension_from_few_rows_or_without_a_distance() -> None:
    assert isinstance(check.examine(corpus_shape(dimensions=1)), CannotTell)
    assert isinstance(check.examine(**case(estimate(1.0), n=999)), CannotTell)
    assert isinstance(check.examine(**case(undefined("no distance"))), CannotTell)


@pytest.mark.parametrize(
    ("distance", "vectors", "fires"),
    [
        ("l2", RANDOM.random((1500, 6)), True),
        ("l1", RANDOM.standard_normal((1500, 40)), True),
        ("cosine", RANDOM.standard_normal((1500, 16)), True),
        ("hamming", RANDOM.integers(0, 256, (1500, 16), np.uint8), True),
        ("l2", RANDOM.integers(-128, 128, (1500, 12)).astype(np.int8), True),
        ("l2", RANDOM.standard_normal((1500, 4)) @ RANDOM.standard_normal((4, 40)), False),
        (
            "cosine",
            CENTRES + 0.3 * RANDOM.standard_normal((1500, 16)),
            False,
        ),
    ],
)
def test_random_vectors_are_told_from_others(distance: str, vectors: Vectors, *, fires: bool) -> None:
    found = inspect(Corpus(ArraySource(vectors)), distance=distance)
    assert ("structureless" in {finding.code for finding in found.findings}) is fires
