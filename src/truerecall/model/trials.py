"""What was tried on a run while the vectors were at hand, for those who judge it when they no longer are."""

from __future__ import annotations

from dataclasses import dataclass

from truerecall.model.judged import Rival


@dataclass(frozen=True)
class TruthSample:
    """``checked`` queries of the truth were recomputed and ``agreed`` of them agree; ``first``: the first disagreement
    in words, with its likely ``cause`` where one explains it; empty where there is none."""

    checked: int
    agreed: int
    first: str = ""
    cause: str = ""


@dataclass(frozen=True)
class Trials:
    """``rivals``: what the answers fit better than what was declared, best first; None where nobody looked.
    ``truth_sample``: None where the truth was built from these very vectors, or nobody looked. ``truth``: the digest
    of the content of the truth that both are about."""

    truth: str
    rivals: tuple[Rival, ...] | None = None
    truth_sample: TruthSample | None = None
