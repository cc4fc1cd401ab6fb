"""FAISS, in this process: any index that its factory strings can name.

FAISS computes in float32. Other element types are cast, and cosine is the inner product of vectors of unit length;
both are declared in the state. Its distances are never passed on: l2 comes squared, ip as a similarity. What a search
can be told hangs on the factory string; a name that an index does not know is refused with those that it does.

State
    The classes of the index and of all wrappers around it, its rows, whether it is trained, its size as FAISS would
    write it. An inverted file that visits all its lists with whole vectors is exhaustive, one over codes is not.

Costs
    A graph: ``distance_computations`` and the nodes expanded, ``hops``. An inverted file: ``distance_computations``,
    those with centroids among them as ``coarse_distance_computations``, and ``lists_visited``. Re-ranking is not
    counted. Flat indexes count nothing; how many vectors they compare follows from what they are.

Traps
    - ``IVF`` searches one list where it is left alone (``nprobe`` 1): vary it, and read recall beside it.
    - Product codes have a ceiling that no ``nprobe`` passes:
      ``recall-ceiling`` says so. A factory that ends in ``,RFlat`` re-ranks by whole vectors, ``k_factor_rf`` says
      how many.
    - ``IVFx,PQy`` of the factory trains polysemous codes, many times slower. Here it is off unless
      ``do_polysemous_training`` is 1.
    - A short answer is padded with -1, which is no row: ``short-answers`` counts it, and no miss is hidden.
    - The cost counters belong to the whole process: each build is measured in a process of its own.
    - A filter is a selector. HNSW goes on through rows that do not pass and gives no more than ``efSearch`` in all,
      so that few are left where few pass. Fast-scan and additive codes, PQ alone, LSH
      and NSG take no selector, and are refused.

Example
    --engine faiss --set factory=HNSW32 --vary efSearch=16,64,256 --distance l2
    --engine faiss --set factory=IVF16,Flat --vary nprobe=1,4,16 --distance l2
    --engine faiss --set factory=IVF16,PQ8x4fs,RFlat --set nprobe=16 --vary k_factor_rf=1,4,16 --distance l2
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from truerecall.engines._base import BareEngine, demand_shape
from truerecall.engines._faiss_filling import fill, seed_index, train
from truerecall.engines._faiss_index import FaissIndex, reason
from truerecall.engines._faiss_layers import (
    EF_CONSTRUCTION,
    LARGEST,
    POLYSEMOUS,
    build_knobs,
    kind,
    layers,
    parts,
    search_knobs,
)
from truerecall.engines._faiss_library import faiss
from truerecall.engines._faiss_narrowing import narrowed
from truerecall.engines._library import installed
from truerecall.errors import EngineFailed, InputError
from truerecall.model.attributes import Attributes
from truerecall.model.engine import Capability, Place, Setting, Settings
from truerecall.model.settings import checked_settings
from truerecall.model.source import CorpusSource

GEOMETRIES = {"l2": faiss.METRIC_L2, "ip": faiss.METRIC_INNER_PRODUCT, "cosine": faiss.METRIC_INNER_PRODUCT}
BUILD_SETTINGS = (
    Setting("factory", str, "an index factory string, such as HNSW32 or IVF256,PQ16"),
    EF_CONSTRUCTION,
    Setting("quantizer_efConstruction", int, "the same for a graph that is the coarse quantiser", 40, 1, LARGEST),
    Setting(POLYSEMOUS, int, "1 to order product codes so that ht can be used (slow), else 0", 0, 0, 1),
)


class FaissEngine(BareEngine):
    """Builds FAISS indexes."""

    name = "faiss"
    tested_with = "1.15.1"
    capabilities: frozenset[Capability] = frozenset({"build", "save", "filter"})
    build_settings = BUILD_SETTINGS
    distances: Mapping[str, str] = {
        "l2": "METRIC_L2, squared",
        "ip": "METRIC_INNER_PRODUCT",
        "cosine": "METRIC_INNER_PRODUCT on normalised vectors",
    }

    def version(self) -> str | None:
        return installed("faiss-cpu") or str(faiss.__version__)

    def search_settings(self, build: Settings, *, distance: str, dimensions: int) -> tuple[Setting, ...]:
        self.demand_distance(distance)
        checked = checked_settings(build, BUILD_SETTINGS)
        index = _empty_index(checked, distance, dimensions)
        return tuple(knob.setting for knob in search_knobs(index, polysemous=bool(checked.get(POLYSEMOUS, 0))))

    def demand_filterable(self, build: Settings, *, distance: str, dimensions: int) -> None:
        narrowed(_empty_index(checked_settings(build, BUILD_SETTINGS), distance, dimensions), faiss.IDSelectorAll())

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
    ) -> FaissIndex:
        """Build over all rows with OpenMP and BLAS limited to ``threads``; the limits are put back afterwards."""
        self.demand_distance(distance)
        checked = checked_settings(settings, BUILD_SETTINGS)
        index = _empty_index(checked, distance, source.dimensions)
        if attributes is not None:
            self.demand_filterable(checked, distance=distance, dimensions=source.dimensions)
        seed_index(index, seed)
        unit_length = distance == "cosine"
        with threadpool_limits(threads):
            try:
                train(index, source, unit_length=unit_length, seed=seed)
            except RuntimeError as error:
                # FAISS refuses in words of its own what the vectors are too few or too small for.
                failure = InputError if str(error).startswith("Error in ") else EngineFailed
                problem = f"FAISS cannot train {checked['factory']} on {source.rows} rows: {reason(error)}"
                raise failure(problem, "choose another factory string, or give more rows") from None
            try:
                fill(index, source, unit_length=unit_length)
            except RuntimeError as error:
                problem = f"FAISS cannot fill {checked['factory']}: {reason(error)}"
                raise EngineFailed(problem, "choose another factory string") from None
        return self._index(index, source, distance, checked, threads, attributes)

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
    ) -> FaissIndex:
        checked = checked_settings(settings, BUILD_SETTINGS)
        try:
            index = faiss.read_index(str(path))
        except RuntimeError as error:
            raise InputError(f"{path} is no FAISS index: {reason(error)}", "build it again") from None
        demand_shape(path, index.ntotal, index.d, source)
        return self._index(index, source, distance, checked, threads, attributes)

    def _index(
        self,
        index: Any,
        source: CorpusSource,
        distance: str,
        settings: Settings,
        threads: int,
        attributes: Attributes | None,
    ) -> FaissIndex:
        searchable = self.search_settings(settings, distance=distance, dimensions=source.dimensions)
        polysemous = bool(settings.get(POLYSEMOUS, 0))
        return FaissIndex(index, distance, source.dtype, polysemous, searchable, threads, attributes)


def _empty_index(build: Settings, distance: str, dimensions: int) -> Any:
    """The index that the factory makes, with the build settings on it. Raises InputError."""
    factory = build["factory"]
    remedy = "see FAISS's index factory strings, such as HNSW32 or IVF256,PQ16"
    try:
        index = faiss.index_factory(dimensions, factory, GEOMETRIES[distance])
    except RuntimeError as error:
        problem = f"FAISS cannot make {factory!r} for {dimensions} dimensions and {distance}: {reason(error)}"
        raise InputError(problem, remedy) from None
    for layer in layers(index):
        if isinstance(layer, faiss.IndexPreTransform) and layer.index.d > layer.d:
            raise InputError(f"{factory} asks for {layer.index.d} of {layer.d} dimensions", "ask for fewer")
    knobs = {knob.setting.name: knob for knob in build_knobs(index)}
    for part in parts(index):
        if hasattr(part, POLYSEMOUS):
            part.do_polysemous_training = False  # the factory has it on, which makes training many times slower
    for name, value in build.items():
        if name in knobs:
            knobs[name].turn(value)
        elif name != "factory":
            raise InputError(f"{name} means nothing to {kind(index)}", "leave it out")
    return index


engine = FaissEngine()
