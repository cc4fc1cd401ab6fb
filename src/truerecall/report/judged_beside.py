"""What stands beside a score of judged answers: exact search, what was derived, the low end, and its parts."""

from __future__ import annotations

from dataclasses import dataclass

from truerecall.model.score import Beside, Score
from truerecall.report.curve_parts import StratumRow
from truerecall.report.score_rows import low_words, stratum_row
from truerecall.report.wording import estimate, percent


@dataclass(frozen=True)
class Divided:
    """A measure in each part of the queries; ``kind``: what a part is, ``stratum`` or ``group``."""

    measure: str
    kind: str
    rows: tuple[StratumRow, ...]


def beside(score: Score, *, headline: bool) -> tuple[str, ...]:
    """A sentence each; of which value was derived, of exact search, and for the headline of the queries that fare
    worst: for every measure that would be the same again."""
    sentences = [f"{score.measure}: {score.per_query.note}."] if score.per_query.note else []
    if score.beside is not None and score.mean is not None:
        sentences.append(f"{score.measure}: {exact_words(score.beside)}")
    low = low_words(score) if headline else ""
    return (*sentences, *([f"{score.measure}: {low}"] if low else ()))


def exact_words(own: Beside) -> str:
    """What the index loses, which a better search would win back, and what was lost before it was asked."""
    sign, claim = (1, "The index loses {} points") if own.lost >= 0 else (-1, "The answers score {} points more")
    ends = () if own.lost_ci95 is None else sorted(100 * sign * end for end in own.lost_ci95)
    sure = f" [{', '.join(f'{end:.1f}' for end in ends)}]" if ends else ""
    return (
        f"exact search scores {percent(own.exact)} on the same queries."
        f" {claim.format(f'{abs(100 * own.lost):.1f}{sure}')}; the {100 * (1 - own.exact):.1f} that exact search lacks"
        " are the embedding model's, or more than the labels allow."
    )


def divided(score: Score, *, headline: bool) -> tuple[Divided, ...]:
    """The headline by stratum, and every measure by groups of its own, as far as there are any."""
    kinds = (("stratum", score.strata if headline else ()), ("group", score.groups))
    return tuple(
        Divided(score.measure, kind, tuple(stratum_row(score.measure, own) for own in parts))
        for kind, parts in kinds
        if parts
    )


def part_words(row: StratumRow) -> tuple[str, str, str]:
    """The name, the mean and the number of queries of a part."""
    return row.name + (" (thin)" if row.thin else ""), estimate(row.score), f"{row.score.n:,}"
