"""What the thresholds of the checks on vectors stand on, and how long an inspection takes.

python benchmarks/shape.py shapes    # shape beside the recall of one HNSW graph, on random and real vectors
python benchmarks/shape.py shift     # queries that are moved away, beside what a graph finds for them
python benchmarks/shape.py time      # an inspection of 1,000,000 x 128 clustered vectors with 1,000 queries
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import faiss
import numpy as np

from truerecall import ArraySource, Corpus, QuerySet, open_corpus, open_queries
from truerecall.kernels.shape import occurrences
from truerecall.model.arrays import Vectors
from truerecall.steps.inspect import inspect

ROWS = 20_000
WORDNET = Path(__file__).parents[1] / "src" / "truerecall" / "cli" / "wordnet"


def unit(vectors: Vectors) -> Vectors:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def families(random: np.random.Generator) -> Iterator[tuple[str, Vectors]]:
    """Vectors by name: real ones first, then random ones of rising dimension, then random ones with a structure."""
    yield "definitions 128", np.load(WORDNET / "corpus.npy")
    for d in (2, 8, 16, 32, 64, 128, 384):
        yield f"uniform {d}", random.random((ROWS, d))
    for d in (16, 32, 64, 128):
        yield f"Gaussian {d}", random.standard_normal((ROWS, d))
    for d in (16, 128):
        yield f"sphere {d}", unit(random.standard_normal((ROWS, d)))
    for d in (32, 128):
        yield f"log-normal {d}", np.exp(random.standard_normal((ROWS, d)))
    for r in (8, 16, 32):
        yield f"{r} of 128", random.standard_normal((ROWS, r)) @ random.standard_normal((r, 128))
    for centres in (100, 1_000):
        middle = random.standard_normal((centres, 128))[random.integers(centres, size=ROWS)]
        yield f"{centres} clusters 128", middle + 0.5 * random.standard_normal((ROWS, 128))


def graph_over(rows: Vectors, effort: int) -> Any:
    graph = faiss.IndexHNSWFlat(rows.shape[1], 16)
    graph.hnsw.efConstruction, graph.hnsw.efSearch = 80, effort
    graph.add(rows)
    return graph


def found_by(graph: Any, rows: Vectors, queries: Vectors, k: int = 10) -> tuple[Any, Any]:
    """The true neighbours of held-out queries, and which of them the graph found."""
    truth = faiss.knn(queries, rows, k)[1]
    answers = graph.search(queries, k)[1]
    return truth, np.array([np.isin(true, got) for true, got in zip(truth, answers, strict=True)])


def shapes() -> None:
    random = np.random.default_rng(0)
    heads = ("LID", "contrast", "skewness", "absent", "structure", "recall", "rare")
    print("".join([f"{'vectors':20}", *(f"{head:>10}" for head in heads)]))
    for name, vectors in families(random):
        vectors = np.ascontiguousarray(vectors, np.float32)
        shape = inspect(Corpus(ArraySource(vectors))).corpus
        order = random.permutation(len(vectors))
        queries, rows = vectors[order[:1_000]], vectors[order[1_000:]]
        counts = occurrences(faiss.knn(rows, rows, 11)[1][:, 1:], len(rows))
        truth, found = found_by(graph_over(rows, 32), rows, queries)
        rare = counts[truth] <= 2
        estimates = (
            shape.dimension, shape.closeness.contrast, shape.hubs.skewness, shape.hubs.absent, shape.structure.ratio
        )  # fmt: skip
        values = [*(one.value for one in estimates), found.mean(), found[rare].mean() if rare.any() else np.nan]
        print("".join([f"{name:20}", *(f"{value:10.3f}" for value in values)]), flush=True)


def shift() -> None:
    random = np.random.default_rng(0)
    rows, queries = (np.load(WORDNET / f"{side}.npy").astype(np.float32) for side in ("corpus", "queries"))
    way, noise = unit(random.standard_normal((1, 128))), unit(random.standard_normal(queries.shape))
    moved = {"as they are": queries}
    moved |= {f"moved one way by {far}": unit(queries + far * way) for far in (0.1, 0.25, 0.5, 1.0)}
    moved |= {f"moved each its way by {far}": unit(queries + far * noise) for far in (0.25, 0.5, 1.0, 2.0)}
    order = random.permutation(len(rows))
    held, kept = rows[order[:1_000]], rows[order[1_000:]]
    graph = graph_over(kept, 20)
    of_held = found_by(graph, kept, held)[1].mean()
    print(f"recall@10 of held-out rows {of_held:.3f}")
    for name, asked in moved.items():
        asked = np.ascontiguousarray(asked, np.float32)
        found = inspect(Corpus(ArraySource(rows)), QuerySet(asked), "cosine").queries
        assert found is not None
        ratios = (found.shift.mahalanobis, found.shift.nearest, found.shift.area)
        told = "  ".join("left out" if one.value is None else f"{one.value:.3f}" for one in ratios)
        print(f"{name:28} {told}  recall@10 {found_by(graph, kept, asked)[1].mean():.3f}", flush=True)


def timed() -> None:
    random = np.random.default_rng(0)
    centres = random.standard_normal((1_000, 128)).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        base, asked = Path(folder) / "base.npy", Path(folder) / "queries.npy"
        for path, n in ((base, 1_000_000), (asked, 1_000)):
            out = np.lib.format.open_memmap(path, "w+", np.float32, (n, 128))
            for start in range(0, n, 50_000):
                part = out[start : start + 50_000]
                part[:] = centres[random.integers(1_000, size=len(part))]
                part += 0.7 * random.standard_normal(part.shape, dtype=np.float32)
            out.flush()
        begun = time.perf_counter()
        found = inspect(open_corpus(base), open_queries(asked), "l2")
        seconds = time.perf_counter() - begun
    print(f"{seconds:.1f} s on {len(os.sched_getaffinity(0))} cores; {'; '.join(found.sampled)}")


if __name__ == "__main__":
    asked_for = sys.argv[1] if len(sys.argv) == 2 else ""
    chosen = {"shapes": shapes, "shift": shift, "time": timed}.get(asked_for)
    if chosen is None:
        sys.exit(__doc__)
    chosen()
