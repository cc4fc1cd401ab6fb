"""What was measured against: the truth card."""

from __future__ import annotations

from truerecall.model.truth import NOT_COUNTED, GroundTruth
from truerecall.report.parts import Fact
from truerecall.report.wording import flat_facts, queries


def truth_facts(truth: GroundTruth) -> tuple[Fact, ...]:
    """The truth card, in the order of interest."""
    corpus, asked = truth.corpus, truth.queries
    return (
        Fact("distance", truth.distance),
        Fact("depth (k)", str(truth.k)),
        Fact("state", truth.state),
        Fact("corpus", f"{_rows(truth)} × {corpus.dimensions:,} dimensions, {corpus.dtype}"),
        Fact("queries", f"{asked.rows:,} × {asked.dimensions:,} dimensions, {asked.dtype}"),
        Fact("ids", f"corpus {corpus.ids}, queries {asked.ids}"),
        Fact(f"tie across the cut at {truth.k}", _ties(truth)),
        Fact("copy of the query in the corpus", _copies(truth)),
        *(Fact(f"left out: {name}", text) for name, text in truth.reasons.items()),
        Fact("corpus fingerprint", _short(corpus.digest)),
        Fact("query fingerprint", _short(asked.digest)),
        *(Fact(f"made: {fact.name}", fact.value) for fact in flat_facts(truth.provenance)),
    )


def ties_across(truth: GroundTruth) -> int | None:
    """How many queries have more rows in the tie band at the cut than places left for them; None where nobody
    counted."""
    return int(truth.ties_across.sum()) if (truth.tied != NOT_COUNTED).any() else None


def _rows(truth: GroundTruth) -> str:
    drawn_from = truth.card.drawn_from
    rows = truth.corpus.rows
    return f"{rows:,} rows" if drawn_from is None else f"sampled corpus, {rows:,} of {drawn_from:,} rows"


def _ties(truth: GroundTruth) -> str:
    across = ties_across(truth)
    return "not counted" if across is None else queries(across)


def _copies(truth: GroundTruth) -> str:
    """How many queries have a copy in the corpus, where somebody counted."""
    counted = truth.copies != NOT_COUNTED
    return queries(int((truth.copies[counted] > 0).sum())) if counted.any() else "not counted"


def _short(digest: str) -> str:
    return digest[:12]
