"""What was said of vectors when they were looked at, kept for whoever judges runs over them."""

from __future__ import annotations

from dataclasses import dataclass

from truerecall.model.finding import CheckOutcome
from truerecall.model.subject import Subject


@dataclass(frozen=True)
class Inspected:
    """``outcomes``: what the checks that are about vectors said, with ties and contrast at the depth ``k``.
    ``sampled``: what was looked at of how much, in words."""

    subject: Subject
    k: int
    seed: int
    outcomes: tuple[CheckOutcome, ...]
    sampled: tuple[str, ...] = ()
