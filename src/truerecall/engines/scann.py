"""ScaNN, in this process: partitions of the rows, codes by asymmetric hashing, and re-ranking of the best by them.

ScaNN computes in float32 and knows no cosine: under it vectors are normalised and the largest dot product is sought.
Both are declared in the state. Its distances are never passed on: l2 comes squared, ip as a similarity. Rows are named
by their numbers. Where re-ranking is on, no more neighbours come than ``pre_reorder_num_neighbors``. Package scann-core
has the same module and is no ScaNN of Google's: it does not count as installed.

State
    The parts of the searcher as its own configuration names them, its rows, and its size once it is saved. Without
    partitions and codes it is flat, and exact where float32 holds the vectors.

Costs
    It counts nothing; without partitions every row is compared, and that number stands in the run.

Traps
    - It has no cosine: vectors are normalised, and the state says so.
    - No more neighbours come than ``pre_reorder_num_neighbors``: below k answers are short, and ``effort-below-k``
      warns.
    - In a batch it chooses partitions less well than query by query: measure in the mode in which it will be asked.
    - The package scann-core has the same module name; it is another's, and does not count as installed.
    - It has no search behind a filter.

Example
    --engine scann --set num_leaves=16 --vary leaves_to_search=2,16 --distance l2
    --engine scann --set num_leaves=16 --set dimensions_per_block=0 --vary leaves_to_search=1,4,16 --distance l2
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from truerecall.engines._base import BareEngine
from truerecall.engines._folders import unpack
from truerecall.engines._library import installed
from truerecall.engines._scann_config import BUILD_SETTINGS, configuration, described, library, searchable, searcher
from truerecall.engines._scann_index import SHAPE, ScannIndex, filled, parsed_config
from truerecall.errors import EngineFailed, InputError
from truerecall.model.attributes import Attributes
from truerecall.model.engine import Capability, Place, Setting, Settings
from truerecall.model.source import CorpusSource


class ScannEngine(BareEngine):
    """Builds ScaNN searchers."""

    name = "scann"
    extra = "scann"
    tested_with = "1.4.2"
    capabilities: frozenset[Capability] = frozenset({"build", "save", "exact"})
    build_settings = BUILD_SETTINGS
    distances: Mapping[str, str] = {
        "l2": "squared_l2",
        "ip": "dot_product, larger is nearer",
        "cosine": "dot_product on normalised vectors",
    }

    def version(self) -> str | None:
        return installed("scann")

    def search_settings(self, build: Settings, *, distance: str, dimensions: int) -> tuple[Setting, ...]:
        self.demand_distance(distance)
        full = described(build)
        block = full["dimensions_per_block"]
        if isinstance(block, int) and block > dimensions:
            raise InputError(f"dimensions_per_block is {block} of {dimensions} dimensions", "give a smaller one")
        return searchable(full)

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
    ) -> ScannIndex:
        self.demand_distance(distance)
        full = described(settings)
        rows = filled(source, distance)
        config = configuration(rows, distance, full, seed)
        try:
            made = searcher(rows, config, threads)
        except RuntimeError as error:
            said = str(error).removeprefix("Error initializing searcher: ").rstrip(". ")
            problem = f"ScaNN cannot be built over {source.rows} rows: {said}"
            raise InputError(problem, "choose other build settings, or give more rows") from None
        if parsed_config(made) != config:
            raise EngineFailed("ScaNN's configuration is not the one that it was told", "choose other build settings")
        index = ScannIndex(made, source, distance, full, threads)
        index.configure({})
        return index

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
    ) -> ScannIndex:
        full = described(settings)
        place.folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=place.folder) as name:
            unpack(path, Path(name), engine=self.name)
            try:
                shape = json.loads((Path(name) / SHAPE).read_text())
                made = library().load_searcher(name)
            except (OSError, ValueError, RuntimeError) as error:
                raise InputError(f"{path} is no saved ScaNN searcher: {error}", "build it again") from None
        if shape != {"rows": source.rows, "dimensions": source.dimensions, "distance": distance}:
            held = ", ".join(f"{value} {name}" for name, value in shape.items())
            raise InputError(f"{path} holds {held}, which is not what {source.name} asks for", "build it again")
        index = ScannIndex(made, source, distance, full, threads, size_bytes=path.stat().st_size)
        index.configure({})
        return index


engine = ScannEngine()
