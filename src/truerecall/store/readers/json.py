"""Neighbour lists as JSON, for small truths: a list of lists, or what ``truth export`` writes.

That is ``{"query_ids": [...], "neighbors": [[...], ...], "distances": [[...], ...]}``; query ids and distances may be
left out. Ids beyond 2^53 may be strings of digits, which is how JSON carries them exactly.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from truerecall.errors import FormatError
from truerecall.model.arrays import texts
from truerecall.model.foreign import ForeignLists
from truerecall.model.neighbors import offsets_of
from truerecall.store.attributes.files import json_document
from truerecall.store.attributes.ids import ids_of_values


def json_lists(path: Path) -> ForeignLists:
    """The neighbour lists in a JSON file."""
    document = json_document(path)
    parts = document if isinstance(document, dict) else {"neighbors": document}
    unknown = sorted(set(parts) - {"query_ids", "neighbors", "distances"})
    if unknown or "neighbors" not in parts:
        raise FormatError(f"{path} has {', '.join(unknown) or 'no neighbors'}", 'write {"neighbors": [[...], ...]}')
    lists = _lists(parts["neighbors"], "neighbors", path)
    values = _alike([value for own in lists for value in own])
    distances = None
    if parts.get("distances") is not None:
        of_each = _lists(parts["distances"], "distances", path)
        if [len(own) for own in of_each] != [len(own) for own in lists]:
            raise FormatError(f"{path}: neighbors and distances are not of one length", "give one for each")
        flat = [value for own in of_each for value in own]
        if not all(isinstance(value, int | float) for value in flat):
            raise FormatError(f"{path}: distances that are no numbers", "write numbers")
        distances = np.array(flat, np.float64)
    given = parts.get("query_ids")
    if given is not None and (not isinstance(given, list) or len(given) != len(lists)):
        raise FormatError(f"{path}: query_ids are not one for each list", "give one for each")
    return ForeignLists(
        ids_of_values(values, what=str(path)) if values else texts([]),
        offsets_of(np.array([len(own) for own in lists], np.int64)),
        distances,
        None if given is None else ids_of_values(_alike(given), what=f"{path} query_ids"),
    )


def _alike(values: list[Any]) -> list[Any]:
    """All strings where some are: ids that a double cannot carry stand as strings beside smaller ones that do not."""
    return [str(value) for value in values] if {type(value) for value in values} == {int, str} else values


def _lists(value: Any, name: str, path: Path) -> list[list[Any]]:
    if not isinstance(value, list) or not all(isinstance(own, list) for own in value):
        raise FormatError(f"{path}: {name} is no list of lists", 'write {"neighbors": [[...], ...]}')
    return value
