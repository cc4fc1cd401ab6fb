"""Answers as JSON: one document, or an object on every line. Whole numbers of any size stay as they are.

A line is a list of one query (``{"query_id": ..., "neighbors": [...], "distances": [...], "error": ...}``) or one
neighbour (``{"query_id": ..., "neighbor_id": ..., "rank": ...}``). A document is a list of lists, an object with
``query_ids`` and ``neighbors``, a list of such objects, ``{query: [id, ...]}``, or ``{query: {id: score}}`` as
pytrec_eval and ranx have it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.errors import FormatError
from truerecall.model.arrays import Floats
from truerecall.model.foreign import ForeignLists
from truerecall.store.attributes.files import json_document, json_lines
from truerecall.store.attributes.ids import ids_of_values
from truerecall.store.readers._entries import Entry, alike, ids_of_some, lists_of_entries, numbers_of_some
from truerecall.store.readers._pairs import lists_of_pairs
from truerecall.store.readers._roles import FAILURE, NEIGHBOR, NUMBER, QUERY, RANK, nearer_by, roles_of, unknown_columns

LISTS = "neighbors"


def jsonl_answers(path: Path) -> ForeignLists:
    """The answers in a file with a JSON object on every line."""
    lines = [entry for _, entry in json_lines(path)]
    if not lines:
        raise FormatError(f"{path} is empty", "write the answers again")
    return _of_objects(lines, str(path))


def json_answers(path: Path) -> ForeignLists:
    """The answers in one JSON document."""
    document, what = json_document(path), str(path)
    if isinstance(document, Mapping) and isinstance(document.get(LISTS), list):
        return _of_columns(document, what)
    return answers_of_values(document, what=what)


def answers_of_values(document: Any, *, what: str) -> ForeignLists:
    """Lists of lists, objects, or a mapping by query, as JSON or Python has them. Raises FormatError for another."""
    if isinstance(document, Mapping) and document and all(isinstance(own, Mapping) for own in document.values()):
        entries = [Entry(query, list(own), list(own.values())) for query, own in document.items()]
        return lists_of_entries(entries, what=what, nearer="larger", by_number=True)
    if isinstance(document, Mapping):
        return lists_of_entries([Entry(query, _listed(own, what)) for query, own in document.items()], what=what)
    if isinstance(document, Sequence) and not isinstance(document, str):
        if document and all(isinstance(own, Mapping) for own in document):
            return _of_objects(document, what)
        return lists_of_entries([Entry(None, _listed(own, what)) for own in document], what=what)
    raise FormatError(f"{what} holds no lists", "give a list of ids for each query")


def _of_columns(document: Mapping[str, Any], what: str) -> ForeignLists:
    """What ``truth export`` writes: ``query_ids``, ``neighbors`` and ``distances``."""
    lists = document[LISTS]
    queries, distances = (document.get(name) or [None] * len(lists) for name in ("query_ids", "distances"))
    if not len(queries) == len(distances) == len(lists):
        raise FormatError(f"{what}: query_ids, neighbors and distances are not of one length", "give one for each")
    parts = zip(queries, lists, distances, strict=True)
    entries = [Entry(query, _listed(own, what), _listed(numbers, what)) for query, own, numbers in parts]
    return lists_of_entries(entries, what=what, nearer="smaller")


def _of_objects(objects: Sequence[Mapping[str, Any]], what: str) -> ForeignLists:
    names = list(dict.fromkeys(name for entry in objects for name in entry))
    roles = roles_of(names)
    none_came = NEIGHBOR not in roles
    if none_came and not {QUERY, FAILURE} <= roles.keys():
        raise unknown_columns(what, names)
    query, neighbor, number, failure = (roles.get(role, "") for role in (QUERY, NEIGHBOR, NUMBER, FAILURE))
    if none_came or any(isinstance(entry.get(neighbor), list) for entry in objects):
        entries = [
            Entry(entry.get(query), _listed(entry.get(neighbor), what), _listed(entry.get(number), what),
                  str(entry.get(failure) or ""))
            for entry in objects
        ]  # fmt: skip
        return lists_of_entries(entries, what=what, nearer=nearer_by(number))
    if not query or any(entry.get(query) is None for entry in objects):
        raise unknown_columns(what, names)
    ids, held = ids_of_some([entry.get(neighbor) for entry in objects], what=what)
    return lists_of_pairs(
        ids_of_values(alike([entry[query] for entry in objects]), what=f"{what} (query ids)"),
        ids,
        held,
        what=what,
        ranks=_ranks(objects, roles[RANK], what) if RANK in roles else None,
        numbers=numbers_of_some([entry.get(number) for entry in objects], what=what) if number else None,
        nearer=nearer_by(number),
        failures=[str(entry.get(failure) or "") for entry in objects] if failure else None,
    )


def _ranks(objects: Sequence[Mapping[str, Any]], name: str, what: str) -> Floats:
    if any(entry.get(name) is None for entry in objects):
        raise FormatError(f"{what}: some lines have no {name}", "give a rank to each")
    return numbers_of_some([entry[name] for entry in objects], what=what)


def _listed(value: Any, what: str) -> Sequence[Any] | None:
    if value is None or (isinstance(value, Sequence) and not isinstance(value, str)):
        return value
    if isinstance(value, np.ndarray) and value.ndim == 1:
        return value.tolist()  # type: ignore[no-any-return]
    raise FormatError(
        f"{what} holds {type(value).__name__} where a list of ids was expected", "give a list for each query"
    )
