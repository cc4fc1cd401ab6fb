"""LanceDB, in this process, over a folder: inverted files with flat, scalar, product and RaBitQ codes, and graphs.

A search for another distance than the index's, or without an index, scans all rows; rows that came after the index
are scanned beside it. LanceDB says so in its plan alone, and the state takes it from there. Under cosine a vector
of zeros is never found. K-means is drawn at random and cannot be seeded. Distances are never passed on.

State
    Rows, those of them that the index covers, and the kind of index as the table says. Whether the index answered is
    read from the plan of a query at the settings in force; the plan is told.

Costs
    ``partitions_searched``, and where the index has no graph and covers all rows ``distance_computations``. Each query
    is asked a second time for them, by LanceDB's counting plan, when no clock runs.

Attached
    ``--attach "FOLDER/TABLE.lance?id=COLUMN&vector=COLUMN"``, held at the version that it has now: what is written
    meanwhile does not count. ``id`` is ``id`` where it is left out, and holds whole numbers or texts, by which
    answers come. As a corpus it gives the same version, a consistent one.

Traps
    - A search for another distance than the index's falls back to a scan of all rows, with a warning at most:
      ``index-not-used``.
    - Rows that came after the index are scanned beside it until there is a new one: ``partly-indexed``.
    - Product and scalar codes have a ceiling; ``refine_factor`` ranks more candidates by whole vectors.
    - With ``prefilter`` no, a filter is applied to what was found, and answers are short.
    - No column can have a dot or a backtick in its name.
    - Where there are too few rows for codes an index of nothing is made.
    - A vector of zeros is never found under cosine.

Example
    --engine lancedb --set index_type=IVF_FLAT --set num_partitions=16 --vary nprobes=1,4,16 --distance l2
    --engine lancedb --set index_type=IVF_PQ --set num_partitions=2 --vary refine_factor=0,4,16 --distance l2
    --engine lancedb --set index_type=IVF_HNSW_SQ --set num_partitions=1 --vary ef=16,64,256 --distance l2
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from truerecall.engines._address import parsed
from truerecall.engines._base import BareEngine, demand_shape
from truerecall.engines._filter_sql import sql_of
from truerecall.engines._folders import emptied, unpack
from truerecall.engines._lancedb_words import (
    BUILD_SETTINGS,
    DISTANCES,
    OWN_NAMES,
    checked_build,
    in_backticks,
    search_settings,
)
from truerecall.engines._library import installed
from truerecall.engines._touched import identity_of_files
from truerecall.errors import InputError
from truerecall.model.attributes import Attributes
from truerecall.model.engine import Capability, Place, Setting, Settings
from truerecall.model.filter import Filter
from truerecall.model.source import CorpusSource
from truerecall.model.vectors import Corpus

if TYPE_CHECKING:
    from truerecall.engines._lancedb_index import LanceIndex

FOLDER = "lance"


class LanceEngine(BareEngine):
    """Builds tables with an index, opens saved ones, and attaches to one version of one that exists."""

    name = "lancedb"
    extra = "lancedb"
    tested_with = "0.40.0"
    capabilities: frozenset[Capability] = frozenset(
        {"build", "attach", "save", "exact", "source", "filter", "delete", "update"}
    )
    distances = DISTANCES
    build_settings = BUILD_SETTINGS

    def version(self) -> str | None:
        return installed("lancedb")

    def search_settings(self, build: Settings, *, distance: str, dimensions: int) -> tuple[Setting, ...]:
        self.demand_distance(distance)
        return search_settings(str(checked_build(build, distance)["index_type"]))

    def demand_filter(self, where: Filter) -> None:
        sql_of(where, in_backticks)

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
    ) -> LanceIndex:
        """``seed`` reaches nothing; ``threads`` holds for LanceDB in all of this process: the first build decides."""
        self.demand_distance(distance)
        from truerecall.engines._lancedb_filling import filled
        from truerecall.engines._lancedb_index import LanceIndex
        from truerecall.engines._lancedb_library import limit_threads

        wanted = checked_build(settings, distance)
        if distance == "hamming" and source.bits is None:
            raise InputError(f"{source.name} holds no bits", "give packed bits, or another distance")
        limit_threads(threads)
        folder = emptied(place.folder / FOLDER)
        return LanceIndex(filled(folder, source, distance, wanted, attributes), distance, folder, source.dtype)

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
    ) -> LanceIndex:
        from truerecall.engines._lancedb_index import LanceIndex
        from truerecall.engines._lancedb_table import ID, VECTOR, VectorTable, opened

        folder = unpack(path, place.folder / FOLDER, engine=self.name)
        table = VectorTable(opened(folder), ID, VECTOR)
        found = table.index()
        if found is None or found[1].distance_type != OWN_NAMES[distance]:
            raise InputError(f"{path} holds no index for {distance}", "build it again")
        demand_shape(path, table.table.count_rows(), table.dimensions, source)
        return LanceIndex(table, distance, folder, source.dtype)

    def attach(self, name: str, distance: str, *, place: Place) -> LanceIndex:
        """``name`` as ``FOLDER/TABLE.lance?id=ID&vector=COLUMN``; at the version that it has now. A table has no
        distance, only its index has: for any other one all rows are scanned, which the state says."""
        self.demand_distance(distance)
        from truerecall.engines._lancedb_index import LanceIndex
        from truerecall.engines._lancedb_table import opened_for_reading

        index = LanceIndex(opened_for_reading(name), distance)
        index.identity = identity_of_files(Path(parsed(name, ("id", "vector"))[0]))
        return index

    def source(self, name: str, *, place: Place) -> Corpus:
        """Named as for ``attach``: the rows that have a vector, at the version that the table has now."""
        from truerecall.engines._lancedb_source import table_corpus
        from truerecall.engines._lancedb_table import opened_for_reading

        return table_corpus(opened_for_reading(name))


engine = LanceEngine()
