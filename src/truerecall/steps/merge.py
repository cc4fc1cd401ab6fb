"""Lists of neighbours brought up to date with rows that went and rows that came, as far as what is stored can tell.

What is stored of a query is complete up to its last row, the *horizon*: every row that is not stored comes after it.
Rows that went leave holes, rows that came before the horizon are merged by exact keys, and the list is complete to the
horizon again. A list that is then too short, or whose tie band at the cut reaches the horizon, has to be scanned anew.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerecall.model.arrays import Booleans, Floats, Integers
from truerecall.model.neighbors import offsets_of
from truerecall.scan.finish import exact_keys
from truerecall.scan.near import Near
from truerecall.scan.problem import Problem
from truerecall.steps.deep import counts_of, cuts_of


@dataclass(frozen=True, eq=False)
class Stored:
    """What is known of every query of a problem before the change.

    ``rows``, ``distances`` and ``offsets``: the stored lists in order, by their rows in the corpus as it is now,
    NO_ROW for those that went or changed. ``complete``: every row that might answer was stored. ``nearer`` and
    ``tied`` as counted then.
    """

    rows: Integers
    distances: Floats
    offsets: Integers
    complete: Booleans
    nearer: Integers
    tied: Integers

    @property
    def horizons(self) -> Floats:
        """The distance up to which every row is stored."""
        ends = np.full(len(self.complete), np.inf)
        open_ones = ~self.complete
        ends[open_ones] = self.distances[self.offsets[1:][open_ones] - 1]
        return ends


@dataclass(frozen=True, eq=False)
class Merged:
    """The lists as they are now, complete to where they end; ``sure`` where list and counts are what a scan would find.

    ``pairs_measured``: how many pairs of query and row were measured again for their exact order.
    """

    rows: Integers
    distances: Floats
    offsets: Integers
    nearer: Integers
    tied: Integers
    sure: Booleans
    pairs_measured: int


def reaches(problem: Problem, stored: Stored) -> Floats:
    """For each query the distance up to which a row that comes matters: the horizon, or the end of the tie band at the
    cut where that lies beyond. Infinite for a list that is complete or shorter than k."""
    cuts, bands = _cuts(problem, stored)
    return np.maximum(stored.horizons, np.nextafter(cuts + bands, np.inf))


def merge(problem: Problem, stored: Stored, came: Near, *, depth: int, lost: bool) -> Merged:
    """The lists with the rows that ``came`` within their ``reaches``, cut at ``depth``. ``lost``: whether any row at
    all went or changed, stored or not."""
    n = len(stored.complete)
    asking = np.repeat(np.arange(n), np.diff(stored.offsets))
    stays = stored.rows >= 0
    asking, rows, distances = asking[stays], stored.rows[stays], stored.distances[stays]
    mixed = np.bincount(came.queries, minlength=n)[asking] > 0
    order = _order(problem, asking, rows, mixed, came)
    asking, rows = np.concatenate([asking, came.queries]), np.concatenate([rows, came.rows])
    distances = np.concatenate([distances, problem.distances(came.keys)])
    stayed = np.arange(len(rows)) < len(mixed)
    asking, rows, distances, stayed = asking[order], rows[order], distances[order], stayed[order]

    horizons = stored.horizons
    known = stayed | (distances < horizons[asking]) | stored.complete[asking]
    whole = _to_the_last(known, asking, n)
    asking, rows, distances = asking[whole], rows[whole], distances[whole]
    offsets = offsets_of(np.bincount(asking, minlength=n))
    sure, nearer, tied = _counted(problem, offsets, distances, stored, horizons)
    if not lost:
        quiet = _quiet(problem, stored, came)
        sure, nearer, tied = sure | quiet, np.where(quiet, stored.nearer, nearer), np.where(quiet, stored.tied, tied)
    kept = np.arange(len(rows)) - offsets[:-1][asking] < depth
    lengths = np.minimum(np.diff(offsets), depth)
    return Merged(
        rows[kept], distances[kept], offsets_of(lengths), nearer, tied, sure & ~came.crowded, int(mixed.sum())
    )  # fmt: skip


def _order(problem: Problem, asking: Integers, rows: Integers, mixed: Booleans, came: Near) -> Integers:
    """The order of what stays followed by what came: query by query, by exact key and rank.

    The order of what stays is known. Keys are taken where something comes between, of the entries that are ``mixed``.
    """
    between = np.flatnonzero(mixed)
    source, vectors = problem.corpus.source, problem.queries.vectors
    own = exact_keys(source, vectors, problem.distance.name, asking[between], rows[between])
    entries = np.concatenate([between, len(rows) + np.arange(len(came.rows))])
    of_row, of_query = np.concatenate([rows[between], came.rows]), np.concatenate([asking[between], came.queries])
    ranks = of_row if problem.ranks is None else problem.ranks[of_row]
    by_key = np.lexsort((ranks, np.concatenate([own, came.keys]), of_query))
    alone = np.flatnonzero(~mixed)
    both = np.concatenate([alone, entries[by_key]])
    return both[np.argsort(np.concatenate([asking[alone], of_query[by_key]]), kind="stable")]


def _to_the_last(known: Booleans, asking: Integers, n: int) -> Booleans:
    """Of every query's entries those up to the last that is ``known``: whatever comes before it is complete."""
    last = np.full(n, -1, np.int64)
    places = np.flatnonzero(known)
    np.maximum.at(last, asking[places], places)
    return np.asarray(np.arange(len(known)) <= last[asking])


def _counted(
    problem: Problem, offsets: Integers, distances: Floats, stored: Stored, horizons: Floats
) -> tuple[Booleans, Integers, Integers]:
    """Which lists are long enough and settle their counts, and the counts."""
    n, lengths = len(horizons), np.diff(offsets)
    sure, (nearer, tied) = np.zeros(n, np.bool_), np.zeros((2, n), np.int64)
    reaches = lengths >= np.minimum(problem.k, problem.eligible())
    enough = np.flatnonzero(reaches)
    if len(enough):
        entries = np.repeat(reaches, lengths)
        starts = offsets_of(lengths[enough])
        counts = counts_of(problem, starts, distances[entries], stored.complete[enough], horizons[enough])
        sure[enough], nearer[enough], tied[enough] = counts.whole, counts.nearer, counts.tied
    return sure, nearer, tied


def _quiet(problem: Problem, stored: Stored, came: Near) -> Booleans:
    """The full lists that no row came near: nothing lies nearer than the end of the tie band that did not before."""
    cuts, bands = _cuts(problem, stored)
    near = problem.distances(came.keys) - cuts[came.queries] <= bands[came.queries]
    quiet = np.isfinite(cuts)
    quiet[came.queries[near]] = False
    return np.asarray(quiet)


def _cuts(problem: Problem, stored: Stored) -> tuple[Floats, Floats]:
    """The distance at the cut of each list as it was stored, and its tie band; infinity and 0 where it is shorter than
    k."""
    full = np.flatnonzero(np.diff(stored.offsets) >= problem.k)
    cuts = np.full(len(stored.complete), np.inf)
    cuts[full] = stored.distances[cuts_of(stored.offsets, problem.k)[full]]
    return cuts, problem.bands(cuts)
