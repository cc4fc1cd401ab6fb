"""Lies about the index: it did less than it seemed, or something else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from sabotage.liars import (
    EF,
    AdmittedScan,
    BruteForce,
    Cut,
    DeadKnob,
    Forgetful,
    Liar,
    NothingIndexed,
    PartlyIndexed,
    Tiring,
    Unheeding,
)
from sabotage.lie import Lie, Program
from sabotage.workshop import GRAPH, Workshop, changed
from truerecall.model.engine import Setting
from truerecall.model.finding import Finding
from truerecall.model.plan import EnginePlan
from truerecall.model.source import ArraySource
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus

FLAT = EnginePlan("faiss", {"factory": "Flat"}, {"efSearch": (16, 64, 256)})
LISTS = EnginePlan("faiss", {"factory": "IVF32,Flat"}, {"nprobe": (8, 16, 32)})
SPARSE = changed(GRAPH, factory="HNSW4", efSearch=(10, 40, 320))
FROM_FOUR = changed(GRAPH, efSearch=(4, 16, 64))
LIMITING = Setting("efSearch", int, EF.meaning, 16, 1, 10_000, True, limits_answers=True)


def told_by(twist: Callable[[Any], Any], own: EnginePlan, *searchable: Setting) -> Program:
    """The program that measures such a liar."""

    def program(shop: Workshop) -> list[Finding]:
        return shop.findings(own, liar=Liar(twist, searchable or None))

    return program


def a_flat_index(shop: Workshop) -> list[Finding]:
    """It scans everything, and says so."""
    return shop.findings(EnginePlan("faiss", {"factory": "Flat"}))


def in_this_process(shop: Workshop) -> list[Finding]:
    return shop.findings(GRAPH, liar=Liar(lambda index: index))


def product_codes(shop: Workshop) -> list[Finding]:
    """Codes that cannot reach 1, swept."""
    return shop.findings(EnginePlan("faiss", {"factory": "IVF32,PQ32"}, {"nprobe": (1, 4, 16)}))


def every_list(shop: Workshop) -> list[Finding]:
    return shop.findings(LISTS)


def moved_vectors(shop: Workshop) -> list[Finding]:
    """Every list is visited, but the truth is that of vectors which were moved a little since, under the old name."""
    moved = shop.x + 0.3 * shop.x.std() * np.random.default_rng(2).normal(size=shop.x.shape).astype(np.float32)
    other = shop.truth(corpus=Corpus(ArraySource(moved, "definitions")))
    truth = shop.truth()
    return shop.findings(LISTS, truth=replace(truth, neighbors=other.neighbors))


def careless_truth(shop: Workshop) -> GroundTruth:
    """What a careless graph found, passed off as the truth: H17."""
    (curve,) = shop.curves(changed(SPARSE, efSearch=(10,)), repeats=1)
    run = curve.points[0].run
    return replace(shop.truth(), neighbors=run.neighbors)


def graph_as_truth(shop: Workshop) -> list[Finding]:
    return shop.findings(SPARSE, truth=careless_truth(shop))


def more_effort(shop: Workshop) -> list[Finding]:
    return shop.findings(SPARSE)


LIES = (
    Lie(
        "admitted scan",
        "the plan is a sequential scan",
        "index-not-used",
        told_by(AdmittedScan, FLAT, EF),
        a_flat_index,
    ),
    Lie(
        "nothing indexed", "green, 0 rows indexed", "index-not-used", told_by(NothingIndexed, FLAT, EF), in_this_process
    ),
    Lie("silent scan", "brute force behind a knob", "always-perfect", told_by(BruteForce, FLAT, EF), every_list),
    Lie("nine tenths", "a tenth is not indexed", "partly-indexed", told_by(PartlyIndexed, GRAPH), in_this_process),
    Lie("dead knob", "a setting is taken and not used", "knob-without-effect", told_by(DeadKnob, SPARSE), more_effort),
    Lie("unheeding", "another setting is in force", "setting-ignored", told_by(Unheeding, GRAPH), in_this_process),
    Lie("effort below k", "effort 4 for 10 rows", "effort-below-k", told_by(Cut, FROM_FOUR, LIMITING), more_effort),
    Lie("moved vectors", "an exhaustive scan misses", "exhaustive-below-one", moved_vectors, every_list),
    Lie("graph as truth", "a careless graph's lists are the truth", "truth-disagrees", graph_as_truth, more_effort),
    Lie("tiring", "more effort, less recall", "recall-falls", told_by(Tiring, SPARSE), more_effort),
    Lie("forgetful", "the same question, other answers", "answers-differ", told_by(Forgetful, GRAPH), product_codes),
)
