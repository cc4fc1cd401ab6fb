"""Judge the answers of any system against a truth: ids from a file or from memory, no engine needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Booleans, Ids
from truerecall.model.eligibility import RowLists
from truerecall.model.finding import verdict_of
from truerecall.model.foreign import Nearer
from truerecall.model.groups import Grouping, Groups
from truerecall.model.ids import as_ids, rows_of
from truerecall.model.judged import Judged
from truerecall.model.labels import Labels
from truerecall.model.measure import NOTHING, Answers
from truerecall.model.measure_name import HEADLINE, MeasureName
from truerecall.model.progress import SILENT, Progress
from truerecall.model.returned import Returned
from truerecall.model.run import Run
from truerecall.model.truth import APPROXIMATE, GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.shelf import measures as shelf
from truerecall.steps.align import align
from truerecall.steps.answer_distances import with_distances
from truerecall.steps.bare_truth import UNKNOWN, as_truth
from truerecall.steps.bind_answers import bind_answers
from truerecall.steps.check import examine
from truerecall.steps.elsewhere import Elsewhere, nearest_elsewhere, spread_over
from truerecall.steps.fitting import Fitting, fitting_of
from truerecall.steps.given_answers import as_lists
from truerecall.steps.identify import Identities
from truerecall.steps.present import at_present, present_neighbors
from truerecall.steps.reported import reported_of
from truerecall.steps.rivals import rivals
from truerecall.steps.score import demand_answerable, score_answers, score_run

ANY = "l2"
"""Stands for the distance where none is known: nothing hangs on it."""
TIES = "tie_recall"
"""Taken here beside the usual ones: whoever brings answers has often not heard of it, and ties mislead."""


def score(
    truth: GroundTruth | Any,
    answers: Any,
    *,
    k: int = 10,
    measures: Sequence[MeasureName | str] | MeasureName | str | None = None,
    query_ids: Any = None,
    corpus: Corpus | None = None,
    queries: QuerySet | None = None,
    corpus_ids: Any = None,
    by_row: bool = False,
    rows: Booleans | None = None,
    allowed: RowLists | None = None,
    identities: Identities | None = None,
    max_drift: float | None = None,
    labels: Labels | None = None,
    asked_k: int | None = None,
    nearer: Nearer | None = None,
    seed: int = 0,
    clusters: Grouping | None = None,
    strata: Grouping | None = None,
    name: str | None = None,
    progress: Progress = SILENT,
) -> Judged:
    """How good the answers are: each measure with its interval, and what should not be believed.

    ``truth``: a GroundTruth, or an array of true ids, a row per query, padded with -1. ``answers``: an array of ids, a
    row per query; a list of lists; a mapping from query id to ids, or to scores by id; the path of a file; or a Run.
    They are bound to queries by ``query_ids`` where they do not say whose they are, else taken in the truth's order.
    ``k`` applies to measures named without a depth.

    ``corpus`` and ``queries``: the vectors, for measures that need the true distance of every returned row, with the
    ``rows`` and ``allowed`` that the truth was made with, and their ``identities`` where they are known. ``max_drift``:
    the largest share of rows of the corpus that may differ from the truth's; a Run has its own.
    ``corpus_ids``: the ids of all rows; ``by_row``: answers are row numbers though rows have ids. ``asked_k``: how many
    were asked for, where that is more than came back. ``nearer``: what numbers in place of ranks mean. ``clusters`` and
    ``strata``: what each query belongs to, by its id or in the order of the truth's queries.

    Where a finding is invalid, such as no query answered, there are no scores. Raises InputError where a measure needs
    what is not there, StaleTruth where answers or vectors are of something else.
    """
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise InputError(f"k is {k!r}", "give a whole number from 1 on")
    given = truth if isinstance(truth, GroundTruth) else as_truth(truth, query_ids)
    if max_drift is not None and (corpus is None or isinstance(answers, Run)):
        raise InputError(
            "a drift is allowed, which only vectors beside answers can show" if corpus is None else
            "a drift is allowed, and a Run says itself which one was when it was measured",
            "give corpus and queries too" if corpus is None else "leave it out, or run again with it",
        )  # fmt: skip
    wanted = [measures] if isinstance(measures, str | MeasureName) else measures
    names = None if wanted is None else [_named(one, k) for one in wanted]
    if isinstance(answers, Run):
        chosen = names or default_measures(given, k, labels, distances=True)
        point = score_run(
            answers, given, measures=chosen, labels=labels, seed=seed, clusters=clusters, strata=strata
        )  # fmt: skip
        return Judged(name or answers.setup.built, k, answers.setup.k, len(answers), point.scores, point.checks)
    groups = Groups.of(given.query_ids, clusters=clusters, strata=strata)
    if (corpus is None) != (queries is None):
        raise InputError("one of corpus and queries is given", "give both: distances are between them")
    if corpus is not None and given.distance == UNKNOWN:
        raise InputError(
            "the truth is a bare list of ids and says nothing of vectors", "give one that was built of them"
        )
    called = name or (str(answers) if isinstance(answers, Path | str) else "the answers")
    named_rows = corpus.given_ids if corpus is not None else _ids(corpus_ids, "the ids of the corpus")
    returned = bind_answers(
        as_lists(answers, called), given, name=called, query_ids=_ids(query_ids, "the query ids"),
        corpus_ids=named_rows, by_row=by_row, nearer=nearer,
    )  # fmt: skip
    vectors = None
    if corpus is not None and queries is not None:
        fitting = fitting_of(
            given, corpus, queries, rows=rows, allowed=allowed, identities=identities, max_drift=max_drift,
            progress=progress,
        )  # fmt: skip
        returned = with_distances(returned, given, corpus, queries, fitting, progress)
        vectors = (corpus, queries, fitting)
        named_rows = corpus.ids
    depth = max([k, *(one.places for one in names or ())])
    asked = max(depth, returned.longest) if asked_k is None else asked_k
    chosen = names or default_measures(
        given, k, labels, distances=given.distance != UNKNOWN and _distances_known(returned, k)
    )
    for one in chosen:
        _demand(one, given, returned, asked)
    aligned = _aligned(returned, given, asked, labels)
    demand_answerable(aligned)
    present, drift = None, None
    if vectors is not None and (drift := vectors[2].drift) is not None:
        present = at_present(aligned, given, present_neighbors(given, *vectors, progress), vectors[1].ids)
    scores = score_answers(aligned, chosen, seed=seed, groups=groups, present=present)
    evidence = {
        "truth": given,
        "copies": given.copies,
        "answers": aligned,
        "scores": scores,
        "k": k,
        "asked_k": asked,
        "failures": returned.failures[returned.failed],
        "returned": returned,
        "reported": reported_of(returned, given, None if vectors is None else vectors[:2]),
        "drift": drift,
        "rivals": rivals(
            returned,
            given,
            k,
            corpus_ids=named_rows,
            elsewhere=None if vectors is None else partial(_elsewhere, k, given.distance, *vectors),
        ),
    }
    checks = examine(evidence if labels is None else {**evidence, "labels": labels})
    invalid = verdict_of(c.finding for c in checks if c.finding is not None) == "invalid"
    return Judged(called, k, asked, len(given), () if invalid else scores, checks, returned.remarks)


def _elsewhere(k: int, distance: str, corpus: Corpus, queries: QuerySet, fitting: Fitting, query_ids: Ids) -> Elsewhere:
    return nearest_elsewhere(spread_over(query_ids, corpus), k, distance, corpus, queries, fitting)


def default_measures(truth: GroundTruth, k: int, labels: Labels | None, *, distances: bool) -> list[MeasureName]:
    """What is taken where nothing is asked for. ``distances``: whether those of all returned rows are known."""
    shelved = {name: shelf.get(name) for name in shelf.names()}
    approximate = truth.state == APPROXIMATE
    met = [
        name
        for name, own in shelved.items()
        if (own.of_approximate if approximate else own.usual or name == TIES)
        and (labels is not None or not own.needs_labels)
        and (distances or not own.needs_distances)
    ]
    return [MeasureName(name, k) for name in sorted(met, key=lambda name: name != HEADLINE)]


def _named(measure: MeasureName | str, k: int) -> MeasureName:
    return measure if isinstance(measure, MeasureName) else MeasureName.parse(measure, default_k=k)


def _ids(values: Any, what: str) -> Ids | None:
    return None if values is None else as_ids(values, what=what)


def _distances_known(returned: Returned, depth: int) -> bool:
    return bool(returned.known[(returned.places < depth) & ~returned.failed[returned.owners]].all())


def _demand(name: MeasureName, truth: GroundTruth, returned: Returned, asked: int) -> None:
    """Raises InputError where a measure goes deeper than the answers or the truth, or needs distances that nobody
    knows."""
    measure = shelf.get(name.base)
    measure.demand(name)
    if name.places > asked:
        raise InputError(
            f"{name} needs {name.places} answers per query and {asked} were asked for", f"measure at {asked} or less"
        )
    truth.demand_depth(name.k)
    if not measure.needs_distances:
        return
    looked_at = (returned.places < name.places) & ~returned.failed[returned.owners]
    unknown = int((~returned.known[looked_at]).sum())
    if unknown:
        raise InputError(
            f"{name} needs the true distance of every returned row, and the truth lists none for {unknown:,} of"
            f" {int(looked_at.sum()):,}",
            "give the vectors too, with --corpus and --queries",
        )


def _aligned(returned: Returned, truth: GroundTruth, depth: int, labels: Labels | None) -> Answers:
    """The answers beside the truth. A hole keeps its place until a measure has cut the list, and is no id."""
    answers = align(
        returned.query_ids,
        returned.neighbors,
        returned.failed,
        truth,
        depth=depth,
        labels=labels,
        distances_of="eligible rows",
    )
    if truth.distance == UNKNOWN:
        answers = replace(answers, distance=ANY)
    if not returned.holes.any():
        return answers
    found = answers.found.copy()
    place = rows_of(returned.query_ids, truth.query_ids)
    holes = np.flatnonzero(returned.holes & (returned.places < depth) & ~returned.failed[returned.owners])
    found[place[returned.owners[holes]], returned.places[holes]] = NOTHING
    return replace(answers, found=found)
