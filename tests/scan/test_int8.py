"""The int8 filter: no pair is passed over whose float32 number reaches its threshold, however small the numbers are."""

from __future__ import annotations

import numpy as np
import pytest

from truerecall.kernels.candidates import Geometry
from truerecall.kernels.int8 import exact_products
from truerecall.scan.float32 import Float32

pytest.importorskip("numba")


@pytest.mark.parametrize("size", [1.0, 1e-12, 1e-19, 1e-21, 3e-22])
@pytest.mark.parametrize("asking", [1.0, 1e-18])
@pytest.mark.parametrize("distance", ["l2", "ip"])
def test_the_filter_passes_every_pair_that_reaches_its_threshold(distance: str, size: float, asking: float) -> None:
    from truerecall.scan.int8 import Int8

    products = [product for product in exact_products() if product.passes(8, 300, 12)]
    if not products:
        pytest.skip("no int8 product is right here")
    rng = np.random.default_rng(4)
    x = (rng.standard_normal((300, 12)) * size).astype(np.float32)
    q = (rng.choice([-1.0, 1.0], (8, 12)) * asking).astype(np.float32)  # their int8 form leaves no rest
    geometry = Geometry.around(distance, x, q)
    queries, sample = geometry.queries(q), geometry.rows(x)
    numbers = queries.vectors.astype(np.float64) @ sample.vectors.T.astype(np.float64)
    off = 1e-6 * queries.lengths[:, None] * sample.lengths + 1e-44
    thresholds = np.sort(numbers, axis=1)[:, -20].astype(np.float32)
    scan = Int8(geometry, queries, sample, products[0], Float32(geometry, queries))
    found = scan.propose(slice(0, len(q)), scan.enter(x), thresholds)
    proposed = np.zeros(numbers.shape, np.bool_)
    proposed[found.queries, found.rows] = True
    assert proposed[numbers >= thresholds[:, None] + off].all()
    assert not proposed[numbers < thresholds[:, None] - off].any()
