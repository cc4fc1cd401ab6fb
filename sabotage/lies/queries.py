"""Lies about the queries."""

from __future__ import annotations

import numpy as np

from sabotage.lie import Lie
from sabotage.workshop import GRAPH, Workshop, changed
from truerecall.model.finding import Finding
from truerecall.model.plan import EnginePlan
from truerecall.model.vectors import QuerySet


def honest(shop: Workshop) -> list[Finding]:
    return shop.findings()


def rows_as_queries(shop: Workshop) -> list[Finding]:
    return shop.findings(queries=QuerySet(shop.x[:: max(1, shop.rows // shop.queries)][: shop.queries]))


def from_elsewhere(shop: Workshop) -> list[Finding]:
    random = np.random.default_rng(1)
    away = shop.q + 1.5 * shop.q.std() * random.normal(size=shop.q.shape)
    return shop.findings(queries=QuerySet(away.astype(np.float32)))


def from_here(shop: Workshop) -> list[Finding]:
    """Queries that were held out of the corpus, measured on another graph."""
    return shop.findings(changed(GRAPH, factory="HNSW32"))


def six_queries(shop: Workshop) -> list[Finding]:
    return shop.findings(queries=QuerySet(shop.q[:6]))


def inverted_file(shop: Workshop) -> list[Finding]:
    return shop.findings(EnginePlan("faiss", {"factory": "IVF64,Flat"}, {"nprobe": (1, 4, 16)}))


def one_query_again_and_again(shop: Workshop) -> list[Finding]:
    return shop.findings(queries=QuerySet(np.repeat(shop.q[:1], 10, axis=0)))


def under_cosine(shop: Workshop) -> list[Finding]:
    return shop.findings(distance="cosine")


LIES = (
    Lie("rows as queries", "queries are rows of the corpus", "queries-in-corpus", rows_as_queries, honest),
    Lie("foreign queries", "queries come from another distribution", "query-shift", from_elsewhere, from_here),
    Lie("six queries", "a claim to three digits rests on six queries", "too-few-queries", six_queries, inverted_file),
    Lie(
        "one query",
        "one query vector is asked ten times",
        "few-distinct-queries",
        one_query_again_and_again,
        under_cosine,
    ),
)
