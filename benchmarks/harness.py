"""What measuring adds to a search: the loop of ``run`` beside a bare one, in one process, alternating.

    python benchmarks/harness.py [--microseconds 50] [--calls 2000] [--rounds 15]

The bare loop reads the same clock around each call into a preallocated array. The search is that of a flat FAISS index
with as many rows as make it take about so long. The order of the two loops changes from round to round; shown are the
medians over the calls of each, and the median over rounds of their ratio. Law: at most 1.02 for one by one.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable
from time import perf_counter

import faiss
import numpy as np
from threadpoolctl import threadpool_limits

from truerecall.engines.faiss import engine
from truerecall.model.arrays import Vectors
from truerecall.model.engine import Index
from truerecall.model.mode import Mode
from truerecall.model.progress import SILENT
from truerecall.model.source import ArraySource
from truerecall.steps.asking import Sheet, ask
from truerecall.steps.one_pass import ask_every_query

DIMENSIONS, K = 64, 10


def flat_index(rows: int) -> Index:
    vectors = np.random.default_rng(0).standard_normal((rows, DIMENSIONS)).astype(np.float32)
    return engine.build(ArraySource(vectors), "l2", {"factory": "Flat"}, seed=0, threads=1)


def index_of(microseconds: float, queries: Vectors) -> tuple[Index, int]:
    """A flat index that answers in about so many microseconds, and its rows."""
    rows = 1000
    for _ in range(6):
        index = flat_index(rows)
        took = 1e6 * float(np.median(bare(index, queries)))
        if 0.97 < took / microseconds < 1.03:
            break
        rows = max(10, int(rows * microseconds / took))
    return index, rows


def bare(index: Index, queries: Vectors) -> Vectors:
    took = np.empty(len(queries))
    asked = [queries[i : i + 1] for i in range(len(queries))]
    search = index.search
    for i, query in enumerate(asked):
        start = perf_counter()
        search(query, K)
        took[i] = perf_counter() - start
    return took


def ours(index: Index, queries: Vectors) -> Vectors:
    sheet = Sheet.of(len(queries))
    ask(index.search, [queries[i : i + 1] for i in range(len(queries))], K, sheet, 0)
    return np.array(sheet.ended) - np.array(sheet.began)


def alternating(index: Index, queries: Vectors, rounds: int) -> tuple[float, float, float]:
    """The medians of the bare loop and of ours, and the median ratio of the two over rounds."""
    pair: list[tuple[Callable[[Index, Vectors], Vectors], list[Vectors]]] = [(bare, []), (ours, [])]
    for turn in range(rounds):
        for loop, kept in pair if turn % 2 else pair[::-1]:
            kept.append(loop(index, queries))
    first, second = (np.array(kept) for _, kept in pair)
    ratios = np.median(second, axis=1) / np.median(first, axis=1)
    return float(np.median(first)), float(np.median(second)), float(np.median(ratios))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--microseconds", type=float, default=50.0)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    queries = np.random.default_rng(1).standard_normal((given.calls, DIMENSIONS)).astype(np.float32)
    gc.disable()
    with threadpool_limits(1):
        index, rows = index_of(given.microseconds, queries)
        first, second, ratio = alternating(index, queries, given.rounds)
        print(f"FAISS {faiss.__version__}, flat, {rows:,} rows of {DIMENSIONS} dimensions, k={K}, one thread")
        print(f"one by one: bare {1e6 * first:.2f} us, ours {1e6 * second:.2f} us, ratio {ratio:.4f} (law: 1.02)")
        order = np.random.default_rng(2).permutation(given.calls)
        for mode in (Mode(), Mode("batch", 16), Mode("clients", 2), Mode("clients", 4)):
            asked = ask_every_query(index, queries, K, order=order, mode=mode, warmup=100, progress=SILENT)
            median = float(np.median(asked.latency_s))
            share = 100 * asked.harness_s / median
            rate = given.calls / asked.wall_s
            print(
                f"{mode!s:>12}: an empty call {1e6 * asked.harness_s:.2f} us, a search {1e6 * median:.1f} us"
                f" ({share:.2f} %), {rate:,.0f} queries/s"
            )


if __name__ == "__main__":
    main()
