"""Qdrant Edge, in this process: Qdrant's own storage and HNSW over a folder.

Before ``optimize()`` it has no graph, searches exactly, and says nothing; a build calls it. A segment below
``full_scan_threshold`` is scanned although it has a graph, and one below ``indexing_threshold`` gets none: both are in
KB of vectors, and stand low here so that small corpora are measured through the graph. Graphs are drawn at random
and cannot be seeded. Scores are never passed on.

State
    Points that have the vector, how many of them the graphs hold, and segment by segment whether it has a graph and
    uses it, by its size and the thresholds in its own files. Behind a filter the path is unknown: where few points
    pass Qdrant compares them one by one, and does not say so.

Costs
    It counts nothing.

Attached
    ``--attach "FOLDER?vector=NAME"``, the vector where points have several. Opening a shard writes into it, so that it
    is copied first and the copy is asked; nobody should be writing to it meanwhile. Ids are whole numbers or UUIDs, and
    answers come by them.

Traps
    - Before ``optimize()`` there is no graph, and every search is exact: a build calls it, and an index that was
      attached to without it raises ``index-not-used``.
    - Both thresholds are in KB of vectors, not in rows. Below either there is a scan: ``index-not-used``.
    - Without ``payload_index`` a filter of 10 % finds few of its rows; where very few pass, they are compared one
      by one and all found. Between the two lies the trap.
    - Binary codes without ``rescore`` have a low ceiling, however wide the search.
    - Cosine stores vectors of unit length.
    - The binding takes Python's True for the number 1; filters hand it over otherwise. Texts have no order.
    - Numbers with a fraction and many digits come back from its files with another last one: comparisons with more
      than 15 digits are refused, and so are infinite values and order among whole numbers from 2**53.

Example
    --engine qdrant_edge --set m=16 --vary hnsw_ef=16,64,256 --distance l2
    --engine qdrant_edge --set quantization=scalar --vary rescore=yes,no --distance l2
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from truerecall.engines._address import parsed
from truerecall.engines._base import demand_shape
from truerecall.engines._folders import emptied, unpack
from truerecall.engines._library import installed
from truerecall.engines._qdrant_base import GraphsOfQdrant
from truerecall.engines._qdrant_files import segments, vector_names
from truerecall.engines._qdrant_filter import named
from truerecall.engines._qdrant_words import OWN_NAMES, checked_graph
from truerecall.engines._touched import identity_of_files
from truerecall.errors import InputError
from truerecall.model.attributes import Attributes
from truerecall.model.engine import Place, Settings
from truerecall.model.source import CorpusSource
from truerecall.model.vectors import Corpus

if TYPE_CHECKING:
    from truerecall.engines._qdrant_edge_index import EdgeIndex

SHARD = "shard"


class QdrantEdgeEngine(GraphsOfQdrant):
    """Builds shards, opens saved ones, and attaches to a copy of one that exists."""

    name = "qdrant_edge"
    extra = "qdrant-edge"
    tested_with = "0.9.0"

    def version(self) -> str | None:
        return installed("qdrant-edge-py")

    def build(
        self,
        source: CorpusSource,
        distance: str,
        settings: Settings,
        *,
        seed: int,
        threads: int,
        place: Place,
        attributes: Attributes | None = None,
    ) -> EdgeIndex:
        """``seed`` reaches nothing: Qdrant draws the levels of its graphs by itself."""
        self.demand_distance(distance)
        from truerecall.engines._qdrant_edge_index import EdgeIndex
        from truerecall.engines._qdrant_edge_shard import filled

        wanted = checked_graph(settings)
        folder = emptied(place.folder / SHARD)
        shard = filled(folder, source, distance, wanted, threads, attributes)
        return EdgeIndex(shard, folder, distance, dtype=source.dtype, columns=named(attributes))

    def load(
        self,
        path: Path,
        source: CorpusSource,
        distance: str,
        settings: Settings,
        *,
        threads: int,
        place: Place,
        attributes: Attributes | None = None,
    ) -> EdgeIndex:
        from truerecall.engines._qdrant_edge_index import EdgeIndex
        from truerecall.engines._qdrant_edge_shard import opened

        folder = unpack(path, place.folder / SHARD, engine=self.name)
        _demand(folder, "", distance)
        index = EdgeIndex(opened(folder), folder, distance, dtype=source.dtype, columns=named(attributes))
        try:
            demand_shape(path, index.state().rows, segments(folder, "")[0].vector["size"], source)
        except InputError:
            index.close()
            raise
        return index

    def attach(self, name: str, distance: str, *, place: Place) -> EdgeIndex:
        """``name`` is the folder of a shard, with ``?vector=NAME`` where its points have several. Nobody else should be
        writing to it: it is copied into the place, file by file, and the copy is opened, for opening writes."""
        self.demand_distance(distance)
        from truerecall.engines._qdrant_edge_index import EdgeIndex
        from truerecall.engines._qdrant_edge_shard import opened_copy

        folder, vector = _named(name)
        _demand(folder, vector, distance)
        copy, shard = opened_copy(folder, place)
        index = EdgeIndex(shard, copy, distance, vector, attached=True)
        index.identity = identity_of_files(folder)
        return index

    def source(self, name: str, *, place: Place) -> Corpus:
        """The points that have the vector, from a copy; under Cosine of unit length, as Qdrant keeps them."""
        from truerecall.engines._qdrant_edge_source import shard_corpus

        return shard_corpus(*_named(name), place)


def _named(name: str) -> tuple[Path, str]:
    """The folder and the vector. Raises InputError where there is no such vector, or several and none is named."""
    place, said = parsed(name, ("vector",))
    folder = Path(place)
    names = vector_names(folder)
    vector = said.get("vector", names[0] if len(names) == 1 else "")
    if vector not in names:
        shown = ", ".join(repr(each) for each in names) or "none"
        raise InputError(f"{folder} has no vector {vector!r}", f"name one as ?vector=NAME; it has: {shown}")
    return folder, vector


def _demand(folder: Path, vector: str, distance: str) -> None:
    """Raises InputError where the vectors are not compared by this distance."""
    theirs = segments(folder, vector)[0].vector["distance"]
    if theirs != OWN_NAMES.get(distance):
        raise InputError(
            f"{folder} compares vectors by {theirs} and not by {distance}", "give the distance that it has"
        )


engine = QdrantEdgeEngine()
