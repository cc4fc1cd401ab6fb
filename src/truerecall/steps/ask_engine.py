"""What an engine itself finds by its own exhaustive search, held against a truth.

A second opinion, never the truth: an engine computes in float32, and knows nothing of how ties are broken here. So what
it found is taken by our own distances, and it agrees wherever what it named is as near as what the truth lists, up to
what float32 can tell.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from truerecall import shelf
from truerecall.errors import InputError
from truerecall.model.arrays import Booleans, Floats
from truerecall.model.engine import Answer, Engine, Place
from truerecall.model.filter import Filter
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.model.verification import EngineOpinion
from truerecall.steps.answers import named_neighbors
from truerecall.steps.attached import demand_capable, demand_dimensions
from truerecall.steps.verify import drawn_queries
from truerecall.store.live import live_name

AS_NEAR = 1e-5
"""By so much, of the largest distance in a list, what an engine found may lie apart: many roundings of a float32."""


def ask_engine(
    truth: GroundTruth,
    corpus: Corpus,
    queries: QuerySet,
    address: str,
    *,
    where: Filter | None = None,
    left_out: Booleans | None = None,
    sample: int | None = None,
    seed: int = 0,
    dsn_file: Path | None = None,
) -> EngineOpinion:
    """Ask the index at ``address`` (``ENGINE:NAME``) for the exact neighbours of a ``sample`` of the queries, all where
    it is None. ``where``: the filter that the truth was made with. ``left_out``: True for each of the ``queries`` that
    is unusable and has no neighbours; these are not asked.

    Raises InputError for an address that is none, and where the engine has no exhaustive search or no index there.
    """
    named = live_name(address)
    if named is None:
        raise InputError(
            f"{address} names no index of an engine", "write ENGINE:NAME, as pgvector:items?id=id&vector=v"
        )
    engine: Engine = shelf.engines.get(named[0])
    for capability in ("attach", "exact"):
        demand_capable(engine, capability)
    picked = drawn_queries(len(truth), sample, seed)
    places = rows_of(truth.query_ids[picked], queries.ids)
    if left_out is not None:
        usable = ~left_out[places]
        picked, places = picked[usable], places[usable]
    asked = QuerySet(queries.vectors[places], truth.query_ids[picked], queries.name, queries.bits)
    with TemporaryDirectory(prefix="truerecall-") as folder:
        index = engine.attach(named[1], truth.distance, place=Place(Path(folder), dsn_file))
        try:
            demand_dimensions(index, named[1], corpus.source)
            index.restrict(where)
            prepared = index.prepare(asked.vectors)
            found: list[Answer] = [index.exact(prepared[i : i + 1], truth.k) for i in range(len(prepared))]
            server = index.server
        finally:
            index.close()
    theirs = named_neighbors(found, corpus, asked, truth.distance)
    same, near, apart, first = 0, 0, 0, ""
    for place, query in enumerate(picked.tolist()):
        ours = truth.neighbors.of(query)
        own = theirs.of(place)
        whole = len(own[0]) == len(ours[0]) == len(np.unique(own[0]))
        if whole and not (rows_of(own[0], ours[0]) == NO_ROW).any():
            same += 1
        elif whole and _as_near(own[1], ours[1]):
            near += 1
        else:
            apart += 1
            first = first or _told(truth.query_ids[query], own, ours)
    return EngineOpinion(engine.name, server, len(picked), same, near, apart, first)


def _as_near(theirs: Floats, ours: Floats) -> bool:
    """Whether what they found is as near, place by place: neither farther, nor nearer than what the truth lists."""
    allowed = AS_NEAR * max(float(np.abs(ours).max(initial=0.0)), float(np.finfo(np.float32).tiny))
    return bool((np.abs(np.sort(theirs) - ours) <= allowed).all())  # False where a distance is NaN


def _told(query: object, theirs: tuple[Any, Floats], ours: tuple[Any, Floats]) -> str:
    if len(np.unique(theirs[0])) != len(theirs[1]):
        return f"for query {query} it found a row twice"
    if len(theirs[1]) != len(ours[1]):
        return f"for query {query} it found {len(theirs[1])} rows and the truth lists {len(ours[1])}"
    without = theirs[0][np.isnan(theirs[1])]
    if len(without):
        return f"for query {query} it found {without[0]}, which is no row that the truth could list"
    nearer = np.sort(theirs[1]) < ours[1] - AS_NEAR * np.abs(ours[1]).max(initial=0.0)
    if nearer.any():
        return f"for query {query} it found rows that are nearer than those in the truth"
    last = float(np.sort(theirs[1])[-1])
    return f"for query {query} the last that it found is at {last:.9g}, and the last in the truth at {ours[1][-1]:.9g}"
