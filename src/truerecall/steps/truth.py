"""Build the ground truth: exact neighbours by a full scan, with a proof for every query.

A float32 scan proposes candidates and says how far it can be off (kernels/candidates.py); the candidates' keys are
recomputed in float64 from the vectors as stored, and those alone decide. A query whose bound does not separate its
cut from the rows that were not proposed is scanned again, every row in float64. So the content is the same for every
block size and number of threads; only the effort, which is provenance, differs.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from truerecall import __version__
from truerecall.errors import StaleTruth
from truerecall.model.arrays import Integers
from truerecall.model.distance import distance_named
from truerecall.model.eligibility import EVERYTHING, Eligibility
from truerecall.model.ids import tie_ranks
from truerecall.model.neighbors import Neighbors
from truerecall.model.progress import SILENT, Progress
from truerecall.model.truth import APPROXIMATE, MOVING, PROVED, SAMPLED, UNPROVED, Card, GroundTruth
from truerecall.model.vectors import Corpus, QuerySet, demand_fit
from truerecall.scan.problem import BLOCK_ROWS, Method, Problem
from truerecall.steps.deep import deep_nearest, default_slack
from truerecall.steps.eligible import Asked, asked_of, eligible_copies
from truerecall.steps.identify import Identities, identify, ledger_bytes, upkeep_of
from truerecall.steps.staleness import demand_truth_fits
from truerecall.steps.unmoved import demand_unmoved
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
    model: str | None = None,
    snapshot: str | None = None,
    slack: int | None = None,
    block_rows: int = BLOCK_ROWS,
    memory_bytes: int | None = None,
    threads: int | None = None,
    method: Method = "fastest",
    journal: ScanJournal | None = None,
    progress: Progress = SILENT,
) -> GroundTruth:
    """The exact k nearest rows of every query, of those that may answer it; all of them where they are fewer.

    ``identities`` of corpus and queries, where they are known already: they say which vectors were left out as
    unusable, and where they keep no ledger, the truth keeps no upkeep. ``model`` and ``snapshot``: what the user calls
    the embedding and the state of the corpus. ``slack``: how many rows beyond k are kept, where upkeep is.
    ``memory_bytes`` bounds what the process takes beyond one that only imports truerecall; None means a quarter of the
    machine's. ``journal`` keeps where the scan stands, so that an interrupted one goes on. Raises InputError for k
    larger than the corpus, for dimensions that differ, for vectors that the distance is not defined for, where no row
    may answer, and for a budget that is too small; EngineFailed where a corpus without a snapshot changed meanwhile.
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
    kept = sides.corpus.ledger is not None and sides.queries.ledger is not None
    found = deep_nearest(
        problem,
        (default_slack(k) if slack is None else slack) if kept else 0,
        sides.subject(geometry, model),
        memory_bytes=memory_bytes,
        reserved_bytes=ledger_bytes(corpus) if kept else 0,
        journal=journal,
        progress=progress,
    )
    demand_unmoved(corpus, sides.corpus.fingerprint, progress)
    provenance = {
        "truerecall": __version__,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(time.perf_counter() - began, 3),
        "slack": found.depth - k,
        **asdict(found.effort),
        **({MOVING: corpus.moving} if corpus.moving else {}),
    }
    nearer, tied, nearest = found.nearer, found.tied, found.nearest
    del found
    deep = Neighbors(corpus.ids[nearest.rows], problem.distances(nearest.keys), nearest.starts)
    del nearest  # long lists do not fit three times
    lists, beyond = deep.cut(k)
    return truth_of(
        lists, beyond, nearer, tied, asked, sides, corpus, queries,
        distance=geometry.name, k=k, model=model, snapshot=snapshot, provenance=provenance,
    )  # fmt: skip


def truth_of(
    lists: Neighbors, slack: Neighbors, nearer: Integers, tied: Integers, asked: Asked, sides: Identities,
    corpus: Corpus, queries: QuerySet, *,
    distance: str, k: int, model: str | None, snapshot: str | None, provenance: Mapping[str, Any],
) -> GroundTruth:  # fmt: skip
    """A proved truth from the lists, slack and counts of the queries that were ``asked``."""
    n = len(queries)
    all_nearer, all_tied = np.zeros((2, n), np.int64)
    all_nearer[asked.places], all_tied[asked.places] = nearer, tied
    return GroundTruth(
        distance=distance,
        k=k,
        state=PROVED,
        corpus=sides.corpus.fingerprint,
        queries=sides.queries.fingerprint,
        query_ids=queries.ids,
        neighbors=lists.spread(asked.places, n),
        eligible=asked.eligible,
        nearer=all_nearer,
        tied=all_tied,
        copies=eligible_copies(sides.copies, asked, n),
        reasons=asked.reasons,
        provenance=provenance,
        card=Card(model, snapshot, queries.drawing, corpus.drawn_from),
        upkeep=upkeep_of(sides, slack.spread(asked.places, n)),
    )


def find_or_build_truth(
    corpus: Corpus,
    queries: QuerySet,
    distance: str,
    k: int,
    folder: Path,
    *,
    identities: Identities,
    eligibility: Eligibility = EVERYTHING,
    file: str = "truth.parquet",
    model: str | None = None,
    max_drift: float | None = None,
    memory_bytes: int | None = None,
    progress: Progress = SILENT,
) -> tuple[GroundTruth, bool]:
    """The truth in ``folder`` that fits these vectors and leaves out no others than ``eligibility`` does, a proved one
    first; or a new one. And whether it was built now.

    It is kept as ``file``. Where the corpus has drifted away from one that lies there already, by no more than
    ``max_drift``, that one is taken.

    Raises StaleTruth where ``truth.parquet`` describes other vectors or another distance, or leaves rows out: it may
    be somebody's ruler.
    """
    demand_fit(corpus, queries, k)
    geometry = distance_named(distance)
    subject, reasons = identities.subject(geometry, model), dict(eligibility.reasons)
    found = [(path, load_truth(path)) for path in artefacts_in(folder, "truth")]
    fitting = [
        (path, there)
        for path, there in found
        if there.subject.fits(subject) and there.k >= k and there.reasons == reasons
    ]
    if fitting:
        path, truth = min(fitting, key=lambda one: FIRST_TAKEN.index(one[1].state))
        progress.say(f"truth found: {path}")
        return truth, False
    path = folder / file
    if path.exists():
        there = load_truth(path)
        remedy = "name another folder with --out, or take this truth away"
        drift = demand_truth_fits(
            there, corpus, queries, identities, subject, max_drift=max_drift, name=str(path), remedy=remedy
        )
        if there.reasons != reasons:
            raise StaleTruth(f"{path} leaves rows out ({', '.join(there.reasons) or 'none'})", remedy)
        if drift is not None:
            there.demand_depth(k)
            progress.say(f"truth found: {path}")
            return there, False
    journal = ScanJournal.beside(path)
    truth = build_truth(
        corpus,
        queries,
        geometry.name,
        k,
        identities=identities,
        eligibility=eligibility,
        model=model,
        memory_bytes=memory_bytes,
        journal=journal,
        progress=progress,
    )
    save_truth(truth, path)
    journal.forget()
    return truth, True
