"""How far a corpus has moved away from the one that a truth describes, where the user allowed it to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Drift:
    """The truth is of the corpus with the digest ``truth``, what was measured is the one with the digest ``corpus``.

    Of the ``rows`` that the truth describes some were ``removed`` and ``changed``, others were ``added``; ``told``
    names a few. ``affected``: of how many of the ``queries`` the exact neighbours can differ; no other query's can.
    ``allowed``: the largest share of rows that the user let differ.
    """

    truth: str
    corpus: str
    rows: int
    added: int
    removed: int
    changed: int
    told: str
    queries: int
    affected: int
    allowed: float

    @property
    def share(self) -> float:
        """Rows added, removed and changed, over the rows that the truth describes."""
        return (self.added + self.removed + self.changed) / self.rows
