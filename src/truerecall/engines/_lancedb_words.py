"""LanceDB's own words: its kinds of index, what each can be told, and its distances."""

from __future__ import annotations

from collections.abc import Mapping

from truerecall.engines._choice import checked_choice
from truerecall.errors import InputError
from truerecall.model.engine import Setting, Settings, Value
from truerecall.model.settings import checked_settings

LARGEST = 2**31 - 1
DISTANCES: Mapping[str, str] = {
    "l2": "l2, squared",
    "ip": "dot, as 1 - dot",
    "cosine": "cosine; finds no vectors of zeros",
    "hamming": "hamming, on bits in IVF_FLAT",
}
OWN_NAMES = {"l2": "l2", "ip": "dot", "cosine": "cosine", "hamming": "hamming"}
KINDS = {
    "IVF_FLAT": "IvfFlat",
    "IVF_SQ": "IvfSq",
    "IVF_PQ": "IvfPq",
    "IVF_RQ": "IvfRq",
    "IVF_HNSW_FLAT": "HnswFlat",
    "IVF_HNSW_SQ": "HnswSq",
    "IVF_HNSW_PQ": "HnswPq",
}
PRODUCT = ("IVF_PQ", "IVF_HNSW_PQ")
GRAPHS = tuple(kind for kind in KINDS if "HNSW" in kind)
BUILD_SETTINGS = (
    Setting("index_type", str, f"one of {', '.join(KINDS)}", "IVF_PQ"),
    Setting("num_partitions", int, "partitions; 0 leaves it to LanceDB", 0, 0, LARGEST),
    Setting("target_partition_size", int, "rows that a partition shall have; 0 leaves it to LanceDB", 0, 0, LARGEST),
    Setting("max_iterations", int, "rounds of k-means", 50, 1, LARGEST),
    Setting("sample_rate", int, "training vectors per partition", 256, 1, LARGEST),
    Setting("num_sub_vectors", int, "pieces of a product code; 0 leaves it to LanceDB", 0, 0, LARGEST),
    Setting("num_bits", int, "bits of a piece (4, 8), or of a dimension in IVF_RQ; 0 leaves it to LanceDB", 0, 0, 8),
    Setting("m", int, "links per node of a graph", 20, 1, LARGEST),
    Setting("ef_construction", int, "candidates while a graph is built", 300, 1, LARGEST),
)
MEANT_FOR = {
    "num_sub_vectors": PRODUCT,
    "num_bits": (*PRODUCT, "IVF_RQ"),
    "m": GRAPHS,
    "ef_construction": GRAPHS,
}
PROBES = Setting("nprobes", int, "partitions that are searched", 20, 1, LARGEST, True)
EF = Setting(
    "ef",
    int,
    "candidates in a graph, at least k, times refine_factor where that is set; 0 leaves it to LanceDB",
    0,
    0,
    LARGEST,
    True,
)
REFINE = Setting("refine_factor", int, "how many times k are ranked by their vectors; 0 for none", 0, 0, LARGEST, True)
FIRST = Setting("prefilter", str, "no to apply a filter to what was found, and not before", "yes")
FAST = Setting("fast_search", str, "yes to leave out rows that are in no index", "no")


def checked_build(given: Settings, distance: str) -> dict[str, Value]:
    """The settings of a build, with defaults for those that mean something to its kind of index. Raises InputError."""
    checked = checked_settings(given, BUILD_SETTINGS)
    wanted: dict[str, Value] = {s.name: s.default for s in BUILD_SETTINGS if s.default is not None} | checked
    kind = checked_choice("index_type", wanted["index_type"], KINDS)
    for name, kinds in MEANT_FOR.items():
        if kind not in kinds:
            if name in checked:
                raise InputError(f"{name} means nothing to {kind}", "leave it out")
            del wanted[name]
    if distance == "hamming" and kind != "IVF_FLAT":
        raise InputError(f"LanceDB has no {kind} for hamming", "take index_type IVF_FLAT")
    return wanted


def search_settings(kind: str | None) -> tuple[Setting, ...]:
    """What a search can be told; without an index, which scans everything, next to nothing."""
    if kind is None:
        return (FIRST,)
    return (PROBES, EF, REFINE, FAST, FIRST) if kind in GRAPHS else (PROBES, REFINE, FAST, FIRST)


def in_backticks(name: str) -> str:
    """A column in a condition. Raises InputError for a name that no column can have there."""
    if "`" in name or "." in name:
        raise InputError(f"LanceDB cannot name the column {name!r}", "give it a name without dots and backticks")
    return f"`{name}`"
