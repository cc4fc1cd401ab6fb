"""Which way of proposing pairs is the fastest here, of those that are right here."""

from __future__ import annotations

from importlib.util import find_spec

from truerecall.errors import MissingExtra
from truerecall.kernels.candidates import Entered, Geometry
from truerecall.kernels.int8 import ExactProduct, exact_products
from truerecall.scan.float32 import Float32, Proposer
from truerecall.scan.problem import Problem

WORTH_COMPILING = 2e10
"""Multiplications below which loading compiled kernels costs more than they save."""

FEWEST_QUERIES = 64
"""With fewer queries the time goes into reading the corpus, and quantising it would not pay."""


def proposer_for(problem: Problem, geometry: Geometry, queries: Entered, sample: Entered) -> Proposer:
    """The proposer for this problem. An integer product is taken only after it has passed a test on this machine."""
    plain = Float32(geometry, queries)
    if problem.method == "float32" or geometry.distance == "l1":
        return plain
    if problem.method != "int8" and not compiled_pays(problem):
        return plain
    product = _product(problem, len(geometry.centre)) if find_spec("numba") is not None else None
    if product is None:
        if problem.method == "int8":
            raise MissingExtra("numba, or an int8 product that is right on this processor,", "fast")
        return plain
    from truerecall.scan.int8 import Int8

    return Int8(geometry, queries, sample, product, plain)


def compiled_pays(problem: Problem) -> bool:
    """Whether the compiled kernels are there and there is enough work for them."""
    work = len(problem.queries) * float(problem.corpus.source.rows) * problem.queries.dimensions
    enough = work >= WORTH_COMPILING and len(problem.queries) >= FEWEST_QUERIES
    return enough and find_spec("numba") is not None and bool(exact_products())


def _product(problem: Problem, dimensions: int) -> ExactProduct | None:
    largest_tile = max(tile.stop - tile.start for tile in problem.tiles())
    for product in exact_products():
        if product.passes(largest_tile, problem.block_rows, dimensions):
            return product
    return None
