"""From runs and a truth to curves, the same way for every verb that judges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from truerecall.errors import InputError
from truerecall.model.arrays import Ids
from truerecall.model.curve import Curve
from truerecall.model.finding import CheckOutcome
from truerecall.model.groups import Grouping
from truerecall.model.labels import Labels
from truerecall.model.measure_name import MeasureName
from truerecall.model.run import Run
from truerecall.model.truth import GroundTruth

HEADLINE = "recall"


def headline(k: int) -> str:
    """The measure that curves are drawn of."""
    return str(MeasureName(HEADLINE, k))


def measures_at(k: int, labels: Labels | None) -> tuple[MeasureName, ...]:
    """The measures that are taken at depth k where nobody names any, the headline first."""
    from truerecall.shelf import measures

    names = [name for name in measures.names() if measures.get(name).usual]
    fit = [name for name in names if labels is not None or not measures.get(name).needs_labels]
    return tuple(MeasureName(name, k) for name in sorted(fit, key=lambda name: name != HEADLINE))


def judged(
    runs: Iterable[Run],
    truth: GroundTruth,
    labels: Labels | None,
    seed: int,
    *,
    measures: Sequence[MeasureName] = (),
    strata: Grouping | None = None,
    clusters: Grouping | None = None,
    inspected: Sequence[CheckOutcome] = (),
) -> tuple[Curve, ...]:
    """The curves of the headline, by the usual measures and by those that are named beside them. The runs are of one k.

    Raises InputError where there is no run.
    """
    from truerecall.steps.judge import judge

    all_runs = tuple(runs)
    if not all_runs:
        raise InputError("there is no run to judge", "measure one first: truerecall run")
    usual = measures_at(all_runs[0].setup.k, labels)
    return judge(
        all_runs, truth, measures=tuple(dict.fromkeys([*usual, *measures])), labels=labels, seed=seed, strata=strata,
        clusters=clusters, inspected=inspected,
    )  # fmt: skip


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
