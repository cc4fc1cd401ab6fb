"""Under a drift, true neighbours at their distances of now: right values by hand, and the laws of the measures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.nouns import answers_of, neighbors_of, run_of, truth_of
from truerecall.errors import InputError
from truerecall.model.arrays import texts
from truerecall.model.cut import ALL_TIED
from truerecall.model.drift import Drift
from truerecall.model.ids import as_ids
from truerecall.model.judged import Judged
from truerecall.model.measure_name import MeasureName
from truerecall.model.neighbors import Neighbors
from truerecall.model.run import Run
from truerecall.model.source import ArraySource
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.present import at_present, present_neighbors
from truerecall.steps.score import score_run
from truerecall.steps.score_answers import score
from truerecall.steps.truth import build_truth

NAMES = ["a", "b", "c", "d", "p", "q", "r", "s"]
OLD = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 10.0, "p": 101.0, "q": 102.0, "r": 103.0, "s": 120.0}
QUERIES = QuerySet(np.array([[0.0], [100.0]]), texts(["left", "right"]))
MEASURES = ["recall@3", "tie_recall@3", "tolerant_recall@3(1%)", "eps_recall@3(0.01)"]


def corpus_of(places: dict[str, float]) -> Corpus:
    return Corpus(ArraySource(np.array([[x] for x in places.values()])), texts(list(places)))


@pytest.fixture(scope="module")
def truth() -> GroundTruth:
    """Left: a, b, c at 1, 2, 3. Right: p, q, r at 1, 2, 3."""
    return build_truth(corpus_of(OLD), QUERIES, "l2", 3)


def judged(truth: GroundTruth, answers: Any, now: dict[str, float], *measures: str) -> Judged:
    return score(
        truth, answers, k=3, measures=measures or MEASURES, corpus=corpus_of(now), queries=QUERIES, max_drift=1.0
    )


def left(told: Judged) -> list[float]:
    return [float(one.per_query.values[0]) for one in told.scores]


def test_a_neighbour_that_moved_is_held_against_itself(truth: GroundTruth) -> None:
    now = {**OLD, "b": 20.0}
    told = judged(truth, {"left": ["a", "d", "b"], "right": ["p", "q", "r"]}, now)
    # G lies at 1, 3, 20 now, and R at 1, 10, 20: a and b are hits. Beside the old 1, 2, 3 only a would be near.
    # d is nearer than the last of G, and so counts in eps_recall.
    assert left(told)[0] == left(told)[2] == pytest.approx(2 / 3)
    assert left(told)[3] == 1.0
    assert [float(one.per_query.values[1]) for one in told.scores] == [1.0] * 4
    (drifted,) = (one for one in told.findings if one.code == "truth-drifted")
    assert "1 changed (b)" in drifted.message


def test_tolerant_recall_changes_and_recall_stays(truth: GroundTruth) -> None:
    answers = {"left": ["a", "b", "d"], "right": ["p", "q", "r"]}
    before = score(truth, answers, k=3, measures=MEASURES, corpus=corpus_of(OLD), queries=QUERIES)
    assert left(before) == pytest.approx([2 / 3] * 4)
    assert "truth-drifted" not in [one.code for one in before.findings]
    # c has moved beside d: what stands in for it now is as near.
    assert left(judged(truth, answers, {**OLD, "c": 9.95})) == pytest.approx([2 / 3, 2 / 3, 1, 1])


def test_an_id_that_is_gone_keeps_its_distance(truth: GroundTruth) -> None:
    now = {name: x for name, x in OLD.items() if name != "c"}
    present = present_neighbors(truth, corpus_of(now), QUERIES)
    assert present.ids.tolist() == ["a", "b", "c", "p", "q", "r"]
    assert present.distances.tolist() == [1, 2, 3, 1, 2, 3]
    answers = {"left": ["a", "b", "d"], "right": ["p", "q", "r"]}
    assert left(judged(truth, answers, now)) == pytest.approx([2 / 3] * 4)
    assert left(judged(truth, answers, {**now, "d": 3.01})) == pytest.approx([2 / 3, 2 / 3, 1, 1])
    # A system that still returns it is right by ids, and no less so by distance.
    told = judged(truth, {**answers, "left": ["a", "b", "c"]}, now)
    assert left(told) == [1.0] * 4
    assert not {"unknown-ids", "ineligible-ids"} & {one.code for one in told.findings}
    # An id that nobody ever had is a miss as ever.
    assert "unknown-ids" in {one.code for one in judged(truth, {**answers, "left": ["a", "b", "z"]}, now).findings}


def test_lists_are_bound_by_query_and_not_by_place(truth: GroundTruth) -> None:
    swapped = QuerySet(QUERIES.vectors[::-1].copy(), QUERIES.ids[::-1].copy())
    present = present_neighbors(truth, corpus_of({**OLD, "b": 20.0}), swapped)
    assert present.ids.tolist() == ["p", "q", "r", "a", "b", "c"]
    assert present.distances.tolist() == [1, 2, 3, 1, 20, 3]
    stored = answers_of([[0, 1, 2], [3, 4, 5]], [[], []], truth_distances=[[1, 2, 3], [1, 2, 3]])
    now = at_present(stored, truth, present, swapped.ids)
    assert now.truth_distances.tolist() == [[1, 20, 3], [1, 2, 3]]
    assert now.cut(3, 3).true_distances.tolist() == [[1, 3, 20], [1, 2, 3]]
    assert now.cut(2, 3).true_distances.tolist() == [[1, 20], [1, 2]]
    assert stored.cut(2, 3).true_distances.tolist() == [[1, 2], [1, 2]]


def drifted_run(found: list[list[int]], truth: GroundTruth, present: Neighbors | None) -> Run:
    run = run_of(found, k=2)
    drift = Drift(truth.corpus.digest, run.setup.corpus.digest, 1000, 0, 0, 1, "1 changed (1)", 1, 1, 0.1)
    return replace(run, drift=drift, present=present)


def test_a_run_is_judged_by_what_it_keeps() -> None:
    truth = truth_of([[0, 1]], corpus=replace(run_of([[0]], k=1).setup.corpus, digest="e" * 32))  # at 0 and 1
    found = [[0, 5]]  # at 0 and 1 as well
    present = replace(neighbors_of([[0, 1]]), distances=np.array([0.0, 0.5]))
    names = [MeasureName.parse(name) for name in ("recall@2", "tolerant_recall@2(1%)")]

    def means(kept: Neighbors | None) -> list[float | None]:
        return [one.mean for one in score_run(drifted_run(found, truth, kept), truth, measures=names).scores]

    assert means(present) == [0.5, 0.5]
    assert means(None) == [0.5, 1.0]  # a run of an older format has nothing but the stored distances
    assert means(present.cut(1)[0]) == [0.5, 1.0]  # nor is anything known of an id that is not held


def test_the_stored_lists_say_which_queries_have_a_value() -> None:
    stored = answers_of([[0, 1]], [[0, 1]], truth_distances=[[1, 1]], found_distances=[[1, 4]], eligible=5)
    stored = replace(stored, deepest=np.array([1.0]), whole=np.array([True]))
    truth = truth_of([[0, 1]])
    now = at_present(stored, truth, replace(neighbors_of([[0, 1]]), distances=np.array([1.0, 4.0])), truth.query_ids)
    assert now.cut(2, 2).true_distances.tolist() == [[1, 4]]
    assert now.cut(2, 2).undefined.tolist() == stored.cut(2, 2).undefined.tolist() == [ALL_TIED]


def test_a_drift_needs_vectors_and_a_run_has_its_own(truth: GroundTruth) -> None:
    with pytest.raises(InputError, match="only vectors beside answers can show; give corpus and queries too"):
        score(truth, {"left": ["a"]}, k=3, max_drift=0.1)
    run = drifted_run([[0, 1]], truth, None)
    with pytest.raises(InputError, match="a Run says itself which one was"):
        score(truth, run, k=2, corpus=corpus_of(OLD), queries=QUERIES, max_drift=0.1)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["l2", "ip", "cosine", "l1"]), st.booleans())
def test_the_laws_hold_under_any_drift(seed: int, distance: str, coarse: bool) -> None:
    rng = np.random.default_rng(seed)
    draw = (lambda n: rng.integers(1, 4, (n, 3)).astype(float)) if coarse else (lambda n: rng.normal(size=(n, 3)))
    x, queries = draw(40), QuerySet(draw(12))
    truth = build_truth(Corpus(ArraySource(x), as_ids(np.arange(40), what="ids")), queries, distance, 5)
    kept = np.sort(rng.choice(40, 33, replace=False))
    moved = x.copy()
    moved[rng.choice(40, 8, replace=False)] = draw(8)
    now = Corpus(
        ArraySource(np.concatenate([moved[kept], draw(4)])), as_ids([*kept.tolist(), *range(50, 54)], what="ids")
    )
    lists = [rng.permutation(np.r_[truth.neighbors.of(q)[0], rng.integers(0, 60, 4)])[:7].tolist() for q in range(12)]
    names = ["recall@5", "tie_recall@5", "tolerant_recall@5(0%)", "tolerant_recall@5(2%)", "eps_recall@5(0.02)"]
    told = score(truth, lists, k=5, measures=names, corpus=now, queries=queries, max_drift=1.0)
    recall, tie, none, some, near = (one.per_query.values for one in told.scores)
    assert len({one.n for one in told.scores}) == 1
    assert (recall <= tie).all()
    assert (recall <= none).all()
    assert (none <= some).all()
    assert (some <= near).all()
