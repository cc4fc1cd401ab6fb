"""Which column of a table of answers is which, by its name. Case does not matter, and ``-`` equals ``_``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from truerecall.errors import InputError, plain_name
from truerecall.model.foreign import Nearer

QUERY, NEIGHBOR, RANK, NUMBER, FAILURE = "query", "neighbor", "rank", "number", "failure"
ROLES: dict[str, tuple[str, ...]] = {
    QUERY: ("query_id", "qid", "query", "q_id", "topic"),
    NEIGHBOR: (
        "neighbor_id", "neighbor_ids", "neighbors", "neighbor", "neighbour_id", "neighbour_ids", "neighbours",
        "neighbour", "doc_id", "doc_ids", "docid", "docno", "document_id", "ids", "id",
    ),
    RANK: ("rank", "place", "position"),
    NUMBER: ("distance", "distances", "dist", "score", "scores", "similarity", "similarities"),
    FAILURE: ("failure", "error"),
}  # fmt: skip
PLURALS = ("neighbor_ids", "neighbors", "neighbour_ids", "neighbours", "doc_ids", "ids")
"""Columns of which a cell of text may hold a whole list."""


def roles_of(names: Iterable[str]) -> dict[str, str]:
    """Role -> the column that has it, the most telling name where several would do. Raises InputError where it is there
    twice."""
    listed = list(names)
    by_plain = {plain_name(name): name for name in reversed(listed)}
    found = {role: next((by_plain[own] for own in known if own in by_plain), None) for role, known in ROLES.items()}
    twice = next((name for name in found.values() if name is not None and listed.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two columns are called {twice}", "give each column a name of its own")
    return {role: name for role, name in found.items() if name is not None}


def nearer_by(name: str | None) -> Nearer:
    """What the name of a column of numbers says of them; a score may be either."""
    plain = plain_name(name or "")
    return "smaller" if plain.startswith("dist") else "larger" if plain.startswith("simil") else "unsaid"


def unknown_columns(what: str, names: Sequence[str]) -> InputError:
    """The error for a table in which the neighbours, or whose they are, cannot be told."""
    return InputError(
        f"{what} has the columns {', '.join(names) or 'of no name'}, and they do not say whose neighbours are where",
        "call them query_id, neighbor_id and rank, distance or score",
    )
