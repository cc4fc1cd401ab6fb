"""Lies in answers that some system gave: files and lists, without an engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import truerecall
from sabotage.liars import Failing, Liar, Repeating, Unreachable
from sabotage.lie import Lie
from sabotage.lies.queries import honest
from sabotage.workshop import K, Workshop
from truerecall.model.arrays import texts
from truerecall.model.finding import Finding
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus

FAR = 2**53
"""Ids from here on are not all doubles."""


def judged(shop: Workshop, lists: Sequence[Any], ids: Any = None, **how: Any) -> tuple[Finding, ...]:
    """What is said of these answers, where rows are called ``ids``."""
    corpus = Corpus(ArraySource(shop.x, "definitions"), ids)
    truth = shop.truth(corpus=corpus)
    return truerecall.score(truth, lists, k=K, corpus=corpus, queries=shop.asked, **how).findings


def found(shop: Workshop, ids: Any = None) -> list[Any]:
    """Good answers: the true ones, but that every fourth query misses its last."""
    truth = shop.truth(corpus=Corpus(ArraySource(shop.x, "definitions"), ids))
    lists = [truth.neighbors.of(i)[0].tolist() for i in range(len(truth))]
    strange = [next(own for own in truth.neighbors.ids.tolist() if own not in row) for row in lists]
    return [
        [*row[:-1], other] if i % 4 == 0 else row for i, (row, other) in enumerate(zip(lists, strange, strict=True))
    ]


def plain(shop: Workshop) -> tuple[Finding, ...]:
    return judged(shop, found(shop))


def padded(shop: Workshop) -> tuple[Finding, ...]:
    """H13, H20: lists of forty, filled up with -1."""
    return judged(shop, [[*row, *[-1] * 3] for row in found(shop)], asked_k=K + 3)


def deleted(shop: Workshop) -> tuple[Finding, ...]:
    """H22: ids of rows that are no longer there."""
    return judged(shop, [[shop.rows + i, *row[:-1]] for i, row in enumerate(found(shop))])


def positions(shop: Workshop) -> tuple[Finding, ...]:
    """Row numbers where ids were asked for."""
    return judged(shop, found(shop), np.random.default_rng(5).permutation(shop.rows))


def by_id(shop: Workshop) -> tuple[Finding, ...]:
    ids = np.random.default_rng(5).permutation(shop.rows)
    return judged(shop, found(shop, ids), ids)


def rounded(shop: Workshop) -> tuple[Finding, ...]:
    """H11: 64-bit ids that went through a double."""
    ids = FAR + 1 + 2 * np.arange(shop.rows)
    return judged(shop, [[int(float(own)) for own in row] for row in found(shop, ids)], ids)


def exact_ids(shop: Workshop) -> tuple[Finding, ...]:
    ids = FAR + 1 + 2 * np.arange(shop.rows)
    return judged(shop, found(shop, ids), ids)


def named(shop: Workshop) -> tuple[Finding, ...]:
    ids = texts([f"row {i}" for i in range(shop.rows)])
    return judged(shop, found(shop, ids), ids)


def repeating(shop: Workshop) -> list[Finding]:
    return shop.findings(liar=Liar(Repeating))


def failing(shop: Workshop) -> list[Finding]:
    return shop.findings(liar=Liar(Failing))


def unreachable(shop: Workshop) -> list[Finding]:
    return shop.findings(liar=Liar(Unreachable))


LIES = (
    Lie("repeats", "the best row, ten times", "repeated-ids", repeating, honest),
    Lie("padding", "lists are filled up with -1", "padded-answers", padded, plain),
    Lie("deleted rows", "ids that are not live", "unknown-ids", deleted, plain),
    Lie("positions", "row numbers instead of ids", "better-explained", positions, by_id),
    Lie("rounded ids", "64-bit ids through a double", "unknown-ids", rounded, exact_ids),
    Lie("failures", "two of five calls fail", "failed-queries", failing, named),
    Lie("nobody at home", "every call fails, fast", "failed-queries", unreachable, named),
)
