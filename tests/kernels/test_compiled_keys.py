"""The compiled keys have the bits of NumPy's, at every length where the order of its sums changes."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from truerecall.kernels import distances

compiled_keys = pytest.importorskip("truerecall.kernels.compiled_keys", exc_type=ImportError)

LENGTHS = [*range(1, 18), 100, *range(126, 138), 255, 256, 257, 264, 384, 768, 1000, 1537, 5000]
KINDS = ("float32", "float64", "int8", "uint8", "float16")


def drawn(kind: str, rows: int, dimensions: int, rng: np.random.Generator) -> NDArray[np.generic]:
    wide = rng.standard_normal((rows, dimensions)) * 10.0 ** rng.integers(-4, 2, (1, dimensions))
    return (np.abs(wide) + 1 if kind == "uint8" else wide + np.copysign(1, wide)).astype(kind)


@pytest.mark.parametrize("distance", ["l2", "ip", "cosine", "l1"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_bits_are_those_of_numpy(distance: str, kind: str) -> None:
    rng = np.random.default_rng(5)
    for dimensions in LENGTHS:
        queries = drawn("float32" if kind == "float16" else kind, 5, dimensions, rng)
        rows = drawn(kind, 40, dimensions, rng)
        asking = rng.integers(0, 5, 40)
        ours = compiled_keys.order_keys(distance, queries, rows, asking=asking)
        assert ours.tobytes() == distances.order_keys(distance, queries, rows, asking=asking).tobytes()


def test_what_numpy_sums_otherwise_is_left_to_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    queries, rows = drawn("float32", 3, 200, rng), drawn("float32", 9, 200, rng)
    asking = rng.integers(0, 3, 9)
    right = distances.order_keys("ip", queries, rows, asking=asking)
    compiled_keys._is_right.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(compiled_keys, "_leaves", lambda dimensions: (np.array([[dimensions, 0]]), 1))
        assert not compiled_keys._is_right("ip", "float32", "float32", 200)
        assert compiled_keys.order_keys("ip", queries, rows, asking=asking).tobytes() == right.tobytes()
    compiled_keys._is_right.cache_clear()


def test_zeros_keep_their_sign() -> None:
    queries = np.array([[-1.0] * 9, [1.0] * 9], np.float32)
    rows = np.array([[0.0] * 9, [-0.0] * 9, [0.0] * 9, [-0.0] * 9], np.float32)
    asking = np.array([0, 0, 1, 1])
    ours = compiled_keys.order_keys("ip", queries, rows, asking=asking)
    assert ours.tobytes() == distances.order_keys("ip", queries, rows, asking=asking).tobytes()
