"""Is a truth about the vectors at hand? Where it is not: what differs, row by row, and whether that much is allowed.

The ledgers of both sides tell which rows were added, removed and changed. Of how many queries the neighbours can
differ is then found by measuring: a list can only change where one of its rows is gone or changed, or where a row that
is new comes no later than the tie band at its cut.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerecall.errors import StaleTruth
from truerecall.model.arrays import Booleans, Floats
from truerecall.model.distance import distance_named
from truerecall.model.drift import Drift
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.ledger import Changes, changes_between
from truerecall.model.neighbors import Neighbors
from truerecall.model.selected import SelectedSource
from truerecall.model.subject import Subject, demand_truth_about
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, Fingerprint, QuerySet
from truerecall.scan.near import rows_within
from truerecall.scan.problem import Problem
from truerecall.steps.identify import Identities, Identity

MOST_NEAR = 64
"""New rows that may belong to a list, beyond which nobody measures whether they do."""

REMEDY = "give the truth of these vectors, bring it up to date (truerecall truth refresh), or build it anew"


def changes_since(truth: GroundTruth, sides: Identities) -> dict[str, Changes]:
    """What became of the rows of each side that differs, where both know it row by row."""
    if truth.upkeep is None:
        return {}
    found = {}
    kept = (("corpus", truth.corpus, truth.upkeep.corpus, sides.corpus),)
    for side, own, ledger, other in (*kept, ("queries", truth.queries, truth.upkeep.queries, sides.queries)):
        if own != other.fingerprint and other.ledger is not None and comparable(own, other):
            found[side] = changes_between(ledger, other.ledger)
    if "corpus" in found:
        listed = rows_of(found["corpus"].removed, np.unique(truth.neighbors.ids)) != NO_ROW
        found["corpus"] = replace(found["corpus"], listed=int(listed.sum()))
    return found


def comparable(own: Fingerprint, other: Identity) -> bool:
    """Whether rows of both are of one shape and type, and called by ids of one kind."""
    theirs = other.fingerprint
    return (own.dimensions, own.dtype, own.ids) == (theirs.dimensions, theirs.dtype, theirs.ids)


def demand_truth_fits(
    truth: GroundTruth,
    corpus: Corpus,
    queries: QuerySet,
    sides: Identities,
    subject: Subject,
    *,
    max_drift: float | None = None,
    name: str,
    remedy: str = REMEDY,
) -> Drift | None:
    """None where the truth, called ``name``, is about the ``subject``, which is of these vectors; the drift where only
    rows of the corpus differ, and no larger share of them than ``max_drift``.

    Raises StaleTruth for everything else, saying what differs.
    """
    changes = changes_since(truth, sides)
    moved = changes.get("corpus")
    if max_drift is None or moved is None or truth.subject.differences(replace(subject, corpus=truth.corpus)):
        demand_truth_about(truth.subject, subject, name=name, remedy=remedy, changes=changes)
        return None
    if moved.share > max_drift:
        raise StaleTruth(
            f"{name} has drifted too far: {moved}, {moved.share:.3%} of {moved.stored:,} rows, and {max_drift:.3%} is"
            " allowed",
            remedy,
        )
    affected = affected_by(truth, corpus, queries, sides, moved)
    return Drift(
        truth=truth.corpus.digest,
        corpus=sides.corpus.fingerprint.digest,
        rows=moved.stored,
        added=len(moved.added),
        removed=len(moved.removed),
        changed=len(moved.changed),
        told=str(moved),
        queries=int((truth.eligible > 0).sum()),
        affected=int(affected.sum()),
        allowed=max_drift,
    )


def affected_by(truth: GroundTruth, corpus: Corpus, queries: QuerySet, sides: Identities, changes: Changes) -> Booleans:
    """For each query of the truth whether its neighbours, or what ties with the last of them, can have changed.

    Where a row was lost and the tie band reaches beyond what is stored, nobody knows whether the row was in it: the
    query counts as affected. So does one that a row may newly answer though fewer than k did.
    """
    slack = truth.neighbors.cut(0)[0] if truth.upkeep is None else truth.upkeep.slack
    edges = _edges(truth, corpus, queries)
    known = truth.neighbors.followed_by(slack)
    affected = _holds_lost(known, edges, changes)
    if len(changes.removed) or len(changes.changed):
        ends = np.flatnonzero(known.lengths < truth.eligible)  # whatever is eligible stands in the other lists
        affected[ends] |= known.distances[known.offsets[1:][ends] - 1] <= edges[ends]
    new = np.sort(rows_of(np.concatenate([changes.added, changes.changed]), corpus.ids))
    if sides.corpus.left_out.mask is not None:
        new = new[~sides.corpus.left_out.mask[new]]
    place, left_out = rows_of(truth.query_ids, queries.ids), sides.queries.left_out.mask
    asked = np.arange(len(truth)) if left_out is None else np.flatnonzero(~left_out[place])
    if len(new) and len(asked):
        few = QuerySet(queries.vectors[place[asked]], None, queries.name, queries.bits)
        source, distance = SelectedSource(corpus.source, new, corpus.source.name), distance_named(truth.distance)
        near = rows_within(Problem(Corpus(source), few, distance, truth.k, None), edges[asked], most=MOST_NEAR)
        affected[asked[near.crowded]] = affected[asked[near.queries]] = True
    return affected


def _edges(truth: GroundTruth, corpus: Corpus, queries: QuerySet) -> Floats:
    """For each query how far a row may lie and still belong to its list or tie with the last of it."""
    lists = truth.neighbors
    edges = np.full(len(truth), np.inf)
    full = lists.lengths >= truth.k
    cuts = lists.distances[lists.offsets[1:][full] - 1]
    integral = corpus.source.dtype.kind in "iu" and queries.dtype.kind in "iu"
    band = distance_named(truth.distance).tie_band(cuts, integral=integral)
    edges[full] = np.nextafter(cuts + band, np.inf)
    return edges


def _holds_lost(known: Neighbors, edges: Floats, changes: Changes) -> Booleans:
    """Which lists hold, up to their edge, a row that was removed or changed."""
    lost = np.concatenate([changes.removed, changes.changed])
    gone = (rows_of(known.ids, lost) != NO_ROW) & (known.distances <= edges[known.asking])
    return np.asarray(np.bincount(known.asking[gone], minlength=len(known)) > 0)
