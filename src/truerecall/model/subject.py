"""What a truth or a run is about: the facts that must agree before one may be held against the other."""

from __future__ import annotations

from dataclasses import dataclass

from truerecall.errors import StaleTruth
from truerecall.model.vectors import Fingerprint


@dataclass(frozen=True)
class Subject:
    """The vectors of both sides and the distance between them. Every field must agree."""

    distance: str
    corpus: Fingerprint
    queries: Fingerprint

    def differences(self, other: Subject) -> list[str]:
        """What differs, in words and numbers, this side first; empty where nothing does."""
        found = []
        if self.distance != other.distance:
            found.append(f"its distance is {self.distance}, not {other.distance}")
        for side, mine, theirs in (("corpus", self.corpus, other.corpus), ("queries", self.queries, other.queries)):
            if mine != theirs:
                found.append(f"it is of other {side}: {_difference(mine, theirs)}")
        return found


def demand_truth_about(
    truth: Subject,
    subject: Subject,
    *,
    name: str,
    remedy: str = "give the truth of these vectors, or build it anew",
) -> None:
    """Raises StaleTruth unless the truth, called ``name``, is about the subject at hand."""
    found = truth.differences(subject)
    if found:
        raise StaleTruth(f"{name} does not fit ({'; '.join(found)})", remedy)


def _difference(mine: Fingerprint, theirs: Fingerprint) -> str:
    for fact in ("rows", "dimensions", "dtype", "ids"):
        was, is_now = getattr(mine, fact), getattr(theirs, fact)
        if was != is_now:
            return f"{was:,} {fact}, not {is_now:,}" if isinstance(was, int) else f"{fact} {was}, not {is_now}"
    return f"the same shape and other content, digest {mine.digest[:12]}, not {theirs.digest[:12]}"
