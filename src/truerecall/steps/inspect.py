"""Examine vectors before anything is measured on them.

Every row is read for what can be counted exactly. What needs neighbours is taken from samples, drawn by the seed: the
nearest rows of a sampled row or query are found among all rows by the exact scan, since among a sample they would lie
too far away.
"""

from __future__ import annotations

import numpy as np

from truerecall.errors import InputError
from truerecall.kernels.ratios import wilson_interval
from truerecall.model.distance import Distance, distance_named
from truerecall.model.ids import rows_of
from truerecall.model.progress import SILENT, Progress
from truerecall.model.shape import CorpusShape, Estimate, Inspection, Lengths, QueryShape, undefined
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet, demand_fit
from truerecall.steps.check import examine
from truerecall.steps.identify import Identities, demand_bits, identify
from truerecall.steps.query_shape import Asked, no_query_usable, query_shape
from truerecall.steps.row_shape import (
    LOCAL_DEPTH,
    POINTS,
    Sample,
    closeness_of_rows,
    hubs_and_structure,
    lengths_of,
    local_dimension,
    spread_of,
    ties_of_rows,
)
from truerecall.steps.surroundings import Searching, geometry_of, surroundings
from truerecall.steps.survey import Survey, bits_of, survey
from truerecall.steps.truth import build_truth
from truerecall.steps.unusable import Policies, counted

LEAVE_OUT = Policies("leave-out", "leave-out")


def inspect(
    corpus: Corpus,
    queries: QuerySet | None = None,
    distance: str = "l2",
    k: int = 10,
    *,
    memory_bytes: int | None = None,
    seed: int = 0,
    progress: Progress = SILENT,
) -> Inspection:
    """The shape of a corpus, and of queries where they are given, with what the checks say about it.

    ``k``: the depth at which ties, hubs and contrast are taken, cut to the rows that there are. Vectors that the
    distance is not defined for are left out and counted. Raises InputError where no row is usable, where both sides
    differ in dimensions, and for bits under another distance than hamming or the other way round.
    """
    declared = distance_named(distance)
    random = np.random.default_rng(seed)
    if queries is not None:
        demand_fit(corpus, queries, 1)
    demand_bits(corpus.source, declared)
    surveyed = survey(corpus.source, declared, queries, progress)
    if not surveyed.usable.any():
        raise InputError(
            f"none of the {counted(corpus.source.rows, 'row')} of {corpus.source.name} is usable under {distance}",
            "give other vectors",
        )
    sample = Sample.drawn(corpus.source, surveyed, random)
    lengths = lengths_of(surveyed, sample, k)
    geometry = geometry_of(declared, lengths)
    how = Searching(geometry or declared, memory_bytes, progress)
    asked = None if queries is None else Asked(queries, how.distance, POINTS, random)
    sides = _identities(corpus, asked, sample, declared, progress)
    shape = _corpus_shape(corpus, surveyed, sample, sides, lengths, declared, k, how, random, seed)
    evidence: dict[str, object] = {"corpus_shape": shape}
    about, ties = None, undefined("there are no usable queries")
    if asked is not None and len(asked.queries):
        depth = min(k, shape.usable)
        truth = build_truth(
            corpus, asked.queries, distance, depth, identities=sides, memory_bytes=memory_bytes, progress=progress
        )
        rows = rows_of(truth.neighbors.ids, corpus.ids).reshape(len(asked.queries), depth)
        about = query_shape(asked, shape, surveyed, rows, corpus.source, sample, geometry, how, seed)
        ties = _ties(truth, whole=len(asked.queries) == len(asked.usable))
        evidence |= {"query_shape": about, "truth": truth, "copies": about.copies, "k": depth}
    elif asked is not None:
        about = no_query_usable(asked, shape)
        evidence |= {"query_shape": about}
    return Inspection(shape, about, ties, examine(evidence), _sampled(shape, sample, about), seed)


def _identities(
    corpus: Corpus, asked: Asked | None, sample: Sample, distance: Distance, progress: Progress
) -> Identities:
    """Which vectors these are. Without usable queries a sampled row stands for them."""
    queries = QuerySet(sample.vectors[:1], bits=corpus.source.bits)
    if asked is not None and len(asked.queries):
        queries = asked.queries
    return identify(corpus, queries, distance, policies=LEAVE_OUT, progress=progress)


def _corpus_shape(
    corpus: Corpus,
    surveyed: Survey,
    sample: Sample,
    sides: Identities,
    lengths: Lengths | None,
    declared: Distance,
    k: int,
    how: Searching,
    random: np.random.Generator,
    seed: int,
) -> CorpusShape:
    source, points, geometry = corpus.source, slice(0, sample.points), geometry_of(declared, lengths)
    others = int(surveyed.usable.sum()) - 1  # a row may not find itself
    cut, local = min(k, others), min(LOCAL_DEPTH, others // 10)
    depth = min(others, max(k + 1, local))
    around = surroundings(source, sample.vectors[points], depth, how, usable=surveyed.usable, own=sample.rows[points])
    bits = bits_of(source, how.distance)
    hubs, structure = hubs_and_structure(sample, source.bits, k, how, geometry, random)
    dimensions, estimate = local_dimension(around.cut(local), geometry, seed)
    integral = source.dtype.kind in "iu"
    return CorpusShape(
        fingerprint=sides.corpus.fingerprint,
        name=source.name,
        distance=declared.name,
        geometry=None if geometry is None else geometry.name,
        k=cut,
        dimensions=source.dimensions if bits is None else bits,
        usable=others + 1,
        faults=surveyed.faults,
        duplicates=surveyed.duplicates,
        constant=surveyed.constant,
        spread=spread_of(sample.vectors, bits),
        lengths=lengths,
        closeness=closeness_of_rows(sample, around, geometry, cut, others + 1),
        local=dimensions,
        local_depth=local,
        dimension=estimate,
        ties=ties_of_rows(around, how.distance, cut, integral=integral),
        hubs=hubs,
        structure=structure,
    )


def _ties(truth: GroundTruth, *, whole: bool) -> Estimate:
    """The share of inspected queries with a tie across the cut."""
    hits, n = int(truth.ties_across.sum()), len(truth)
    return Estimate(hits / n, n) if whole else Estimate(hits / n, n, wilson_interval(hits, n), "wilson")


def _sampled(shape: CorpusShape, sample: Sample, queries: QueryShape | None) -> tuple[str, ...]:
    """What was looked at of how much."""
    rows = counted(shape.faults.n, "row")
    said = [f"every row was read for duplicates, unusable values, lengths and constant dimensions ({rows})"]
    if shape.usable > sample.points:
        said.append(
            f"{sample.points:,} sampled rows were held against all usable rows for intrinsic dimension, contrast and"
            " ties"
        )
    else:
        said.append("every usable row was held against all others for intrinsic dimension, contrast and ties")
    n = len(sample.rows)
    part = f"{n:,} sampled rows" if n < shape.usable else f"all {counted(n, 'usable row')}"
    said.append(f"{part} were held against each other for hubs and structure")
    if queries is not None:
        usable = queries.repeats.n
        part = f"all {usable:,}" if queries.inspected == usable else f"{queries.inspected:,} of {usable:,}"
        said.append(f"{part} usable queries were held against all usable rows")
    return tuple(said)
