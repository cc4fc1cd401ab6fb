"""Lies about the vectors."""

from __future__ import annotations

import numpy as np

from sabotage.liars import Liar
from sabotage.lie import Lie
from sabotage.lies.queries import honest, under_cosine
from sabotage.workshop import K, Workshop
from truerecall.engines.faiss import engine as faiss
from truerecall.model.finding import Finding
from truerecall.model.plan import EnginePlan
from truerecall.model.source import ArraySource, CorpusSource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.truth import build_truth

BYTES = EnginePlan("usearch", {"dtype": "i8"}, {"expansion_search": (16, 64)})


def random_numbers(shop: Workshop) -> list[Finding]:
    """H34, see also: where there is nothing to find, every row is as near as any other."""
    random = np.random.default_rng(3)
    rows = random.uniform(size=shop.x.shape).astype(np.float32)
    asked = random.uniform(size=shop.q.shape).astype(np.float32)
    return shop.findings(corpus=Corpus(ArraySource(rows, "noise")), queries=QuerySet(asked))


def zeros(shop: Workshop) -> list[Finding]:
    rows = shop.x.copy()
    rows[::50] = 0
    return shop.findings(corpus=Corpus(ArraySource(rows, "definitions")), distance="cosine")


class ByInnerProduct(Liar):
    """Told l2, it builds for the inner product."""

    def __init__(self) -> None:
        super().__init__(lambda index: index)

    def build(self, source: CorpusSource, distance: str, *given: object, **named: object) -> object:
        return faiss.build(source, "ip", *given, **named)  # type: ignore[arg-type]

    def load(self, path: object, source: CorpusSource, distance: str, *given: object, **named: object) -> object:
        return faiss.load(path, source, "ip", *given, **named)  # type: ignore[arg-type]


def of_many_lengths(shop: Workshop) -> Corpus:
    lengths = np.random.default_rng(4).lognormal(0, 1, (shop.rows, 1)).astype(np.float32)
    return Corpus(ArraySource(shop.x * lengths, "definitions"))


def another_distance(shop: Workshop) -> list[Finding]:
    """H07: l2 declared, inner product searched, rows of many lengths."""
    return shop.findings(corpus=of_many_lengths(shop), liar=ByInnerProduct())


def the_same_distance(shop: Workshop) -> list[Finding]:
    return shop.findings(corpus=of_many_lengths(shop))


def bytes_of_many_lengths(shop: Workshop) -> list[Finding]:
    """H10, see also: an int8 index that brings every vector into its range loses what l2 hangs on."""
    return shop.findings(BYTES, corpus=of_many_lengths(shop))


def bytes_of_directions(shop: Workshop) -> list[Finding]:
    return shop.findings(BYTES, distance="cosine")


def another_model(shop: Workshop) -> list[Finding]:
    """The truth is of one model and the run of another."""
    return shop.findings(truth=build_truth(shop.corpus, shop.asked, "l2", K, model="minilm"), model="mpnet")


LIES = (
    Lie("random numbers", "vectors without structure", "structureless", random_numbers, honest),
    Lie("zeros", "rows of zeros under cosine", "InputError", zeros, under_cosine),
    Lie(
        "other distance", "inner product where l2 was declared", "better-explained", another_distance, the_same_distance
    ),
    Lie("bytes", "an int8 index for real numbers", "int8-out-of-range", bytes_of_many_lengths, bytes_of_directions),
    Lie("other model", "truth and run name two models", "StaleTruth", another_model, honest),
)
