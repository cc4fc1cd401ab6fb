"""Draw queries, or a smaller corpus, stratum by stratum.

The same seed and content give the same sample: in whatever blocks the rows come and, where ids are given, in whatever
order. Each random choice has a stream of its own under the seed, and each stratum too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerecall.errors import InputError
from truerecall.kernels.allocation import equal, equal_quotas, fixed, proportional
from truerecall.kernels.clusters import ROWS_PER_CENTRE, learn_centres, nearest_centres
from truerecall.model.arrays import Integers, texts
from truerecall.model.distance import distance_named
from truerecall.model.drawing import Allocation, Attribute, Dedupe, Drawing, Drawn, Sample, Strata, Stratum
from truerecall.model.ids import refuse_repeated
from truerecall.model.progress import SILENT, Progress
from truerecall.model.vectors import Corpus
from truerecall.steps.candidates import BLOCK_ROWS, Candidates, candidates_of, in_words, some_of
from truerecall.steps.frame import Frame, small

QUERIES_PER_CLUSTER = 20
MOST_CLUSTERS = 64
MOST_STRATA = 1000
TRAINING_DRAW, CLUSTER_DRAW, ROW_DRAW = 3, 4, 5
ALL = "all"
"""What the only stratum is called where nothing tells rows apart."""


@dataclass(frozen=True)
class Wish:
    """What is asked for: ``n`` in all by the ``allocation``, or so many ``per_stratum``.

    Strata come from an attribute where one is given, else from k-means with so many ``clusters``; None leaves their
    number to us (see ``clusters_for``), 1 means simple random sampling.
    """

    n: int | None = None
    per_stratum: int | None = None
    allocation: Allocation = "equal"
    clusters: int | None = None
    dedupe: Dedupe | None = None
    distance: str = "l2"
    seed: int = 0


def draw(
    corpus: Corpus,
    wish: Wish,
    *,
    attribute: Attribute | None = None,
    what: Drawn = "queries of the corpus",
    progress: Progress = SILENT,
) -> Sample:
    """The sample that is wished for. Raises InputError where more is asked for than there is to draw from, and where
    the wish contradicts itself."""
    _demand_sane(wish, attribute)
    distance = distance_named(wish.distance).name
    clusters = None if attribute is not None else wish.clusters or clusters_for(wish, what)
    found = candidates_of(
        corpus,
        what=what,
        distance=distance,
        seed=wish.seed,
        dedupe=wish.dedupe,
        framed=clusters is not None and clusters > 1,
        progress=progress,
    )
    refuse_repeated(corpus.ids[found.rows[found.places]], what=corpus.source.name)
    names, stratum = _strata(found, attribute, clusters, wish.seed, progress)
    held = np.bincount(stratum, minlength=len(names)).astype(np.int64)
    asked, drawn = _allocate(held, wish, corpus.source.name, found)
    of_each = [_some(stratum, number, int(drawn[number]), wish.seed, name) for number, name in enumerate(names)]
    chosen = np.sort(np.concatenate(of_each))
    places = found.places[chosen]
    left_out = np.flatnonzero(np.isin(found.equal.first, found.equal.first[places]))
    drawing = Drawing(
        what=what,
        source=found.fingerprint,
        seed=wish.seed,
        strata=Strata(None if attribute is None else attribute.name, clusters),
        allocation=wish.allocation if wish.per_stratum is None else f"{wish.per_stratum} per stratum",
        counts=tuple(
            Stratum(*of_one) for of_one in zip(names, held.tolist(), asked.tolist(), drawn.tolist(), strict=True)
        ),
        dropped=found.dropped,
        dedupe=wish.dedupe,
    )
    rows = found.rows[places]
    return Sample(
        rows=rows,
        ids=corpus.ids[rows],
        strata=texts(np.array(names, object)[stratum[chosen]]),
        repeats=found.equal.counts[places],
        left_out=np.sort(found.rows[left_out]),
        drawing=drawing,
    )


def clusters_for(wish: Wish, what: Drawn) -> int:
    """How many clusters are made where nobody says: one for every 20 queries, at most 64. A sampled corpus is drawn
    without, since it is to be like the whole."""
    if what == "sampled corpus" or wish.n is None:
        return 1
    return min(MOST_CLUSTERS, max(1, wish.n // QUERIES_PER_CLUSTER))


def _demand_sane(wish: Wish, attribute: Attribute | None) -> None:
    if (wish.n is None) == (wish.per_stratum is None):
        raise InputError("how many are to be drawn is said twice or not at all", "give n, or a count per stratum")
    for name, value in (("n", wish.n), ("per_stratum", wish.per_stratum), ("clusters", wish.clusters)):
        if value is not None and value < 1:
            raise InputError(f"{name} is {value}", "give a whole number from 1 on")
    if wish.clusters is not None and attribute is not None:
        raise InputError(f"strata are asked for both by {attribute.name} and by clusters", "choose one of the two")
    if wish.clusters is not None and wish.clusters > MOST_STRATA:
        raise InputError(f"{wish.clusters} clusters are asked for", f"ask for at most {MOST_STRATA:,}")
    if wish.per_stratum is not None and attribute is None and wish.clusters is None:
        raise InputError("a count per stratum is given and nothing says what the strata are", "name them, or give n")
    if wish.dedupe is not None and not 0 <= wish.dedupe.tolerance <= 1:
        raise InputError(f"the tolerance is {wish.dedupe.tolerance:g}", "give a share of the spread from 0 to 1")


def _strata(
    found: Candidates, attribute: Attribute | None, clusters: int | None, seed: int, progress: Progress
) -> tuple[list[str], Integers]:
    """The names of the strata, and for each candidate the number of its own."""
    if attribute is not None:
        values = attribute.values[found.rows[found.places]].tolist()
        names = sorted(set(values))
        if len(names) > MOST_STRATA:
            raise InputError(
                f"{attribute.name} has {len(names):,} values among {len(values):,} rows",
                f"name an attribute with at most {MOST_STRATA:,} values",
            )
        number = {name: place for place, name in enumerate(names)}
        return names, np.array([number[value] for value in values], np.int64)
    if clusters is None or clusters == 1 or found.frame is None:
        return [ALL], np.zeros(len(found.places), np.int64)
    clusters = min(clusters, len(found.places))
    of_place = _clustered(found, found.frame, clusters, seed, progress)
    numbers, stratum = np.unique(of_place, return_inverse=True)
    return [f"cluster {number}" for number in numbers.tolist()], stratum.astype(np.int64)


def _clustered(found: Candidates, frame: Frame, clusters: int, seed: int, progress: Progress) -> Integers:
    """For each candidate its cluster."""
    taught = some_of(found.places, clusters * ROWS_PER_CENTRE, [seed, TRAINING_DRAW])
    own_seed = int(np.random.default_rng([seed, CLUSTER_DRAW]).integers(2**31))
    centres = learn_centres(small(frame.take(found.rows[taught])), clusters, own_seed)
    of_row = np.empty(frame.source.rows, np.int64)
    progress.start(f"sorting into {clusters} clusters", frame.source.rows, "rows")
    for start, block in frame.source.blocks(BLOCK_ROWS):
        with np.errstate(all="ignore"):  # rows that are no candidates may hold anything
            of_row[start : start + len(block)] = nearest_centres(small(frame.see(block)), centres)
        progress.advance(len(block))
    return of_row[found.rows[found.places]]


def _allocate(held: Integers, wish: Wish, name: str, found: Candidates) -> tuple[Integers, Integers]:
    """How many are asked of each stratum, and how many are drawn."""
    if wish.per_stratum is not None:
        return np.full(len(held), wish.per_stratum, np.int64), fixed(held, wish.per_stratum)
    n, total = wish.n or 0, int(held.sum())
    if n > total:
        raise InputError(
            f"{n:,} are to be drawn from {name}, where {total:,} can be ({in_words(found.dropped)})",
            f"ask for at most {total:,}",
        )
    if wish.allocation == "proportional":
        return proportional(held, n), proportional(held, n)
    return equal_quotas(held, n), equal(held, n)


def _some(stratum: Integers, number: int, drawn: int, seed: int, name: str) -> Integers:
    """So many of one stratum. Its stream hangs on its name: what is drawn from it does not change with the others."""
    return some_of(np.flatnonzero(stratum == number), drawn, [seed, ROW_DRAW, *name.encode()])
