"""How long exact neighbours take: ours, with its proof, beside what a user would pick instead.

    python benchmarks/truth.py                      the table and the cliffs (about ten minutes on two cores)
    python benchmarks/truth.py --dimensions 100,384 --rounds 3 --no-cliffs

All methods run in one process on the same vectors, in alternating rounds; the best of the rounds counts for each, and
the ratios are of those. Reading files and taking fingerprints is no part of any of the times. The rows that others
find are compared with ours. "ours base" is what an install without extras does; with numba, an integer product of
numkong or torch is measured where it is installed. Needs: pip install '.[bench]'.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from truerecall import machine
from truerecall.kernels.int8 import exact_products
from truerecall.model.distance import distance_named
from truerecall.model.progress import SILENT
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.scan import methods
from truerecall.scan.problem import Problem
from truerecall.steps.exact import exact_nearest

Vectors = NDArray[np.float32]
Lists = NDArray[np.int64]
ROWS, QUERIES, K = 200_000, 1_000, 100


@dataclass
class Times:
    """Seconds of each round, by name, and what each found last."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    found: dict[str, Lists] = field(default_factory=dict)

    def measure(self, name: str, work: Callable[[], Lists]) -> None:
        start = time.perf_counter()
        self.found[name] = work()
        self.seconds.setdefault(name, []).append(time.perf_counter() - start)

    def best(self, name: str) -> float:
        return min(self.seconds[name])


def clustered(rows: int, dimensions: int, queries: int, rng: np.random.Generator) -> tuple[Vectors, Vectors]:
    """Unit vectors from 200 Gaussian clusters, and queries from the same."""
    centres = rng.standard_normal((200, dimensions), dtype=np.float32)
    points = centres[rng.integers(0, 200, rows + queries)]
    points += 0.9 * rng.standard_normal(points.shape, dtype=np.float32)
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    return points[:rows], points[rows:]


def ours(x: Vectors, q: Vectors, distance: str, k: int) -> Lists:
    problem = Problem(Corpus(ArraySource(x)), QuerySet(q), distance_named(distance), k, None)
    found, _ = exact_nearest(problem, key="benchmark", memory_bytes=None, journal=None, progress=SILENT)
    return found.nearest.rows.reshape(len(q), k)


@contextmanager
def products_by(*libraries: str) -> Iterator[None]:
    """Only the integer products of these libraries are there; with none, what a base install has."""
    methods.exact_products = lambda: tuple(p for p in exact_products() if p.name in libraries)
    try:
        yield
    finally:
        methods.exact_products = exact_products


def faiss_knn(x: Vectors, q: Vectors, distance: str, k: int) -> Lists:
    geometry = faiss.METRIC_L2 if distance == "l2" else faiss.METRIC_INNER_PRODUCT
    return np.asarray(faiss.knn(q, x, k, metric=geometry)[1])


def numpy_partition(x: Vectors, q: Vectors, distance: str, k: int) -> Lists:
    """What people write: the expanded square or the product, a block of queries at a time, and argpartition."""
    found = np.empty((len(q), k), np.int64)
    squares = np.einsum("ij,ij->i", x, x) if distance == "l2" else np.float32(0)
    for start in range(0, len(q), 100):
        scores = squares - (2 if distance == "l2" else 1) * (q[start : start + 100] @ x.T)
        found[start : start + 100] = np.argpartition(scores, k, axis=1)[:, :k]
    return found


def sklearn_brute(x: Vectors, q: Vectors, distance: str, k: int) -> Lists:
    from sklearn.neighbors import NearestNeighbors

    return np.asarray(NearestNeighbors(n_neighbors=k, algorithm="brute").fit(x).kneighbors(q, return_distance=False))


def usearch_exact(x: Vectors, q: Vectors, distance: str, k: int) -> Lists:
    from usearch.index import MetricKind, search

    kind = MetricKind.L2sq if distance == "l2" else MetricKind.IP
    return np.asarray(search(x, q, k, kind, exact=True, threads=2).keys).astype(np.int64)


def bare_product(x: Vectors, q: Vectors) -> Lists:
    for start in range(0, len(x), 4096):
        q @ x[start : start + 4096].T
    return np.empty((0, 0), np.int64)


def table(dimensions: list[int], rounds: int) -> None:
    libraries = [name for name in ("numkong", "torch") if find_spec(name) and find_spec("numba")]
    print(
        f"\n{ROWS:,} rows, {QUERIES:,} queries, k = {K}; seconds, best of {rounds} rounds (x faiss: best over best)\n"
    )
    names = ["ours base", *(f"ours {name}" for name in libraries), "faiss.knn", "numpy", "usearch", "sklearn"]
    print("| d, distance | " + " | ".join([*names, "bare product", "ours base / product"]) + " |")
    print("|---" * (len(names) + 3) + "|")
    for d in dimensions:
        x, q = clustered(ROWS, d, QUERIES, np.random.default_rng(0))
        for distance in ("l2", "ip"):
            print(_row(f"{d} {distance}", _measured(x, q, distance, rounds, libraries), names), flush=True)


def _measured(x: Vectors, q: Vectors, distance: str, rounds: int, libraries: list[str]) -> Times:
    times = Times()
    for round_number in range(rounds):
        with products_by():
            times.measure("ours base", lambda: ours(x, q, distance, K))
        for name in libraries:
            with products_by(name):
                times.measure(f"ours {name}", lambda: ours(x, q, distance, K))
        times.measure("faiss.knn", lambda: faiss_knn(x, q, distance, K))
        times.measure("bare product", lambda: bare_product(x, q))
        if round_number == 0:  # far slower, or far from noise: once is enough
            times.measure("numpy", lambda: numpy_partition(x, q, distance, K))
            times.measure("usearch", lambda: usearch_exact(x, q, distance, K))
            if distance == "l2":
                times.measure("sklearn", lambda: sklearn_brute(x, q, distance, K))
    return times


def _row(label: str, times: Times, names: list[str]) -> str:
    right = [set(row) for row in times.found["ours base"].tolist()]
    baseline = times.best("faiss.knn")
    cells = []
    for name in names:
        if name not in times.seconds:
            cells.append("–")
            continue
        same = statistics.fmean(len(t & set(r)) / K for t, r in zip(right, times.found[name].tolist(), strict=True))
        wrong = "" if same == 1 else f", {1 - same:.2%} other rows"
        cells.append(f"{times.best(name):.2f} ({times.best(name) / baseline:.2f} x{wrong})")
    product = times.best("bare product")
    return "| " + " | ".join([label, *cells, f"{product:.2f}", f"{times.best('ours base') / product:.2f}"]) + " |"


def cliffs(rounds: int) -> None:
    """Inputs on which a method could fall off a cliff, at d = 128, l2."""
    print("\n| input | ours base s | ours fast s | faiss.knn s | ours base / faiss | ours fast / faiss |")
    print("|---|---|---|---|---|---|")
    x, q = clustered(ROWS, 128, QUERIES, np.random.default_rng(1))
    for label, make in CLIFFS.items():
        times = _cliff(*make(x.copy(), q.copy()), rounds)
        base = times.best("faiss")
        plain, fast = times.best("base"), times.best("fast")
        print(
            f"| {label} | {plain:.3f} | {fast:.3f} | {base:.3f} | {plain / base:.2f} | {fast / base:.2f} |",
            flush=True,
        )


def _cliff(x: Vectors, q: Vectors, k: int, rounds: int) -> Times:
    times = Times()
    for _ in range(rounds):
        with products_by():
            times.measure("base", lambda: ours(x, q, "l2", k))
        times.measure("fast", lambda: ours(x, q, "l2", k))
        times.measure("faiss", lambda: faiss_knn(x, q, "l2", k))
    return times


def _outlying_rows(x: Any, q: Any) -> tuple[Any, Any, int]:
    x[::1000] *= 1000
    return x, q, K


def _outlying_dimension(x: Any, q: Any) -> tuple[Any, Any, int]:
    x[:, 0] *= 30
    q[:, 0] *= 30
    return x, q, K


def _every_row_four_times(x: Any, q: Any) -> tuple[Any, Any, int]:
    return np.tile(x[: ROWS // 4], (4, 1)), q, K


def _one_row_many_times(x: Any, q: Any) -> tuple[Any, Any, int]:
    x[: ROWS // 4] = q[0]
    return x, q, K


CLIFFS: dict[str, Callable[[Any, Any], tuple[Any, Any, int]]] = {
    "plain": lambda x, q: (x, q, K),
    "200 rows 1,000 times as long": _outlying_rows,
    "one dimension 30 times as wide": _outlying_dimension,
    "every row four times": _every_row_four_times,
    "a quarter of the rows the same": _one_row_many_times,
    "far from the origin (+100)": lambda x, q: (x + np.float32(100), q + np.float32(100), K),
    "1 query": lambda x, q: (x, q[:1], K),
    "10 queries": lambda x, q: (x, q[:10], K),
    "k = 1": lambda x, q: (x, q, 1),
    "k = 1,000": lambda x, q: (x, q, 1000),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dimensions", default="100,384,768,1536")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-cliffs", action="store_true")
    arguments = parser.parse_args()
    about = machine.environment()
    print(f"{about['processor']}, {about['cores_usable']} cores; numpy {np.__version__}, faiss {faiss.__version__}")
    table([int(d) for d in arguments.dimensions.split(",")], arguments.rounds)
    if not arguments.no_cliffs:
        cliffs(max(2, arguments.rounds // 2))


if __name__ == "__main__":
    main()
