"""Take somebody else's neighbour lists as a truth, once they fit the vectors at hand.

True distances are recomputed in float64, and lists are put into their order (ties by the smaller id), so an imported
truth differs from a built one in this alone: that nobody has looked whether a nearer row was missed. Hence its state
is ``unproved``, or ``approximate`` where an index made it.
"""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from truerecall import __version__
from truerecall.errors import InputError, StaleTruth
from truerecall.kernels.distances import distances_of_keys
from truerecall.kernels.exact import first, ordered
from truerecall.model.arrays import Floats, Integers
from truerecall.model.distance import DISTANCES, Distance, distance_named
from truerecall.model.foreign import ForeignLists
from truerecall.model.ids import tie_ranks
from truerecall.model.neighbors import Neighbors
from truerecall.model.progress import SILENT, Progress
from truerecall.model.truth import APPROXIMATE, NOT_COUNTED, UNPROVED, Card, GroundTruth
from truerecall.model.vectors import Corpus, QuerySet, demand_fit
from truerecall.scan.finish import exact_keys
from truerecall.steps.foreign_rows import RowLists, rows_of_lists
from truerecall.steps.identify import HAMMING, identify, upkeep_of
from truerecall.steps.scales import best_fit
from truerecall.store.identities import IdentityCache


def import_truth(
    lists: ForeignLists,
    corpus: Corpus,
    queries: QuerySet,
    distance: str,
    *,
    name: str,
    k: int | None = None,
    by_row: bool = False,
    approximate: bool = False,
    model: str | None = None,
    snapshot: str | None = None,
    cache: IdentityCache | None = None,
    progress: Progress = SILENT,
) -> GroundTruth:
    """The lists as a truth of depth ``k``, or of their own width. ``name`` is what messages call them; ``by_row``:
    they hold row numbers though the corpus has ids. ``model`` and ``snapshot`` as in build_truth.

    Raises StaleTruth where the lists are of other vectors (their number, ids that no row bears, distances that do
    not agree), InputError where they are no lists of nearest neighbours (repeats, short lists) or too short for k.
    """
    geometry = distance_named(distance)
    demand_distance(lists, geometry, name)
    rows = rows_of_lists(lists, corpus, queries, name=name, by_row=by_row)
    depth = _depth(rows, k, corpus.source.rows, name)
    demand_fit(corpus, queries, depth)
    sides = identify(corpus, queries, geometry, cache=cache, progress=progress)
    progress.start("recomputing distances", len(rows.rows), "pairs")
    keys = exact_keys(corpus.source, queries.vectors, geometry.name, rows.asking, rows.rows)
    progress.advance(len(rows.rows))
    scale = _demand_agreement(rows, distances_of_keys(geometry.name, keys), geometry, corpus, queries, name)
    pairs = ordered(rows.asking, rows.rows, keys, tie_ranks(corpus.given_ids), len(queries))
    moved = np.unique(rows.asking[pairs.rows != rows.rows])
    nearest = first(pairs, depth)
    neighbors = Neighbors(corpus.ids[nearest.rows], distances_of_keys(geometry.name, nearest.keys), nearest.starts)
    uncounted = np.full(len(queries), NOT_COUNTED, np.int64)
    return GroundTruth(
        distance=geometry.name,
        k=depth,
        state=APPROXIMATE if approximate else UNPROVED,
        corpus=sides.corpus.fingerprint,
        queries=sides.queries.fingerprint,
        query_ids=queries.ids,
        neighbors=neighbors,
        eligible=np.full(len(queries), corpus.source.rows, np.int64),
        nearer=uncounted,
        tied=uncounted,
        copies=sides.copies.counts,
        provenance={
            "truerecall": __version__,
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "method": f"imported from {name}, distances recomputed in float64",
            "distances_in_the_file": scale,
            "lists_put_in_order": len(moved),
        },
        card=Card(model, snapshot, queries.drawing, corpus.drawn_from),
        # What lies beyond k would never be verified: no slack.
        upkeep=upkeep_of(sides, neighbors.cut(depth)[1]),
    )


def demand_distance(lists: ForeignLists, geometry: Distance, name: str) -> None:
    if lists.distance is not None and lists.distance != geometry.name:
        raise StaleTruth(
            f"{name} names the distance {lists.distance} and {geometry.name} was asked for",
            f"use --distance {lists.distance}, or give a truth of {geometry.name}",
        )


def _depth(rows: RowLists, k: int | None, corpus_rows: int, name: str) -> int:
    """How deep the truth is to be. Without a filter every list must be as long as the others."""
    lengths = np.bincount(rows.asking, minlength=rows.queries)
    width = int(lengths.max(initial=0))
    if width == 0:
        raise InputError(f"{name} holds no neighbour at all", "give lists with neighbours")
    short = np.flatnonzero(lengths < min(width, corpus_rows))
    if len(short):
        raise InputError(
            f"{name}: {len(short)} of {rows.queries} lists are short though no filter says why"
            f" (first: list {short[0]} holds {lengths[short[0]]} of {width})",
            "give the whole lists: these look like the outcome of a truncated pass",
        )
    if k is not None and k > width:
        raise InputError(f"{name} holds {width} neighbours per query and k is {k}", f"ask for k <= {width}")
    return width if k is None else k


def _demand_agreement(
    rows: RowLists, true: Floats, geometry: Distance, corpus: Corpus, queries: QuerySet, name: str
) -> str:
    """On which scale the distances of the file are. Raises StaleTruth where some agree with the vectors on none."""
    if rows.distances is None:
        return "none"
    bits = (corpus.source.bits or 8 * corpus.source.dimensions) if geometry.name == HAMMING else None
    fit = best_fit(geometry.name, rows.distances, true, bits=bits)
    if fit.whole:
        return fit.scale
    wrong = int(np.flatnonzero(~fit.agrees)[0])
    seen = (
        f"{name}: {int((~fit.agrees).sum())} of {len(true)} distances do not agree with the vectors (first: list"
        f" {rows.asking[wrong]}, row {rows.rows[wrong]}: {rows.distances[wrong]:.6g} in the file,"
        f" {fit.expected[wrong]:.6g} as {fit.scale})"
    )
    other = _other_geometry(rows.asking, rows.rows, rows.distances, geometry, corpus, queries)
    if other is not None:
        raise StaleTruth(f"{seen}; all agree as {other[1]}", f"use --distance {other[0]} if that is what is measured")
    raise StaleTruth(seen, "give the truth of these vectors, or build it: truerecall truth build")


def _other_geometry(
    asking: Integers, rows: Integers, given: Floats, geometry: Distance, corpus: Corpus, queries: QuerySet
) -> tuple[str, str] | None:
    """The other distance, and the scale, under which all distances agree."""
    if geometry.name == HAMMING:
        return None
    for other in DISTANCES.values():
        if other.name not in (geometry.name, HAMMING):
            # A zero vector has no cosine; NaN agrees with nothing.
            with np.errstate(all="ignore"):
                true = distances_of_keys(
                    other.name, exact_keys(corpus.source, queries.vectors, other.name, asking, rows)
                )
                fit = best_fit(other.name, given, true)
            if fit.whole:
                return other.name, fit.scale
    return None
