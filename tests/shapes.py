"""Small shapes to judge: of a corpus and of queries in which nothing is suspicious, but for what is changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from truerecall.model.shape import (
    Closeness,
    CorpusShape,
    Duplicates,
    Estimate,
    Faults,
    Hubs,
    Lengths,
    QueryShape,
    Shift,
    Structure,
)
from truerecall.model.vectors import Fingerprint

none = np.empty(0)


def estimate(value: float, half: float = 0.01, n: int = 1000) -> Estimate:
    return Estimate(value, n, (value - half, value + half), "bootstrap")


def sizes(*groups: int) -> Any:
    return np.array(groups, np.int64)


def corpus_shape(**changes: Any) -> CorpusShape:
    shape = CorpusShape(
        fingerprint=Fingerprint("c" * 32, 10_000, 16, "float32", "row"),
        name="corpus.npy",
        distance="l2",
        geometry="l2",
        k=10,
        dimensions=16,
        usable=10_000,
        faults=Faults(10_000, {}, {}, zeros_undefined=False),
        duplicates=Duplicates(10_000, sizes()),
        constant=(),
        spread=np.linspace(0.5, 1.5, 16),
        lengths=Lengths(np.linspace(1.0, 2.0, 50), False, False, estimate(0.5)),
        closeness=Closeness(10, 10_000, np.ones(20), np.linspace(1, 2, 20), np.linspace(3, 4, 20), estimate(1.5)),
        local=np.linspace(5, 20, 50),
        local_depth=100,
        dimension=estimate(12.0),
        ties=Estimate(0.0, 1000, (0.0, 0.004), "wilson"),
        hubs=Hubs(10, np.arange(1000) % 20, estimate(1.0), estimate(0.05)),
        structure=Structure(10, 10_000, np.linspace(1, 2, 20), np.linspace(2, 3, 20), estimate(0.7)),
    )
    return replace(shape, **changes)


def query_shape(**changes: Any) -> QueryShape:
    shape = QueryShape(
        name="queries.npy",
        n=100,
        inspected=100,
        faults=Faults(100, {}, {}, zeros_undefined=False),
        copies=np.zeros(100, np.int64),
        repeats=Duplicates(100, sizes()),
        near=Estimate(0.0, 100),
        apart=np.linspace(0.5, 2.5, 100),
        closeness=Closeness(10, 10_000, np.ones(20), np.linspace(1, 2, 20), np.linspace(3, 4, 20), estimate(1.5)),
        shift=Shift(estimate(1.0), estimate(1.0), estimate(0.5), np.linspace(3, 5, 50), np.linspace(3, 5, 50)),
    )
    return replace(shape, **changes)
