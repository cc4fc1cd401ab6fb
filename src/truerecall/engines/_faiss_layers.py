"""What a FAISS index is made of, and what can be set on it.

A factory string nests indexes: ``OPQ16,IVF256_HNSW32,PQ16,RFlat`` is a refinement around a transform around an
inverted file, whose coarse quantiser is a graph. *Layers* are the index and what it wraps, outermost first; the last
one is the core. *Parts* are these and everything below them: coarse quantisers, storages, refinements.

FAISS's own ParameterSpace does the same walk, but it stops at an IDMap for all settings except nprobe, and it cannot
read a value back. So the attributes are set here, under the names of ParameterSpace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from truerecall.engines._faiss_library import faiss
from truerecall.errors import EngineFailed
from truerecall.model.engine import Setting, Value

FLAT_CLASSES = (faiss.IndexFlat, faiss.IndexFlatL2, faiss.IndexFlatIP)
POLYSEMOUS = "do_polysemous_training"
LARGEST = 2**31 - 1  # a C++ int; beyond it the binding raises


@dataclass(frozen=True, eq=False)
class Knob:
    """A setting together with the place in an index where it lives. The index must outlive it."""

    setting: Setting
    read: Callable[[], Value]
    write: Callable[[Value], object]

    def turn(self, value: Value) -> Value:
        """Set it and read it back. Raises EngineFailed where FAISS holds another value (beyond its float32)."""
        self.write(value)
        held = self.read()
        if isinstance(held, str) or isinstance(value, str) or abs(held - value) > 1e-6 * abs(value):
            name = self.setting.name
            raise EngineFailed(f"FAISS was told {name}={value} and holds {name}={held}", "choose another value")
        return held


def layers(index: Any) -> list[Any]:
    """The index and what it wraps, outermost first, each as its own class."""
    found = [faiss.downcast_index(index)]
    while True:
        outer = found[-1]
        if isinstance(outer, faiss.IndexIDMap | faiss.IndexPreTransform):
            found.append(faiss.downcast_index(outer.index))
        elif isinstance(outer, faiss.IndexRefine):
            found.append(faiss.downcast_index(outer.base_index))
        else:
            return found


def parts(index: Any) -> Iterator[Any]:
    """Every index inside the index, itself included."""
    for layer in layers(index):
        yield layer
        for name in ("quantizer", "storage", "refine_index"):
            below = getattr(layer, name, None)
            if below is not None:
                yield from parts(below)


def kind(index: Any) -> str:
    """The classes through the wrappers, such as ``IndexPreTransform(IndexIVFFlat)``.

    A flat index is made as IndexFlat and read from a file as IndexFlatL2 or IndexFlatIP: it is called IndexFlat.
    """
    names = ["IndexFlat" if type(layer) in FLAT_CLASSES else type(layer).__name__ for layer in layers(index)]
    return "(".join(names) + ")" * (len(names) - 1)


def is_exact(index: Any) -> bool:
    """Whether every vector is compared as it is: a flat index, alone, with ids, or re-ranked by its own vectors."""
    *wrappers, core = layers(index)
    return type(core) in FLAT_CLASSES and all(
        isinstance(wrapper, faiss.IndexIDMap | faiss.IndexRefineFlat) for wrapper in wrappers
    )


def build_knobs(index: Any, prefix: str = "") -> list[Knob]:
    """What can be set before the index is filled."""
    found = []
    for layer in layers(index):
        if isinstance(layer, faiss.IndexHNSW):
            found.append(_knob(layer.hnsw, "efConstruction", EF_CONSTRUCTION, prefix))
        if isinstance(layer, faiss.IndexIVF):
            found += build_knobs(layer.quantizer, prefix + "quantizer_")
        if isinstance(layer, faiss.IndexPQ | faiss.IndexIVFPQ) and not prefix:
            found.append(_flag(layer, POLYSEMOUS))
    return found


def search_knobs(index: Any, *, polysemous: bool, prefix: str = "") -> list[Knob]:
    """What can be set on the index for a search; ``polysemous``: whether its codes were trained for ``ht``."""
    found = []
    for layer in layers(index):
        if isinstance(layer, faiss.IndexRefine):
            found.append(_knob(layer, "k_factor", K_FACTOR_RF, prefix))
        if isinstance(layer, faiss.IndexIVFPQR):
            found.append(_knob(layer, "k_factor", K_FACTOR, prefix))
        if isinstance(layer, faiss.IndexHNSW):
            found.append(_knob(layer.hnsw, "efSearch", EF_SEARCH, prefix))
        if isinstance(layer, faiss.IndexNSG):
            found.append(_knob(layer.nsg, "search_L", SEARCH_L, prefix))
        if isinstance(layer, faiss.IndexIVF):
            found.append(_knob(layer, "nprobe", NPROBE, prefix, maximum=layer.nlist))
            if not isinstance(layer, faiss.IndexIVFFastScan):  # which takes max_codes and does not heed it
                found.append(_knob(layer, "max_codes", MAX_CODES, prefix))
            found += search_knobs(layer.quantizer, polysemous=False, prefix=prefix + "quantizer_")
        if polysemous and isinstance(layer, faiss.IndexPQ | faiss.IndexIVFPQ):
            found.append(_hamming_threshold(layer, prefix))
    return found


EF_CONSTRUCTION = Setting("efConstruction", int, "candidates kept while the graph is built", 40, 1, LARGEST)
EF_SEARCH = Setting("efSearch", int, "candidates kept while the graph is searched", None, 1, LARGEST, True)
SEARCH_L = Setting("search_L", int, "candidates kept while the graph is searched", None, 1, LARGEST, True)
NPROBE = Setting("nprobe", int, "lists visited", minimum=1, more_is_more_effort=True)
MAX_CODES = Setting("max_codes", int, "vectors visited at most, 0 for no limit", None, 0, LARGEST)
# FAISS searches with more, and then does not read what it saved.
K_FACTOR_RF = Setting("k_factor_rf", float, "k times this many are re-ranked", None, 1, 1000, True)
K_FACTOR = Setting("k_factor", float, "k times this many are re-ranked", minimum=1, more_is_more_effort=True)
HT = Setting("ht", int, "codes further than this in Hamming distance are skipped", minimum=1, more_is_more_effort=True)


def _knob(owner: Any, attribute: str, like: Setting, prefix: str, maximum: float | None = None) -> Knob:
    default = like.kind(getattr(owner, attribute))
    largest = like.maximum if maximum is None else maximum
    setting = Setting(
        prefix + like.name, like.kind, like.meaning, default, like.minimum, largest, like.more_is_more_effort
    )
    return Knob(setting, lambda: like.kind(getattr(owner, attribute)), lambda value: setattr(owner, attribute, value))


def _flag(owner: Any, attribute: str) -> Knob:
    setting = Setting(attribute, int, "1 to order product codes so that ht can be used (slow), else 0", 0, 0, 1)
    return Knob(setting, lambda: int(getattr(owner, attribute)), lambda value: setattr(owner, attribute, bool(value)))


def _hamming_threshold(layer: Any, prefix: str) -> Knob:
    """``ht`` as ParameterSpace knows it: from the number of bits in a code upwards the filter is off."""
    bits = layer.pq.code_size * 8

    def read() -> int:
        if isinstance(layer, faiss.IndexPQ):
            return int(layer.polysemous_ht) if layer.search_type == faiss.IndexPQ.ST_polysemous else bits
        return int(layer.polysemous_ht) or bits

    setting = Setting(prefix + HT.name, int, HT.meaning, read(), HT.minimum, bits, HT.more_is_more_effort)
    return Knob(setting, read, lambda value: faiss.ParameterSpace().set_index_parameter(layer, "ht", value))
