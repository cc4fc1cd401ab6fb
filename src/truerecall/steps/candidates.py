"""Which rows may be drawn: those that a distance is defined for, and with ``dedupe`` each content once.

Rows are spoken of by their *place*: the order of ids, which does not hang on how the rows are stored.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerecall.errors import InputError
from truerecall.kernels.equal_rows import EqualRows, equal_rows
from truerecall.kernels.near_duplicates import Sketch, later_near_duplicates
from truerecall.model.arrays import Floats, Integers
from truerecall.model.distance import distance_named
from truerecall.model.drawing import Dedupe, Drawn
from truerecall.model.progress import Progress
from truerecall.model.vectors import Corpus, Fingerprint
from truerecall.steps.frame import SAMPLE_ROWS, Frame
from truerecall.steps.unusable import Policies, Unusable
from truerecall.store.contents import canonical_order, contents_of

BLOCK_ROWS = 4096
EXACT_COPIES, NEAR_COPIES = "exact copies", "near copies"
FRAME_DRAW, SKETCH_DRAW = 1, 2
"""Each random choice has a stream of its own under the seed."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """``rows``: the row numbers in the order of ids; ``places``: which of these may be drawn; ``equal``: which of them
    equal each other. ``frame`` is None where nobody needs it."""

    fingerprint: Fingerprint
    rows: Integers
    places: Integers
    equal: EqualRows
    dropped: dict[str, int]
    frame: Frame | None


def candidates_of(
    corpus: Corpus,
    *,
    what: Drawn,
    distance: str,
    seed: int,
    dedupe: Dedupe | None,
    framed: bool,
    progress: Progress,
) -> Candidates:
    """Read the corpus and say what may be drawn. A sampled corpus keeps rows that no distance is defined for: it is
    to be like the whole. Raises InputError where no row is left."""
    source, geometry = corpus.source, distance_named(distance)
    unusable = Unusable(source.name, "row", geometry)
    contents = contents_of(corpus, look=unusable.look, progress=progress)
    left_out = unusable.settle(Policies("leave-out", "leave-out"), source.rows)
    rows = canonical_order(corpus)
    equal = equal_rows(contents.digests[rows])
    usable = np.ones(source.rows, np.bool_) if left_out.mask is None else ~left_out.mask[rows]
    kept = np.ones(source.rows, np.bool_) if what == "sampled corpus" else usable
    dropped = {} if what == "sampled corpus" else dict(left_out.counts)
    if dedupe is not None:
        first = equal.first == np.arange(source.rows)
        dropped[EXACT_COPIES] = int((kept & ~first).sum())
        kept = kept & first
    if not kept.any():
        raise InputError(f"{source.name} holds no row that can be drawn ({in_words(dropped)})", "look at the vectors")
    frame = None
    measurable = np.flatnonzero(kept & usable)
    if (framed or dedupe is not None) and len(measurable):
        chosen = some_of(measurable, SAMPLE_ROWS, [seed, FRAME_DRAW])
        frame = Frame.of(source, rows[chosen], normalised=geometry.name == "cosine")
    if dedupe is not None and frame is not None:
        near = measurable[_near(frame, rows[measurable], dedupe.tolerance, seed, progress)]
        dropped[NEAR_COPIES] = len(near)
        kept = kept.copy()
        kept[near] = False
    return Candidates(contents.fingerprint, rows, np.flatnonzero(kept), equal, dropped, frame)


def some_of(places: Integers, n: int, seed: list[int]) -> Integers:
    """At most ``n`` of the places, ascending."""
    if len(places) <= n:
        return places
    return places[np.sort(np.random.default_rng(seed).choice(len(places), n, replace=False))]


def in_words(dropped: dict[str, int]) -> str:
    """What was dropped, as ``3 exact copies, 1 near copies dropped``; ``nothing dropped``."""
    told = ", ".join(f"{count:,} {reason}" for reason, count in dropped.items() if count)
    return f"{told} dropped" if told else "nothing dropped"


def _near(frame: Frame, rows: Integers, tolerance: float, seed: int, progress: Progress) -> Integers:
    """The places in ``rows`` of those that lie within the tolerance of an earlier one."""
    if not tolerance:
        return np.empty(0, np.int64)
    sketch = Sketch(frame.dimensions, tolerance, int(np.random.default_rng([seed, SKETCH_DRAW]).integers(2**31)))
    place = np.full(frame.source.rows, -1, np.int64)
    place[rows] = np.arange(len(rows))
    buckets = np.empty((len(rows), sketch.tables), np.uint64)
    progress.start("looking for near copies", frame.source.rows, "rows")
    for start, block in frame.source.blocks(BLOCK_ROWS):
        own = place[start : start + len(block)]
        buckets[own[own >= 0]] = sketch.buckets(frame.see(block[own >= 0]))
        progress.advance(len(block))

    def fetch(places: Integers) -> Floats:
        return frame.take(rows[places])

    return np.flatnonzero(later_near_duplicates(buckets, tolerance, fetch))
