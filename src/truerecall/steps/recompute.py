"""Recompute lists of a truth by the second look, and hold each against what the truth says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from truerecall.model.arrays import Ids, Integers, Vectors
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.progress import Progress
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus
from truerecall.model.verification import Disagreement
from truerecall.scan.question import Look, Question, nothing_seen
from truerecall.scan.second_look import look
from truerecall.steps.agreement import Listed, disagreement
from truerecall.steps.eligible import Asked
from truerecall.steps.likely_cause import TRIED, Trial


@dataclass(frozen=True, eq=False)
class Checked:
    """The lists that were recomputed, one by one: what is asked, what the truth says, what was seen, what differs."""

    question: Question
    listed: list[Listed]
    seen: list[Look]
    faults: list[Disagreement | None]

    @property
    def wrong(self) -> list[int]:
        return [which for which, fault in enumerate(self.faults) if fault is not None]

    @property
    def largest_difference(self) -> float:
        """The largest between a stored distance and the recomputed one; zero where none can be compared."""
        pairs = zip(self.listed, self.seen, strict=True)
        return float(np.nanmax(np.concatenate([[0.0], *(np.abs(one.distances - seen.at) for one, seen in pairs)])))

    def trial(self, ids: Ids, largest_row: int) -> Trial | None:
        """Some wrong lists and some right ones, to try suspicions on; None where no wrong query could be asked."""
        right = [which for which, fault in enumerate(self.faults) if fault is None]
        wrong, right = ([w for w in some if self.question.places[w] != NO_ROW] for some in (self.wrong, right))
        tried = sorted([*wrong[:TRIED], *right[:TRIED]])
        listed, seen = [self.listed[which] for which in tried], [self.seen[which] for which in tried]
        return Trial(self.question.only(tried), listed, seen, ids, largest_row) if wrong else None


def recomputed(
    truth: GroundTruth, picked: Integers, corpus: Corpus, vectors: Vectors, asked_places: Integers, asked: Asked,
    progress: Progress,
) -> tuple[Checked, Trial | None]:  # fmt: skip
    """The lists of the queries at ``picked``, and the trial of the wrong ones.

    ``vectors``: those of the picked queries; ``asked_places``: where these are in ``asked``, NO_ROW where they were
    left out.
    """
    ids = corpus.ids
    rows = rows_of(truth.neighbors.ids, ids)
    names = truth.query_ids[picked].tolist()
    listed = [_listed(truth, int(place), name, rows) for place, name in zip(picked, names, strict=True)]
    question = Question(corpus.source, vectors, asked_places.tolist(), truth.distance, truth.k, asked.eligibility)
    can = np.flatnonzero(asked_places != NO_ROW).tolist()
    looks = iter(look(question.only(can), [listed[which].rows for which in can], progress))
    seen = [
        next(looks) if place != NO_ROW else nothing_seen(len(one.ids))
        for place, one in zip(asked_places, listed, strict=True)
    ]
    faults = [disagreement(one, own, ids[own.rows]) for one, own in zip(listed, seen, strict=True)]
    checked = Checked(question, listed, seen, faults)
    return checked, checked.trial(ids, int(rows.max(initial=0))) if checked.wrong else None


def _listed(truth: GroundTruth, place: int, name: Any, rows: Integers) -> Listed:
    ids, distances = truth.neighbors.of(place)
    return Listed(
        query=name,
        ids=ids,
        rows=rows[truth.neighbors.offsets[place] : truth.neighbors.offsets[place + 1]],
        distances=distances,
        eligible=int(truth.eligible[place]),
        nearer=int(truth.nearer[place]),
        tied=int(truth.tied[place]),
    )
