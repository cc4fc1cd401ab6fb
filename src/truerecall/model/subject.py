"""What a truth or a run is about: the facts that must agree before one may be held against the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from truerecall.errors import StaleTruth
from truerecall.model.ledger import Changes
from truerecall.model.vectors import Fingerprint

NOT_COMPARED: Mapping[str, Changes] = MappingProxyType({})


@dataclass(frozen=True)
class Subject:
    """The vectors of both sides, the distance between them, and the model that embedded them.

    All must agree. Of the models this is asked only where both sides name one: vectors that are the same byte for byte
    were embedded the same way, whoever said so.
    """

    distance: str
    corpus: Fingerprint
    queries: Fingerprint
    model: str | None = field(default=None, compare=False)

    def differences(self, other: Subject, changes: Mapping[str, Changes] = NOT_COMPARED) -> list[str]:
        """What differs, in words and numbers, this side first; empty where nothing does.

        ``changes``: what became of the rows of ``corpus`` or ``queries`` on the way to the other, where both sides
        keep a ledger.
        """
        found = []
        if None not in (self.model, other.model) and self.model != other.model:
            found.append(f"its vectors are of the model {self.model}, not {other.model}")
        if self.distance != other.distance:
            found.append(f"its distance is {self.distance}, not {other.distance}")
        for side, mine, theirs in (("corpus", self.corpus, other.corpus), ("queries", self.queries, other.queries)):
            if mine != theirs:
                found.append(f"it is of other {side}: {_difference(mine, theirs, changes.get(side))}")
        return found

    def fits(self, other: Subject) -> bool:
        """Whether one may be held against the other."""
        return not self.differences(other)


def demand_truth_about(
    truth: Subject,
    subject: Subject,
    *,
    name: str,
    remedy: str = "give the truth of these vectors, or build it anew",
    changes: Mapping[str, Changes] = NOT_COMPARED,
) -> None:
    """Raises StaleTruth unless the truth, called ``name``, is about the subject at hand."""
    found = truth.differences(subject, changes)
    if found:
        raise StaleTruth(f"{name} does not fit ({'; '.join(found)})", remedy)


def _difference(mine: Fingerprint, theirs: Fingerprint, changes: Changes | None) -> str:
    if mine.dimensions != theirs.dimensions:
        return f"{mine.dimensions:,} dimensions, not {theirs.dimensions:,}"
    if mine.dtype != theirs.dtype:
        return f"elements of {mine.dtype}, not {theirs.dtype} (the same values in another type are other vectors)"
    if mine.ids != theirs.ids:
        return f"ids of the kind {mine.ids}, not {theirs.ids}"
    counts = f": {changes}" if changes is not None else ""
    if mine.rows != theirs.rows:
        return f"{mine.rows:,} rows, not {theirs.rows:,}{counts}"
    digests = f"the same shape and other content, digest {mine.digest[:12]}, not {theirs.digest[:12]}"
    return f"{digests}{counts}"
