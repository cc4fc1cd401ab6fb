"""The files that verbs which judge take beside the runs: labels, strata and clusters."""

from __future__ import annotations

from pathlib import Path

from truerecall.errors import InputError
from truerecall.model.arrays import Ids
from truerecall.model.groups import Grouping
from truerecall.model.labels import Labels


def labels_from(
    path: Path | None, *, query_ids: Ids, query_kind: str, corpus_kind: str, relevant_from: float | None = None
) -> Labels | None:
    """The labels in a file, their ids brought to the kinds that the queries and the corpus have.

    ``relevant_from``: the least grade of a relevant pair; any above zero where it is None. Raises InputError where no
    label is about the queries at hand, and for a grade without labels.
    """
    if path is None:
        if relevant_from is not None:
            raise InputError("--relevant-from is given without labels", "name them with --labels")
        return None
    from truerecall.store.attributes import read_labels

    labels = read_labels(path, query_kind=query_kind, corpus_kind=corpus_kind, relevant_from=relevant_from or 0.0)
    labels.demand_some_of(query_ids)
    return labels


def strata_of(named: str | None, query_kind: str) -> Grouping | None:
    """What ``--strata`` names: the stratum of each query by its id."""
    return _groups(named, "stratum", query_kind)


def clusters_of(named: str | None, query_kind: str) -> Grouping | None:
    """What ``--clusters`` names: the cluster of each query by its id."""
    return _groups(named, "cluster", query_kind)


def _groups(named: str | None, column: str, query_kind: str) -> Grouping | None:
    if named is None:
        return None
    from truerecall.store.attributes import read_groups

    return read_groups(named, column=column, query_kind=query_kind)
