"""Build the ground truth: exact neighbours by a full scan, with a proof for every query.

A float32 scan proposes candidates and says how far it can be off (kernels/candidates.py); the candidates' keys are
recomputed in float64 from the vectors as stored, and those alone decide. A query whose bound does not separate its
cut from the rows that were not proposed is scanned again, every row in float64. So the content is the same for every
block size and number of threads; only the effort, which is provenance, differs.
"""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from truerecall import __version__
from truerecall.errors import StaleTruth
from truerecall.model.distance import Distance, distance_named
from truerecall.model.ids import tie_ranks
from truerecall.model.neighbors import Neighbors
from truerecall.model.progress import SILENT, Progress
from truerecall.model.truth import PROVED, GroundTruth
from truerecall.model.vectors import Corpus, QuerySet, demand_fit
from truerecall.scan.direct import scan_direct
from truerecall.scan.problem import BLOCK_ROWS, Problem, block_rows_within
from truerecall.scan.proposing import scan_proposing
from truerecall.steps.identify import Identity, copies_of, identify_corpus, identify_queries
from truerecall.store.artefact import artefacts_in
from truerecall.store.truths import load_truth, save_truth


def build_truth(
    corpus: Corpus,
    queries: QuerySet,
    distance: str,
    k: int,
    *,
    identities: tuple[Identity, Identity] | None = None,
    block_rows: int = BLOCK_ROWS,
    memory_bytes: int | None = None,
    threads: int | None = None,
    progress: Progress = SILENT,
) -> GroundTruth:
    """The exact k nearest rows of every query.

    ``identities`` of corpus and queries, where they are known already. ``memory_bytes`` bounds the working arrays of
    a block. Raises InputError for k larger than the corpus, for dimensions that differ, and for vectors that the
    distance is not defined for.
    """
    geometry = distance_named(distance)
    demand_fit(corpus, queries, k)
    began = time.perf_counter()
    known, asked = identities or identify(corpus, queries, geometry, progress=progress)
    problem = Problem(corpus, queries, geometry, k, tie_ranks(corpus.given_ids), block_rows, threads)
    if memory_bytes is not None:
        fitting = block_rows_within(memory_bytes, queries.dimensions, problem.workers)
        problem = replace(problem, block_rows=min(block_rows, fitting))
    proposed = scan_proposing(problem, progress)
    unproved = np.flatnonzero(~proposed.proved)
    found = scan_direct(problem, proposed, unproved, progress)
    nearest = found.nearest
    return GroundTruth(
        distance=geometry.name,
        k=k,
        state=PROVED,
        corpus=known.fingerprint,
        queries=asked.fingerprint,
        query_ids=queries.ids,
        neighbors=Neighbors(corpus.ids[nearest.rows], problem.distances(nearest.keys), nearest.starts),
        eligible=np.full(len(queries), corpus.source.rows, np.int64),
        nearer=found.nearer,
        tied=found.tied,
        copies=copies_of(queries, asked.digests, corpus, known.digests),
        provenance={
            "truerecall": __version__,
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "method": "float32 product with a bound, float64 finish",
            "seconds": round(time.perf_counter() - began, 3),
            "candidates_per_query": round(proposed.candidates / len(queries), 1),
            "queries_scanned_again": len(unproved),
        },
    )


def identify(
    corpus: Corpus, queries: QuerySet, distance: Distance, *, progress: Progress = SILENT
) -> tuple[Identity, Identity]:
    """Which vectors both sides are; raises InputError where the distance is not defined for one of them."""
    asked = identify_queries(queries, distance)
    return identify_corpus(corpus, distance, progress=progress), asked


def find_or_build_truth(
    corpus: Corpus,
    queries: QuerySet,
    distance: str,
    k: int,
    folder: Path,
    *,
    identities: tuple[Identity, Identity],
    memory_bytes: int | None = None,
    progress: Progress = SILENT,
) -> GroundTruth:
    """The truth in ``folder`` that fits these vectors, or a new one, kept there as ``truth.parquet``.

    Raises StaleTruth where ``truth.parquet`` describes other vectors or another distance: it may be somebody's ruler.
    """
    demand_fit(corpus, queries, k)
    name = distance_named(distance).name
    for path in artefacts_in(folder, "truth"):
        truth = load_truth(path)
        if not differences(truth, identities, name) and truth.k >= k:
            progress.say(f"truth found: {path}")
            return truth
    path = folder / "truth.parquet"
    if path.exists():
        demand_current(load_truth(path), identities, name, path)
    truth = build_truth(corpus, queries, name, k, identities=identities, memory_bytes=memory_bytes, progress=progress)
    save_truth(truth, path)
    return truth


def demand_current(truth: GroundTruth, identities: tuple[Identity, Identity], distance: str, path: Path) -> None:
    """Raises StaleTruth, saying what differs, unless the truth was computed from these vectors and this distance."""
    found = differences(truth, identities, distance)
    if found:
        raise StaleTruth(f"{path} does not fit: {'; '.join(found)}", "build the truth again, or name another folder")


def differences(truth: GroundTruth, identities: tuple[Identity, Identity], distance: str) -> list[str]:
    """What keeps a truth from being used with these vectors and this distance, in words; empty where nothing does."""
    found = []
    if truth.distance != distance:
        found.append(f"its distance is {truth.distance}, not {distance}")
    for side, stored, present in (
        ("corpus", truth.corpus, identities[0].fingerprint),
        ("queries", truth.queries, identities[1].fingerprint),
    ):
        if stored == present:
            continue
        for word in ("rows", "dimensions", "dtype", "ids"):
            was, is_now = getattr(stored, word), getattr(present, word)
            if was != is_now:
                found.append(f"other {side} ({word} {was} then, {is_now} now)")
                break
        else:
            found.append(f"other {side} (the same shape, other vectors or ids)")
    return found
