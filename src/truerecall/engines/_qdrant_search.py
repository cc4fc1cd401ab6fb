"""How a search of Qdrant is told its settings, in the classes that its server's client and its embedded form share."""

from __future__ import annotations

from typing import Any

from truerecall.engines._qdrant_words import check_words
from truerecall.errors import EngineFailed
from truerecall.model.engine import Setting, Settings, Value
from truerecall.model.settings import checked_settings

WORDS = {None: "auto", True: "yes", False: "no"}
FLAGS = {word: flag for flag, word in WORDS.items()}


def told_search(library: Any, settings: Settings, searchable: tuple[Setting, ...]) -> tuple[Any, Settings]:
    """The ``SearchParams`` of the library for these settings, and every setting as read back from them.

    Raises EngineFailed where they hold another value than they were told.
    """
    asked = checked_settings(settings, searchable)
    check_words(asked)
    wanted: dict[str, Any] = {setting.name: setting.default for setting in searchable} | asked
    codes = None
    if "ignore" in wanted:
        codes = library.QuantizationSearchParams(
            ignore=FLAGS[wanted["ignore"]], rescore=FLAGS[wanted["rescore"]], oversampling=wanted["oversampling"]
        )
    params = library.SearchParams(
        hnsw_ef=wanted["hnsw_ef"], quantization=codes, indexed_only=FLAGS[wanted["indexed_only"]], exact=False
    )
    held = _in_force(params)
    if held != wanted:
        raise EngineFailed(f"Qdrant holds {held} and was told {wanted}", "use values that it takes")
    return params, held


def by_vectors(params: Any) -> bool:
    """Whether a search passes the codes by."""
    return params.quantization is not None and bool(params.quantization.ignore)


def _in_force(params: Any) -> dict[str, Value]:
    told: dict[str, Value] = {"hnsw_ef": params.hnsw_ef, "indexed_only": WORDS[params.indexed_only]}
    codes = params.quantization
    if codes is not None:
        told |= {"rescore": WORDS[codes.rescore], "oversampling": codes.oversampling, "ignore": WORDS[codes.ignore]}
    return told
