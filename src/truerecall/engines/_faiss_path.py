"""How a FAISS index answers at the settings in force: through what, and whether it compares every row as it is."""

from __future__ import annotations

from typing import Any

from truerecall.engines._faiss_layers import FLAT_CLASSES, layers
from truerecall.engines._faiss_library import faiss
from truerecall.model.engine import SearchPath

GRAPHS = (faiss.IndexHNSW, faiss.IndexNSG, faiss.IndexNNDescent)
SCANS = (faiss.IndexFlatCodes, faiss.IndexFastScan)


def path(index: Any) -> SearchPath | None:
    """A graph or inverted lists are an index, at whatever setting; flat codes are scanned. None for kinds not known."""
    core = layers(index)[-1]
    if isinstance(core, (*GRAPHS, faiss.IndexIVF)):  # before the scans: some lists are fast-scan indexes too
        return "index"
    return "full scan" if isinstance(core, SCANS) else None


def told(index: Any) -> str:
    """The class that answers; of inverted lists also how many of them are visited, and up to how many vectors."""
    core = layers(index)[-1]
    words = "IndexFlat" if type(core) in FLAT_CLASSES else type(core).__name__
    if isinstance(core, faiss.IndexIVF):
        words += f", nprobe {core.nprobe} of nlist {core.nlist}"
        words += f", max_codes {core.max_codes}" if core.max_codes else ""
    return words


def exhaustive(index: Any) -> bool:
    """Whether every vector is compared as FAISS was given it: flat vectors, or flat ones in lists that are all visited.

    A wrapper that gives ids or ranks again by the vectors themselves changes nothing; any other may. A coarse quantiser
    that is a graph may leave lists out, even where all are asked for.
    """
    *wrappers, core = layers(index)
    if not all(isinstance(wrapper, faiss.IndexIDMap | faiss.IndexRefineFlat) for wrapper in wrappers):
        return False
    if type(core) is faiss.IndexIVFFlat:
        coarse = type(faiss.downcast_index(core.quantizer))
        return coarse in FLAT_CLASSES and core.nprobe >= core.nlist and core.max_codes == 0
    return type(core) in FLAT_CLASSES


def vectors_scanned(index: Any, k: int) -> int | None:
    """With how many codes a query is compared in a scan, and with how many vectors when it is ranked again."""
    if path(index) != "full scan":
        return None
    scanned, wanted = index.ntotal, k
    for layer in layers(index):
        if isinstance(layer, faiss.IndexRefine):
            wanted = min(index.ntotal, int(wanted * layer.k_factor))
            scanned += wanted
    return int(scanned)
