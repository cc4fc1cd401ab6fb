"""The ground truth: for every query its exact nearest neighbours, and what they were computed from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Booleans, Ids, Integers, frozen
from truerecall.model.ledger import Ledger
from truerecall.model.neighbors import Neighbors
from truerecall.model.subject import Subject
from truerecall.model.vectors import Fingerprint

PROVED = "proved"
"""The state of a truth whose every list was separated from the rest of the corpus by a bound or a full scan, or was
recomputed by a second implementation and agreed."""

SAMPLED = "sampled"
"""The state of a truth of which a sample of queries was recomputed and held."""

UNPROVED = "unproved"
"""The state of a truth that came from elsewhere as exact, and that nobody has recomputed."""

APPROXIMATE = "approximate"
"""The state of lists that an index made: agreement with them is not recall."""

NOT_COUNTED = -1
"""Stands in ``nearer``, ``tied`` and ``copies`` for a query for which nobody counted them."""

MOVING = "corpus_without_snapshot"
"""Under this name the provenance says why the rows may have changed while the truth was made."""

NORMALISATION = "none"
"""What was done to the length of vectors before they were compared: a truth is always of the vectors as stored."""


@dataclass(frozen=True)
class Card:
    """What a golden set says of itself beyond what its vectors show.

    ``model``: name and version of the model that embedded both sides. ``snapshot``: what the user calls this state of
    the corpus. ``drawing``: how the queries were drawn. ``drawn_from``: of how many rows the corpus is a sample.
    """

    model: str | None = None
    snapshot: str | None = None
    drawing: Mapping[str, Any] | None = None
    drawn_from: int | None = None


@dataclass(frozen=True, eq=False)
class Upkeep:
    """What a truth keeps so that it can say what changed, and can be brought up to date. No part of its content.

    ``corpus`` and ``queries``: the ledgers, whose digests are the fingerprints of the truth. ``slack``: for each
    query the rows that come next after its list, in order; may be empty.
    """

    corpus: Ledger
    queries: Ledger
    slack: Neighbors


@dataclass(frozen=True, eq=False)
class GroundTruth:
    """Exact neighbours to depth ``k``.

    One entry per query in ``query_ids``, ``neighbors`` and in each of these counts over the whole corpus:
    ``eligible`` rows that may answer; of these, ``nearer`` rows that lie before the tie band at the cut, ``tied`` rows
    inside it (one, where nothing ties), ``copies`` rows that equal the query byte for byte; NOT_COUNTED where nobody
    counted. ``reasons``: what left rows or queries out -> in words (see ``Eligibility``); empty where all may answer.
    ``provenance`` says when, where and how it was computed; two truths with the same content are the same truth.
    ``upkeep`` is None where it was dropped.
    """

    distance: str
    k: int
    state: str
    corpus: Fingerprint
    queries: Fingerprint
    query_ids: Ids
    neighbors: Neighbors
    eligible: Integers
    nearer: Integers
    tied: Integers
    copies: Integers
    reasons: Mapping[str, str] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    card: Card = Card()
    upkeep: Upkeep | None = None

    def __post_init__(self) -> None:
        for name in ("query_ids", "eligible", "nearer", "tied", "copies"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    def __len__(self) -> int:
        return len(self.query_ids)

    @property
    def subject(self) -> Subject:
        return Subject(self.distance, self.corpus, self.queries, self.card.model)

    @property
    def ties_across(self) -> Booleans:
        """For each query whether more rows lie in the tie band at the cut than there are places left for them."""
        return np.asarray(self.nearer + self.tied > self.neighbors.lengths)

    def demand_depth(self, k: int) -> None:
        """Raises InputError where a list ends before k though more rows were eligible."""
        short = self.neighbors.lengths < k
        if k > self.k and bool((short & (self.neighbors.lengths < self.eligible)).any()):
            raise InputError(
                f"the truth holds {self.k} neighbours per query and k is {k}",
                f"ask for k <= {self.k}, or build a deeper truth",
            )
