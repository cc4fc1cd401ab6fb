"""Products of int8 matrices with int32 sums, from whichever library is installed and right.

Without the right instructions one library's product saturates in silence: sums of 127 times 127 come out wrong. So
no product is trusted from what a processor says of itself. Each is tested at the shape in which it will be used, with
the extremes in all signs, and again with the second operand limited to half the range, where that library is right.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.int8]
Sums = NDArray[np.int32]
LARGEST = 127
MOST_DIMENSIONS = (2**31 - 1) // LARGEST**2
"""Beyond this an int32 sum could overflow."""


class _Provider(Protocol):
    def pack(self, rows: Bytes) -> Any: ...
    def product(self, queries: Bytes, packed: Any, out: Sums) -> Sums: ...


@dataclass(frozen=True, eq=False)
class ExactProduct:
    """``product(queries, pack(rows), out)`` fills ``out``, shape (queries, rows). Values of rows stay within
    ``row_limit``."""

    name: str
    provider: _Provider
    row_limit: int = LARGEST

    def pack(self, rows: Bytes) -> Any:
        """The rows in the form that the product wants; shape (rows, dimensions)."""
        return self.provider.pack(rows)

    def product(self, queries: Bytes, packed: Any, out: Sums) -> Sums:
        return self.provider.product(queries, packed, out)

    def passes(self, queries: int, rows: int, dimensions: int) -> bool:
        """Whether the sums are right at this shape for extreme values in all signs and for random extremes."""
        return dimensions <= MOST_DIMENSIONS and _is_right(self, queries, rows, dimensions)


@cache
def exact_products() -> tuple[ExactProduct, ...]:
    """The products that could be used, the fastest first, each with the full range and then with half of it."""
    found: list[ExactProduct] = []
    for module, library in (("torch", _Torch), ("numkong", _NumKong)):
        if find_spec(module) is not None:
            full = ExactProduct(module, library())
            found += [full, replace(full, row_limit=LARGEST // 2 + 1)]
    return tuple(found)


@cache
def _is_right(product: ExactProduct, queries: int, rows: int, dimensions: int) -> bool:
    random = np.random.default_rng(0)
    extremes = np.array([-LARGEST, LARGEST], np.int8)
    q = random.choice(extremes, (queries, dimensions))
    x = random.choice(np.array([-product.row_limit, product.row_limit], np.int8), (rows, dimensions))
    for sign, row in ((1, 0), (-1, 1)):
        q[row % queries], x[row % rows] = sign * LARGEST, sign * product.row_limit
    probe = min(rows, 64)
    right = q.astype(np.float64) @ x[:probe].astype(np.float64).T
    sums = product.product(q, product.pack(x), np.empty((queries, rows), np.int32))
    return bool((sums[:, :probe] == right).all())


class _Torch:
    """``torch._int_mm`` on one thread; the number of threads is each thread's own and put back after each call."""

    def __init__(self) -> None:
        import torch

        self._torch = torch

    def pack(self, rows: Bytes) -> Any:
        return self._torch.from_numpy(rows).T

    def product(self, queries: Bytes, packed: Any, out: Sums) -> Sums:
        before = self._torch.get_num_threads()
        self._torch.set_num_threads(1)
        try:
            self._torch._int_mm(self._torch.from_numpy(queries), packed, out=self._torch.from_numpy(out))
        finally:
            self._torch.set_num_threads(before)
        return out


class _NumKong:
    def __init__(self) -> None:
        import numkong

        self._numkong = numkong

    def pack(self, rows: Bytes) -> Any:
        return self._numkong.dots_pack(rows, dtype="int8")

    def product(self, queries: Bytes, packed: Any, out: Sums) -> Sums:
        self._numkong.dots_packed(queries, packed, out=self._numkong.from_dlpack(out))
        return out
