"""Bring a truth up to date at the cost of what changed.

The ledger of the truth and the identity of the corpus tell which rows were added, removed and changed. Rows that are
new, or new in content, are held against every query, and what comes before the last stored row of a list is merged into
it; rows that went drop out. A query whose list then is too short, or whose tie band reaches beyond what is stored, is
scanned over the whole corpus. The content is what a new build gives.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

import numpy as np

from truerecall import __version__
from truerecall.errors import InputError
from truerecall.model.distance import Distance, distance_named
from truerecall.model.eligibility import FILTER
from truerecall.model.ids import rows_of, tie_ranks
from truerecall.model.ledger import Changes
from truerecall.model.progress import SILENT, Progress
from truerecall.model.subject import demand_truth_about
from truerecall.model.truth import PROVED, GroundTruth
from truerecall.model.vectors import Corpus, QuerySet, demand_fit
from truerecall.scan.problem import Problem
from truerecall.steps.choice import ALLOWED, eligibility_of, own_exclusion
from truerecall.steps.deep import Deep, deep_nearest, default_slack
from truerecall.steps.eligible import asked_of
from truerecall.steps.fitting import identify_for
from truerecall.steps.identify import Identities, ledger_bytes
from truerecall.steps.relist import relisted
from truerecall.steps.staleness import changes_since
from truerecall.steps.truth import truth_of
from truerecall.steps.unusable import REFUSE_ALL, Policies
from truerecall.store.identities import IdentityCache
from truerecall.store.scan_journal import ScanJournal


@dataclass(frozen=True)
class Refreshed:
    """What a refresh did.

    ``rescanned`` of the ``queries`` took a scan of the whole corpus. ``distance_computations`` are pairs of query and
    row that were looked at, ``of_a_build`` how many a new build looks at. ``identity_s``: the pass that tells what
    changed, which a build takes too; ``seconds``: the rest. ``slack``: the fewest and the most rows that are stored
    beyond k.
    """

    added: int
    removed: int
    changed: int
    queries: int
    rescanned: int
    distance_computations: int
    of_a_build: int
    identity_s: float
    seconds: float
    slack: tuple[int, int]


def refresh_truth(
    truth: GroundTruth,
    corpus: Corpus,
    queries: QuerySet,
    *,
    model: str | None = None,
    snapshot: str | None = None,
    slack: int | None = None,
    policies: Policies = REFUSE_ALL,
    name: str = "the truth",
    memory_bytes: int | None = None,
    cache: IdentityCache | None = None,
    journal: ScanJournal | None = None,
    progress: Progress = SILENT,
) -> tuple[GroundTruth, Refreshed]:
    """The truth of the corpus as it is now, and what it took. ``slack``: how many rows beyond k are kept at most.
    ``policies``: what becomes of vectors that no distance is defined for, beyond what the truth left out already.

    The model stays that of the truth; ``snapshot`` names the new state. Raises InputError for a truth that cannot be
    refreshed (no ledger, not proved, made with --rows or --allowed), StaleTruth where more than rows of the corpus
    differs.
    """
    _demand_refreshable(truth, name)
    geometry = distance_named(truth.distance)
    began = time.perf_counter()
    demand_fit(corpus, queries, truth.k)
    sides = identify_for(truth, corpus, queries, policies=policies, cache=cache, progress=progress)
    identified = time.perf_counter()
    changes = _changes(truth, sides, geometry, model, name)
    chosen = eligibility_of(corpus, queries, sides.copies, exclude_self=own_exclusion(truth.reasons))
    asked = asked_of(chosen, corpus, queries, sides)
    problem = Problem(corpus, asked.queries(queries), geometry, truth.k, tie_ranks(corpus.given_ids), asked.eligibility)
    depth = truth.k + (default_slack(truth.k) if slack is None else slack)

    subject = sides.subject(geometry, truth.card.model)

    def scan(few: Problem) -> Deep:
        return deep_nearest(
            few,
            depth - truth.k,
            subject,
            memory_bytes=memory_bytes,
            reserved_bytes=ledger_bytes(corpus),
            journal=journal,
            progress=progress,
        )

    now = relisted(truth, problem, rows_of(queries.ids, truth.query_ids)[asked.places], changes, depth, scan)
    lists, beyond = now.lists.cut(truth.k)
    ended = time.perf_counter()
    done = Refreshed(
        added=len(changes.added),
        removed=len(changes.removed),
        changed=len(changes.changed),
        queries=len(problem.queries),
        rescanned=now.rescanned,
        distance_computations=now.pairs_looked_at,
        of_a_build=int(problem.eligible().sum()),
        identity_s=round(identified - began, 3),
        seconds=round(ended - identified, 3),
        slack=(int(beyond.lengths.min()), int(beyond.lengths.max())),
    )
    provenance = {
        "truerecall": __version__,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "method": "refreshed from an earlier truth",
        "refreshed": asdict(done),
        "built": truth.provenance.get("built", dict(truth.provenance)),
    }
    after = truth_of(
        lists, beyond, now.nearer, now.tied, asked, sides, corpus, queries,
        distance=geometry.name, k=truth.k, model=truth.card.model or model, snapshot=snapshot, provenance=provenance,
    )  # fmt: skip
    return after, done


def _demand_refreshable(truth: GroundTruth, name: str) -> None:
    if truth.upkeep is None:
        raise InputError(f"{name} keeps no ledger of its rows, so what changed cannot be told", "build it anew")
    if truth.state != PROVED:
        raise InputError(
            f"{name} is {truth.state}, and a refresh would carry on what is wrong in it",
            "prove it first: truerecall truth verify --all --update",
        )
    for reason in (FILTER, ALLOWED):
        if reason in truth.reasons:
            raise InputError(
                f"{name} was made of chosen rows ({truth.reasons[reason]}), and which of the new ones were chosen is"
                " not known",
                "build it anew with its --rows and --allowed",
            )


def _changes(truth: GroundTruth, sides: Identities, geometry: Distance, model: str | None, name: str) -> Changes:
    """What became of the rows. Raises StaleTruth where that is not all that differs."""
    subject = sides.subject(geometry, model)
    changes = changes_since(truth, sides)
    if truth.corpus == subject.corpus or "corpus" in changes:
        subject = replace(subject, corpus=truth.corpus)
    demand_truth_about(truth.subject, subject, name=name, changes=changes, remedy="build the truth of these vectors")
    nothing = truth.upkeep.corpus.names[:0] if truth.upkeep is not None else np.empty(0, np.int64)
    return changes.get("corpus", Changes(truth.corpus.rows, nothing, nothing, nothing))
