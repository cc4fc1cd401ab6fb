"""Qdrant's own words, which its server and its embedded form share: distances, quantisations, settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from truerecall.engines._casts import cast_in_words
from truerecall.engines._choice import checked_choice
from truerecall.model.engine import Setting, Settings, Value
from truerecall.model.settings import checked_settings

DISTANCES: Mapping[str, str] = {
    "l2": "Euclid, the root",
    "ip": "Dot, larger is nearer",
    "cosine": "Cosine; stores vectors of unit length",
    "l1": "Manhattan",
}
OWN_NAME = "truerecall_"
"""What the names of our collections begin with."""
OWN_NAMES = {"l2": "Euclid", "ip": "Dot", "cosine": "Cosine", "l1": "Manhattan"}
QUANTIZATIONS = (
    "none",
    "scalar",
    *(f"product/{ratio}" for ratio in ("x4", "x8", "x16", "x32", "x64")),
    *(f"binary/{encoding}" for encoding in ("one_bit", "one_and_half_bits", "two_bits")),
    *(f"turbo/{bits}" for bits in ("bits1", "bits1_5", "bits2", "bits4", "bits8")),
)
DATATYPES = ("float32", "float16")
LARGEST = 2**31 - 1
YES_NO = ("no", "yes")
RESCORE = ("auto", "no", "yes")
GRAPH_SETTINGS = (
    Setting("m", int, "links per node of the graph", 16, 2, 1024),
    Setting("ef_construct", int, "candidates while the graph is built", 100, 4, LARGEST),
    Setting(
        "full_scan_threshold", int, "KB of vectors below which a segment is scanned; Qdrant has 10000", 10, 0, LARGEST
    ),
    Setting(
        "indexing_threshold", int, "KB of vectors from which a segment gets a graph; Qdrant has 10000", 1, 1, LARGEST
    ),
    Setting("quantization", str, f"one of {', '.join(QUANTIZATIONS)}", "none"),
    Setting("datatype", str, f"one of {', '.join(DATATYPES)}", "float32"),
    Setting("payload_index", str, "yes to index the columns of filters, before the graph gets its links", "no"),
)


def checked_graph(given: Settings) -> dict[str, Value]:
    """The settings of a build, with defaults for those that were not given. Raises InputError."""
    checked = checked_settings(given, GRAPH_SETTINGS)
    check_words(checked)
    return {setting.name: setting.default for setting in GRAPH_SETTINGS if setting.default is not None} | checked


def search_settings(ef_construct: int, quantization: str) -> tuple[Setting, ...]:
    """What a search can be told. Qdrant never searches with an ef below the number of neighbours asked for."""
    always = (
        Setting("hnsw_ef", int, "candidates while the graph is searched", ef_construct, 1, LARGEST, True),
        Setting("indexed_only", str, "yes to leave out segments that are large and have no graph", "no"),
    )
    if quantization == "none":
        return always
    return (
        *always,
        Setting("rescore", str, "yes to rank what the codes found by the vectors; auto as Qdrant sees fit", "auto"),
        Setting("oversampling", float, "how many times k the codes shall find", 1.0, 1.0, None, True),
        Setting("ignore", str, "yes to search by the vectors and not by the codes", "no"),
    )


def check_words(settings: Settings) -> None:
    """Raises UnknownName for a word that a setting cannot be."""
    allowed = {
        "quantization": QUANTIZATIONS,
        "datatype": DATATYPES,
        "payload_index": YES_NO,
        "indexed_only": YES_NO,
        "rescore": RESCORE,
        "ignore": YES_NO,
    }
    for name, value in settings.items():
        if name in allowed:
            checked_choice(name, value, allowed[name])


def transform(stored: str, given: np.dtype[Any] | None, distance: str) -> str:
    """What was done to the vectors, in words. ``given`` is None where nobody knows in what type they came."""
    cast = "" if given is None else cast_in_words(given, stored)
    unit = "normalised by Qdrant" if distance == "cosine" else ""
    return ", ".join(filter(None, (cast, unit))) or "none"


def quantization_word(config: Mapping[str, Any] | None) -> str:
    """A quantisation as Qdrant writes it in JSON, as one of our words: ``{"product": {"compression": "x8"}}`` is
    ``product/x8``."""
    if not config:
        return "none"
    kind, options = next(iter(config.items()))
    defaults: dict[str, Value] = {"binary": "one_bit", "turbo": "bits4"}
    option = options.get("compression") or options.get("encoding") or options.get("bits") or defaults.get(kind)
    return f"{kind}/{option}" if option else str(kind)
