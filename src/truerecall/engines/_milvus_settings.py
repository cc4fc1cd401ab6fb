"""What a Milvus index can be told, by its kind."""

from __future__ import annotations

from truerecall.errors import InputError
from truerecall.model.engine import Setting, Settings, Value
from truerecall.model.settings import checked_settings

LARGEST = 2**31 - 1
GRAPHS = ("HNSW", "HNSW_SQ")
LISTS = ("IVF_FLAT", "IVF_SQ8")
EXHAUSTIVE = ("FLAT", "BRUTE_FORCE")
# Milvus Lite takes values beyond these ranges, and values of settings that it does not have, without a word.
BUILD_SETTINGS = (
    Setting("index_type", str, "HNSW, HNSW_SQ, IVF_FLAT, IVF_SQ8, FLAT, AUTOINDEX, or another that it has", "HNSW"),
    Setting("M", int, "links of a row in each layer of a graph, and twice as many in the lowest", 16, 2, 2048),
    Setting("efConstruction", int, "candidates kept while a graph is built", 200, 1, LARGEST),
    Setting("nlist", int, "lists of an inverted file", 128, 1, 65_536),
)
EF = Setting("ef", int, "candidates kept while the graph is searched", 64, 1, LARGEST, True)


def described(settings: Settings) -> tuple[str, dict[str, Value]]:
    """The kind of index and its parameters, those not given at their defaults. Raises InputError for a setting that
    means nothing to the kind."""
    given = checked_settings(settings, BUILD_SETTINGS)
    kind = str(given.pop("index_type", "HNSW")).upper()
    names = ("M", "efConstruction") if kind in GRAPHS else ("nlist",) if kind in LISTS else ()
    for name in given:
        if name not in names:
            raise InputError(f"{name} means nothing to {kind}", "leave it out")
    defaults = {setting.name: setting.default for setting in BUILD_SETTINGS if setting.default is not None}
    return kind, {name: given.get(name, defaults[name]) for name in names}


def searchable(kind: str, parameters: Settings) -> tuple[Setting, ...]:
    """What a search on an index of the kind can be told. AUTOINDEX of Milvus Lite is a graph."""
    if kind in GRAPHS or kind == "AUTOINDEX":
        return (EF,)
    if kind in LISTS:
        lists = int(parameters.get("nlist", 128))
        return (Setting("nprobe", int, "lists visited", min(10, lists), 1, lists, True),)
    return ()
