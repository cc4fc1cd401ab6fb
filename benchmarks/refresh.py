"""What it costs to bring a truth up to date, beside building it anew.

    python benchmarks/refresh.py                    0.1 %, 1 % and 10 % of 200,000 x 128 changed, 10,000 queries
    python benchmarks/refresh.py --rows 20000 --queries 1000 --rounds 1

A third of the changes are rows added, a third removed, a third rewritten. The pass that tells what changed is taken by
both and shown apart. Every refreshed truth is compared with the one that was built anew: their contents must be the
same. Both run in this process on the same vectors, in alternating rounds; the best of the rounds counts.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truerecall import machine
from truerecall.model.distance import distance_named
from truerecall.model.ids import as_ids
from truerecall.model.source import ArraySource
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.identify import identify
from truerecall.steps.refresh import Refreshed, refresh_truth
from truerecall.steps.truth import build_truth
from truerecall.store.truths import truth_artefact


@dataclass(frozen=True)
class Measured:
    """The best times of a build and of a refresh, in seconds, the identity pass apart, and what the refresh did."""

    build_s: float
    refresh_s: float
    identity_s: float
    done: Refreshed


def clustered(rows: int, dimensions: int, centres: NDArray[Any], rng: np.random.Generator) -> NDArray[Any]:
    """Unit vectors from Gaussian clusters."""
    x = centres[rng.integers(0, len(centres), rows)] + rng.standard_normal((rows, dimensions), dtype=np.float32)
    return np.asarray(x / np.linalg.norm(x, axis=1, keepdims=True), np.float32)


def changed(corpus: Corpus, share: float, centres: NDArray[Any], rng: np.random.Generator) -> Corpus:
    """The corpus with that share of its rows added, removed and rewritten, a third each."""
    x = corpus.source.take(np.arange(corpus.source.rows)).copy()
    each = max(1, round(share * len(x) / 3))
    touched = rng.permutation(len(x))
    rewritten, removed = touched[:each], touched[each : 2 * each]
    x[rewritten] = clustered(each, x.shape[1], centres, rng)
    kept = np.delete(np.arange(len(x)), removed)
    vectors = np.concatenate([x[kept], clustered(each, x.shape[1], centres, rng)])
    ids = np.concatenate([corpus.ids[kept], len(x) + np.arange(each)])
    return Corpus(ArraySource(vectors, "changed"), as_ids(ids, what="the changed corpus"))


def compared(truth: GroundTruth, corpus: Corpus, queries: QuerySet, k: int, rounds: int) -> Measured:
    """A build and a refresh in turn. Raises AssertionError where they differ in content."""
    builds, refreshes, passes = [], [], []
    for _ in range(rounds):
        after, done = refresh_truth(truth, corpus, queries)
        refreshes.append(done.seconds)
        passes.append(done.identity_s)
        sides = identify(corpus, queries, distance_named(truth.distance))
        start = time.perf_counter()
        again = build_truth(corpus, queries, truth.distance, k, identities=sides)
        builds.append(time.perf_counter() - start)
        assert truth_artefact(after).content_digest == truth_artefact(again).content_digest
    return Measured(min(builds), min(refreshes), min(passes), done)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("rows", 200_000), ("dimensions", 128), ("queries", 10_000), ("k", 10), ("rounds", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--distance", default="l2")
    parser.add_argument("--shares", default="0.001,0.01,0.1", help="shares of rows that change")
    flags = parser.parse_args()
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((200, flags.dimensions), dtype=np.float32)
    corpus = Corpus(
        ArraySource(clustered(flags.rows, flags.dimensions, centres, rng), "corpus"),
        as_ids(np.arange(flags.rows), what="the corpus"),
    )
    queries = QuerySet(clustered(flags.queries, flags.dimensions, centres, rng))
    truth = build_truth(corpus, queries, flags.distance, flags.k)
    print(machine.environment()["processor"])
    print(f"{flags.rows:,} x {flags.dimensions}, {flags.queries:,} queries, {flags.distance}, k = {flags.k}")
    print("changed   distance computations  of a build   scanned anew   refresh s  build s  of a build   identity s")
    for share in (float(text) for text in flags.shares.split(",")):
        now = changed(corpus, share, centres, rng)
        found = compared(truth, now, queries, flags.k, flags.rounds)
        done = found.done
        pairs, of_time = done.distance_computations / done.of_a_build, found.refresh_s / found.build_s
        print(
            f"{share:7.1%}  {done.distance_computations:22,} {pairs:11.2%} {done.rescanned:14,}"
            f" {found.refresh_s:11.2f} {found.build_s:8.2f} {of_time:11.1%} {found.identity_s:12.2f}"
        )


if __name__ == "__main__":
    main()
