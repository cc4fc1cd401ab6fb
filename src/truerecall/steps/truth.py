"""Build the ground truth: exact neighbours by a full scan, with a proof for every query.

A float32 scan proposes candidates and says how far it can be off (kernels/candidates.py); the candidates' keys are
recomputed in float64 from the vectors as stored, and those alone decide. A query whose bound does not separate its
cut from the rows that were not proposed is scanned again, every row in float64. So the content is the same for every
block size and number of threads; only the effort, which is provenance, differs.
"""

from __future__ import annotations

import time
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from truerecall import __version__
from truerecall.errors import StaleTruth
from truerecall.model.distance import distance_named
from truerecall.model.eligibility import EVERYTHING, Eligibility
from truerecall.model.ids import tie_ranks
from truerecall.model.neighbors import Neighbors, offsets_of
from truerecall.model.progress import SILENT, Progress
from truerecall.model.subject import demand_truth_about
from truerecall.model.truth import APPROXIMATE, PROVED, SAMPLED, UNPROVED, Card, GroundTruth
from truerecall.model.vectors import Corpus, QuerySet, demand_fit
from truerecall.scan.problem import BLOCK_ROWS, Method, Problem
from truerecall.steps.eligible import asked_of, eligible_copies
from truerecall.steps.exact import exact_nearest, search_key
from truerecall.steps.identify import Identities, identify
from truerecall.store.artefact import artefacts_in
from truerecall.store.scan_journal import ScanJournal
from truerecall.store.truths import load_truth, save_truth

FIRST_TAKEN = (PROVED, SAMPLED, UNPROVED, APPROXIMATE)
"""Which truth of several that fit is taken."""


def build_truth(
    corpus: Corpus,
    queries: QuerySet,
    distance: str,
    k: int,
    *,
    identities: Identities | None = None,
    eligibility: Eligibility = EVERYTHING,
    block_rows: int = BLOCK_ROWS,
    memory_bytes: int | None = None,
    threads: int | None = None,
    method: Method = "fastest",
    journal: ScanJournal | None = None,
    progress: Progress = SILENT,
) -> GroundTruth:
    """The exact k nearest rows of every query, of those that may answer it; all of them where they are fewer.

    ``identities`` of corpus and queries, where they are known already: they say which vectors were left out as
    unusable. ``memory_bytes`` bounds what the process takes beyond one that only imports truerecall; None means a
    quarter of the machine's. ``journal`` keeps where the scan stands, so that an interrupted one goes on. Raises
    InputError for k larger than the corpus, for dimensions that differ, for vectors that the distance is not defined
    for, where no row may answer, and for a budget that is too small.
    """
    geometry = distance_named(distance)
    demand_fit(corpus, queries, k)
    began = time.perf_counter()
    sides = identities or identify(corpus, queries, geometry, progress=progress)
    asked = asked_of(eligibility, corpus, queries, sides)
    problem = Problem(
        corpus,
        asked.queries(queries),
        geometry,
        k,
        tie_ranks(corpus.given_ids),
        asked.eligibility,
        block_rows=block_rows,
        threads=threads,
        method=method,
    )
    found, effort = exact_nearest(
        problem,
        key=search_key(problem, sides.subject(geometry)),
        memory_bytes=memory_bytes,
        journal=journal,
        progress=progress,
    )
    nearest = found.nearest
    lengths, nearer, tied = np.zeros((3, len(queries)), np.int64)
    lengths[asked.places], nearer[asked.places], tied[asked.places] = nearest.counts(), found.nearer, found.tied
    return GroundTruth(
        distance=geometry.name,
        k=k,
        state=PROVED,
        corpus=sides.corpus.fingerprint,
        queries=sides.queries.fingerprint,
        query_ids=queries.ids,
        neighbors=Neighbors(corpus.ids[nearest.rows], problem.distances(nearest.keys), offsets_of(lengths)),
        eligible=asked.eligible,
        nearer=nearer,
        tied=tied,
        copies=eligible_copies(sides.copies, asked, len(queries)),
        reasons=asked.reasons,
        provenance={
            "truerecall": __version__,
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "seconds": round(time.perf_counter() - began, 3),
            **asdict(effort),
        },
        card=Card(drawing=queries.drawing, drawn_from=corpus.drawn_from),
    )


def find_or_build_truth(
    corpus: Corpus,
    queries: QuerySet,
    distance: str,
    k: int,
    folder: Path,
    *,
    identities: Identities,
    memory_bytes: int | None = None,
    progress: Progress = SILENT,
) -> GroundTruth:
    """The truth in ``folder`` that fits these vectors and leaves none out, a proved one first; or a new one.

    It is kept as ``truth.parquet``.

    Raises StaleTruth where ``truth.parquet`` describes other vectors or another distance, or leaves rows out: it may
    be somebody's ruler.
    """
    demand_fit(corpus, queries, k)
    geometry = distance_named(distance)
    subject = identities.subject(geometry)
    found = [(path, load_truth(path)) for path in artefacts_in(folder, "truth")]
    fitting = [
        (path, there) for path, there in found if there.subject == subject and there.k >= k and not there.reasons
    ]
    if fitting:
        path, truth = min(fitting, key=lambda one: FIRST_TAKEN.index(one[1].state))
        progress.say(f"truth found: {path}")
        return truth
    path = folder / "truth.parquet"
    if path.exists():
        there = load_truth(path)
        remedy = "name another folder with --out, or take this truth away"
        demand_truth_about(there.subject, subject, name=str(path), remedy=remedy)
        if there.reasons:
            raise StaleTruth(f"{path} leaves rows out ({', '.join(there.reasons)})", remedy)
    journal = ScanJournal.beside(path)
    truth = build_truth(
        corpus,
        queries,
        geometry.name,
        k,
        identities=identities,
        memory_bytes=memory_bytes,
        journal=journal,
        progress=progress,
    )
    save_truth(truth, path)
    journal.forget()
    return truth
