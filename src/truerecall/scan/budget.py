"""How much memory a scan needs, and how it is cut so that it fits.

Counted is what the process takes beyond one that has only imported truerecall: libraries that load on first use, the
queries and results, the arrays of one group of queries, and those of the blocks in work. Numbers of bytes are upper
bounds of what the arrays in the code take; a test measures the whole.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from truerecall.errors import InputError
from truerecall.scan.finish import GATHERED_BYTES
from truerecall.scan.problem import BLOCK_ROWS, TILE_QUERIES, Problem
from truerecall.scan.proposals import most_held_per_query
from truerecall.scan.proposing import SAMPLE_ROWS
from truerecall.scan.scratch import BLOCKS_IN_WORK

LIBRARY_BYTES = 112 << 20
"""For libraries that load on first use, and what their allocators keep."""

COMPILED_BYTES = 120 << 20
"""On top of it, for the compiled kernels and the library of the int8 product."""

RESULT_BYTES = 96
NAMED_RESULT_BYTES = 440
"""A neighbour that was found, while the truth is put together, written and read again; and one with a string as its id,
of the length of a UUID."""

ID_BYTES = {"row": 0, "int64": 48, "uint64": 48, "string": 220}
"""For each row of the corpus, while its ids are read, told apart and ranked."""

FEWEST_ROWS = 64
FEWEST_LISTED = 200
"""Blocks of fewer rows for each neighbour that is wanted spend their time on making lists."""

FAISS_BYTES = 80 << 20
"""For the library, and what it works in."""

LISTED_WORK = 2 * 10**11
"""Multiplications for a block of a shortlist: a few seconds, which is what an interruption loses."""

PAIR_BYTES = 24
ARRAYS_OF_PAIRS = 4
"""A sort of pairs holds them in about this many copies."""


@dataclass(frozen=True)
class Budget:
    """``problem`` with blocks and tiles that fit, to be solved for ``group`` queries at a time.

    ``listed_rows``: how many rows a block may have for a shortlist, 0 where too few for that to be fast.
    """

    problem: Problem
    group: int
    bytes: int
    listed_rows: int


def within(problem: Problem, memory_bytes: int, reserved_bytes: int = 0) -> Budget:
    """The problem cut to fit, beside what is ``reserved`` for others. Raises InputError, with the minimum, where it
    cannot."""
    needed = reserved_bytes + _resident(problem) + _per_query(problem) + _per_row(problem, 1) * FEWEST_ROWS
    if needed > memory_bytes:
        least = -(-needed // (1 << 20))
        raise InputError(
            f"a memory budget of {memory_bytes / (1 << 20):.0f} MiB is too small for {len(problem.queries)} queries"
            f" of {problem.queries.dimensions} dimensions and k = {problem.k}",
            f"give at least --memory {least}MiB",
        )
    spare = memory_bytes - reserved_bytes - _resident(problem)
    if problem.method == "fastest" and spare < 4 * COMPILED_BYTES:
        problem = replace(problem, method="float32")
    elif problem.method != "float32":
        spare -= COMPILED_BYTES
    # Half for the queries of a group, and what they leave for blocks.
    group = max(1, min(len(problem.queries), spare // 2 // _per_query(problem)))
    spare -= group * _per_query(problem)
    tile = min(group, TILE_QUERIES)
    block_rows = int(max(FEWEST_ROWS, min(problem.block_rows, spare // _per_row(problem, tile))))
    listed_rows = _listed_rows(problem, group, spare)
    return Budget(replace(problem, block_rows=block_rows), int(group), memory_bytes, listed_rows)


def _listed_rows(problem: Problem, group: int, spare: int) -> int:
    """The rows of a block for a shortlist; where the caller asked for small blocks, those."""
    source = problem.corpus.source
    fitting = max(0, spare - FAISS_BYTES) // 2 // (source.dimensions * source.dtype.itemsize + 16)
    rows = int(min(source.rows, fitting, LISTED_WORK // (group * source.dimensions)))
    if problem.block_rows != BLOCK_ROWS:
        return min(rows, problem.block_rows)
    return rows if rows >= min(source.rows, FEWEST_LISTED * problem.k) else 0


def _resident(problem: Problem) -> int:
    """What is there all the time: libraries, queries, results, ids and masks, the sample, buffers of the finish."""
    queries, source = problem.queries, problem.corpus.source
    width = _width(problem)
    named = problem.corpus.id_kind == "string"
    results = len(queries) * (problem.k * (NAMED_RESULT_BYTES if named else RESULT_BYTES) + 128)
    per_row = ID_BYTES[problem.corpus.id_kind] + (0 if problem.eligibility.rows is None else 9)
    sample = min(SAMPLE_ROWS[1], source.rows) * (width * 24 + 64)
    gathering = problem.workers * 3 * GATHERED_BYTES
    return LIBRARY_BYTES + queries.vectors.nbytes + results + source.rows * per_row + sample + gathering


def _per_query(problem: Problem) -> int:
    """What a query of the group in work takes: its forms, and its proposed pairs."""
    return 28 * _width(problem) + ARRAYS_OF_PAIRS * PAIR_BYTES * most_held_per_query(problem.k) + 1024


def _per_row(problem: Problem, tile: int) -> int:
    """What a row of a block takes: as read, as it enters (in all blocks alive), and its numbers with a tile."""
    source = problem.corpus.source
    return (
        source.dimensions * source.dtype.itemsize
        + (10 + 6 * (BLOCKS_IN_WORK + 1)) * _width(problem)
        + problem.workers * tile * 10
        + 64
    )


def _width(problem: Problem) -> int:
    """The number of values of a vector as it enters the sum: bits are unpacked, eight from each byte."""
    return problem.corpus.source.dimensions * (8 if problem.distance.name == "hamming" else 1)
