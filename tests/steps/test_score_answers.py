"""Answers of any system, judged: the named cases with their right values, and what is said of odd ones."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import truerecall as tr
from tests.nouns import run_of, truth_of
from truerecall.errors import InputError, NotAMeasurement, StaleTruth
from truerecall.model.distance import distance_named
from truerecall.model.finding import Finding
from truerecall.model.judged import Judged
from truerecall.model.truth import APPROXIMATE, GroundTruth
from truerecall.steps.align import align
from truerecall.steps.choice import eligibility_of
from truerecall.steps.eligible import asked_of
from truerecall.steps.identify import identify

BIG = [9007199254740993, 9007199254740995]
hundred, ten = list(range(100)), list(range(10))


def mean_of(judged: Judged, measure: str) -> float:
    score = judged.score(measure)
    assert score is not None
    assert score.mean is not None
    return score.mean


def found(judged: Judged, code: str) -> Finding:
    return next(finding for finding in judged.findings if finding.code == code)


def codes(judged: Judged) -> set[str]:
    return {finding.code for finding in judged.findings}


@pytest.mark.parametrize(
    ("truth", "answers", "k", "measure", "expected", "said"),
    [
        (ten, [0] * 10, 10, "recall@10", 0.1, {"repeated-ids"}),  # H03
        (list(range(10_000)), hundred, 100, "recall@100", 1.0, set()),  # H16 a
        (list(range(10_000)), list(range(100, 200)), 100, "recall@100", 0.0, {"all-zero"}),  # H16 b
        (list(range(50)), [*range(44), *[-1] * 6], 50, "recall@50", 0.88, {"short-answers", "padded-answers"}),  # H20
        ([1, 2, 3, 4], [9, 8, 7, 1], 4, "recall@4", 0.25, set()),  # H25 a
        ([1, 2, 3, 4], [9, 8, 7, 1], 4, "1-recall@4", 1.0, set()),
        ([1, 2, 3, 4], [9, 8, 7, 1], 4, "1-recall@1", 0.0, set()),
        ([0, 8, 5, 2], [0, 5, 8, 2], 4, "recall@4", 1.0, set()),  # H25 b
        ([*range(8), 20, 21], ten, 10, "recall@10", 0.8, set()),  # H17 b, were it a truth
        ([1, 2, 3, 4], [1, 2, 2, -1], 4, "recall@4", 0.5, {"repeated-ids", "short-answers", "padded-answers"}),
        ([7, 8], [-1, 7], 2, "recall@2", 0.5, {"short-answers", "padded-answers"}),
        ([7, 8], [-1, 7], 2, "recall@1", 0.0, {"short-answers", "padded-answers"}),  # the padding keeps its place
    ],
)
def test_right_values(
    truth: list[int], answers: list[int], k: int, measure: str, expected: float, said: set[str]
) -> None:
    corpus = replace(truth_of([truth]).corpus, rows=100_000)
    judged = tr.score(truth_of([truth], corpus=corpus), np.array([answers]), k=k, measures=[measure])
    assert judged.scores[0].mean == expected
    assert codes(judged) - {"asked-deeper", "too-few-queries"} == said


def test_h19_forty_rows_whatever_was_asked() -> None:
    judged = tr.score(truth_of([hundred] * 5), np.array([hundred[:40]] * 5), k=100, measures=["recall", "recall@40"])
    assert (mean_of(judged, "recall@100"), mean_of(judged, "recall@40"), judged.asked_k) == (0.4, 1.0, 100)
    assert found(judged, "short-answers").message.startswith(
        "5 of 5 queries returned 40 of 100; the ceiling of this setting is 0.40"
    )
    at_ten = tr.score(truth_of([hundred] * 5), np.array([hundred[:40]] * 5), k=10, asked_k=100)
    assert (at_ten.asked_k, mean_of(at_ten, "recall@10")) == (100, 1.0)
    assert {"asked-deeper", "short-answers"} <= codes(at_ten)


def test_h16_a_truth_narrower_than_k_is_refused() -> None:
    with pytest.raises(InputError, match="holds 10 neighbours per query and k is 100; ask for k <= 10"):
        tr.score(truth_of([ten]), np.array([hundred]), k=100)
    with pytest.raises(InputError, match="recall@100 needs 100 answers per query and 40 were asked for"):
        tr.score(truth_of([hundred]), np.array([hundred[:40]]), measures=["recall@100"], asked_k=40)


def test_h13_padding_in_the_truth_means_that_no_further_row_may_answer() -> None:
    truth = truth_of([[17], []], k=100, eligible=[1, 0])
    for answers in ([[17], []], np.array([[17, -1], [-1, -1]])):
        judged = tr.score(truth, answers, k=100)
        score = judged.score("recall@100")
        assert score is not None
        assert (score.mean, score.n, sum(score.undefined.values())) == (1.0, 1, 1)
    padded = np.array([[17] + [-1] * 99, [-1] * 100])
    assert mean_of(tr.score(padded, [[17], []], k=100), "recall@100") == 1.0
    assert mean_of(tr.score(np.array([[5, -1, -1]]), np.array([[9, -1, -1]]), k=3), "recall@3") == 0.0


def test_h11_ids_past_2_to_53() -> None:
    truth = truth_of([BIG], corpus_ids="int64")
    for exact in (np.array([BIG]), [BIG], [[str(own) for own in BIG]], {0: BIG}):
        assert mean_of(tr.score(truth, exact, k=2), "recall@2") == 1.0
    damaged = tr.score(truth, np.array([[9007199254740992, 9007199254740996]]), k=2)
    assert (damaged.scores, damaged.verdict) == ((), "invalid")
    assert "each is the double-rounded form of an existing id" in found(damaged, "unknown-ids").message


def test_h17_lists_of_an_index_give_agreement_never_recall() -> None:
    reference = replace(truth_of([[*range(8), 20, 21]]), state=APPROXIMATE)
    judged = tr.score(reference, np.array([ten]), measures=["recall@10"])
    assert (judged.scores, judged.verdict) == ((), "invalid")
    assert found(judged, "truth-approximate").severity == "invalid"


def test_h26_answers_belong_to_queries_not_to_arrival() -> None:
    truth = truth_of([[10 * i, 10 * i + 1] for i in range(10)])
    for workers in (1, 2, 5):
        shares = np.array_split(np.arange(10), workers)
        arrival = np.concatenate(shares[::-1])
        rows = np.stack([10 * arrival, 10 * arrival + 1], axis=1)
        assert mean_of(tr.score(truth, rows, k=2, query_ids=arrival), "recall@2") == 1.0
        misread = np.array([10 * place for share in shares for place in range(len(share))])
        planted = tr.score(truth, np.stack([misread, misread + 1], axis=1), k=2)
        assert mean_of(planted, "recall@2") == pytest.approx(1 / workers)
    by_query = {i: [i] if i < 8 else [99] for i in reversed(range(10))}
    assert mean_of(tr.score(truth_of([[i] for i in range(10)]), by_query, k=1), "recall@1") == 0.8


def test_h27_nothing_answered_is_no_measurement_and_some_failures_count_zero() -> None:
    refused = tr.score(truth_of([[1]] * 60), dict.fromkeys(range(60)), k=1)
    assert (refused.scores, refused.verdict) == ((), "invalid")
    assert "60 of 60 queries failed" in found(refused, "failed-queries").message
    truth = truth_of([[i] for i in range(5)])
    for answers in ({0: [0], 1: None, 2: [2], 3: None, 4: [9]}, {0: [0], 2: [2], 4: [9]}):
        score = tr.score(truth, answers, k=1).scores[0]
        assert (score.mean, score.n, score.failed) == (0.4, 5, 2)
        assert score.answered_mean == pytest.approx(2 / 3)


def test_h14_the_wrong_split_is_no_measurement() -> None:
    truth = truth_of([[3 * i, 3 * i + 1, 3 * i + 2] for i in range(30)])
    wrong = np.arange(90).reshape(30, 3) + 500
    judged = tr.score(truth, wrong[::-1], k=3)
    assert (judged.scores, judged.verdict) == ((), "invalid")
    assert "every one of 30 answered queries" in found(judged, "all-zero").message
    few = tr.score(truth_of([[1, 2], [3, 4]]), np.array([[8, 9], [8, 7]]), k=2)
    assert (few.scores[0].mean, few.verdict) == (0.0, "suspect")


def vectors(rows: Any, queries: Any, distance: str, k: int, **kinds: Any) -> tuple[Any, Any, GroundTruth]:
    corpus = tr.Corpus(tr.ArraySource(np.asarray(rows, np.float64)), kinds.get("ids"))
    asked = tr.QuerySet(np.asarray(queries, np.float64))
    return corpus, asked, tr.build_truth(corpus, asked, distance, k)


def test_h07_another_distance_is_named() -> None:
    corpus, queries, truth = vectors([[1, 1], [10, 10], [0.9, 1.2]], [[1, 1]], "l2", 2)
    judged = tr.score(truth, np.array([[1, 2]]), k=2, measures=["recall"], corpus=corpus, queries=queries)
    assert mean_of(judged, "recall@2") == 0.5
    assert found(judged, "better-explained").message.startswith("results match inner product (1.000) better than")
    angles = np.linspace(0, 1, 5)
    unit = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    corpus, queries, truth = vectors(unit, unit[:1], "l2", 2)
    same = tr.score(truth, np.array([[0, 4]]), k=2, measures=["recall"], corpus=corpus, queries=queries)
    assert "better-explained" not in codes(same)


def test_h05_distances_on_another_scale_do_not_judge() -> None:
    cosines = np.array([0.9, 0.8, 0.7])
    rows = np.stack([cosines, np.sqrt(1 - cosines**2)], axis=1)
    corpus, queries, truth = vectors(rows, [[1, 0]], "cosine", 3)
    entry = {"query_id": 0, "neighbors": [0, 1, 2], "distances": [0.4472, 0.6325, 0.7746]}
    judged = tr.score(truth, [entry], k=3)
    assert (mean_of(judged, "recall@3"), judged.verdict) == (1.0, "ok")
    assert found(judged, "reported-distances").message.startswith(
        "the index reports distances on another scale: sqrt(2 (1 - cos))"
    )
    other = tr.score(truth, [{**entry, "distances": [3.0, 1.0, 7.0]}], k=3, corpus=corpus, queries=queries)
    assert "do not agree with the recomputed ones on any scale" in found(other, "reported-distances").message


def test_distances_of_another_geometry_are_named() -> None:
    rng = np.random.default_rng(0)
    corpus, queries, truth = vectors(rng.normal(size=(50, 4)), rng.normal(size=(4, 4)), "l2", 5)
    by_dot = -(queries.vectors @ corpus.source.take(np.arange(50)).T)
    order = np.argsort(by_dot, axis=1)[:, :5]
    entries = [{"query_id": q, "ids": order[q].tolist(), "scores": (-by_dot[q, order[q]]).tolist()} for q in range(4)]
    judged = tr.score(truth, entries, k=5, measures=["recall"], corpus=corpus, queries=queries)
    assert "they are those of ip (dot)" in found(judged, "reported-distances").message
    assert "inner product" in found(judged, "better-explained").message


def test_h22_what_was_deleted_is_a_miss_and_is_told() -> None:
    corpus, queries, truth = vectors([[3, 4], [6, 8]], [[0, 0]], "l2", 1, ids=np.array([11, 12]))
    assert truth.neighbors.ids.tolist() == [11]
    for answers, expected in (([[11]], 1.0), ([[]], 0.0), ([[12]], 0.0), ([[10]], 0.0)):
        judged = tr.score(truth, answers, k=1, measures=["recall"], corpus=corpus, queries=queries)
        assert mean_of(judged, "recall@1") == expected
        assert ("unknown-ids" in codes(judged)) == (answers == [[10]])


def test_h18_a_row_that_the_filter_drops_is_a_miss_even_where_it_ties() -> None:
    corpus = tr.Corpus(tr.ArraySource(np.arange(12.0)[:, None]))
    queries = tr.QuerySet(np.array([[10.2]]))
    even = np.arange(12) % 2 == 0
    sides = identify(corpus, queries, distance_named("l2"))
    asked = asked_of(eligibility_of(corpus, queries, sides.copies, rows=even), corpus, queries, sides)
    plain = tr.build_truth(corpus, queries, "l2", 2)
    truth = replace(
        truth_of([[10, 8]], eligible=[6], corpus=plain.corpus, queries=plain.queries), reasons=asked.reasons
    )
    judged = tr.score(truth, [[10, 9]], k=2, measures=["recall"], corpus=corpus, queries=queries, rows=even)
    assert mean_of(judged, "recall@2") == 0.5
    assert "(first: 9)" in found(judged, "ineligible-ids").message
    with pytest.raises(StaleTruth, match="give the --rows, --filter and --allowed that it was made with"):
        tr.score(truth, [[10, 9]], k=2, corpus=corpus, queries=queries)


NEAR_5, NEAR_4 = "eps_recall@5(0.5)", "eps_recall@4(0.5)"


def test_measures_of_distances_need_the_vectors_where_the_truth_does_not_list_a_row() -> None:
    rng = np.random.default_rng(1)
    corpus, queries, truth = vectors(rng.normal(size=(50, 4)), rng.normal(size=(4, 4)), "l2", 5)
    answers = truth.neighbors.ids.reshape(4, 5).copy()
    assert mean_of(tr.score(truth, answers, k=5, measures=[NEAR_5]), NEAR_5) == 1.0
    from_first = np.linalg.norm(corpus.source.take(np.arange(50)) - queries.vectors[0], axis=1)
    answers[0, 4] = np.argsort(from_first)[5]  # the sixth, and hardly farther than the fifth
    with pytest.raises(InputError, match="lists none for 1 of 20; give the vectors too, with --corpus and --queries"):
        tr.score(truth, answers, k=5, measures=[NEAR_5])
    assert mean_of(tr.score(truth, answers, k=5, measures=[NEAR_4]), NEAR_4) == 1.0
    whole = tr.score(truth, answers, k=5, measures=[NEAR_5], corpus=corpus, queries=queries)
    assert mean_of(whole, NEAR_5) == 1.0
    answers[0, 4] = 1000  # no row of the corpus: a miss without a distance, and known to be one
    assert mean_of(tr.score(truth, answers, k=5, measures=[NEAR_5]), NEAR_5) == 0.95
    with pytest.raises(InputError, match="one of corpus and queries is given"):
        tr.score(truth, answers, k=5, corpus=corpus)
    with pytest.raises(StaleTruth, match="it is of other queries"):
        tr.score(truth, answers, k=5, corpus=corpus, queries=tr.QuerySet(queries.vectors + 1))


@pytest.mark.parametrize(
    ("shift", "told"), [(1, "ids that are lowered by 1"), (-1, "ids that are raised by 1"), (500, "lowered by 500")]
)
def test_shifted_ids_are_named(shift: int, told: str) -> None:
    truth = truth_of([[7 * i + 1, 7 * i + 3, 7 * i + 4] for i in range(30)])
    judged = tr.score(truth, truth.neighbors.ids.reshape(30, 3) + shift, k=3)
    assert told in found(judged, "better-explained").message


def test_row_numbers_in_place_of_ids_are_named_and_can_be_declared() -> None:
    rng = np.random.default_rng(2)
    names = np.array([f"doc-{row:03d}" for row in range(60)], np.dtypes.StringDType())
    corpus, queries, truth = vectors(rng.normal(size=(60, 4)), rng.normal(size=(25, 4)), "l2", 3, ids=names)
    rows = np.array([[int(own[4:]) for own in truth.neighbors.of(q)[0].tolist()] for q in range(25)])
    judged = tr.score(truth, rows, k=3, measures=["recall"], corpus=corpus, queries=queries)
    assert judged.verdict == "invalid"
    assert found(judged, "better-explained").message.startswith("results match row numbers in place of ids (1.000)")
    assert mean_of(tr.score(truth, rows, k=3, corpus_ids=names, by_row=True), "recall@3") == 1.0
    with pytest.raises(InputError, match="the ids of the rows are not at hand"):
        tr.score(truth, rows, k=3, by_row=True)
    with pytest.raises(InputError, match="names row 60 of a corpus of 60 rows"):
        tr.score(truth, rows + 60 - rows.max(), k=3, corpus_ids=names, by_row=True)
    upper = [[own.upper() for own in truth.neighbors.of(q)[0].tolist()] for q in range(25)]
    assert "lower case" in found(tr.score(truth, upper, k=3), "better-explained").message


def test_ids_for_a_truth_of_row_numbers_are_translated() -> None:
    truth = truth_of([[2, 0], [1, 2]])
    names = np.array(["a", "b", "c"], np.dtypes.StringDType())
    judged = tr.score(truth, [["c", "a"], ["b", "zzz"]], k=2, corpus_ids=names)
    assert mean_of(judged, "recall@2") == 0.75
    assert "unknown-ids" in codes(judged)


def test_answers_in_another_order_are_named() -> None:
    truth = truth_of([[7 * i, 7 * i + 1] for i in range(30)])
    judged = tr.score(truth, np.roll(truth.neighbors.ids.reshape(30, 2), 1, axis=0), k=2)
    assert "answers to other queries" in found(judged, "better-explained").message


def test_numbers_order_the_lists_and_it_is_said_which_are_near() -> None:
    truth = truth_of([[5, 6, 7]])
    near_is_small = [{"query_id": 0, "id": own, "score": far} for own, far in ((7, 2.0), (5, 0.1), (6, 1.0))]
    judged = tr.score(truth, near_is_small, k=1)
    assert mean_of(judged, "recall@1") == 1.0
    assert judged.remarks[-1].endswith("the smaller the nearer (as the true distances run)")
    declared = tr.score(truth, near_is_small, k=1, nearer="larger")
    assert mean_of(declared, "recall@1") == 0.0
    assert "the larger the nearer (declared)" in declared.remarks[-1]
    unknown = [{"query_id": 0, "id": own, "score": far} for own, far in ((5, 3.0), (90, 2.0), (91, 1.0))]
    assert "(as all lists of the file run)" in tr.score(truth, unknown, k=1).remarks[-1]
    runs = {"0": {"5": 3.0, "90": 9.0, "91": 1.0}}
    assert mean_of(tr.score(truth, runs, k=1), "recall@1") == 0.0


def test_a_bare_array_may_be_the_truth() -> None:
    judged = tr.score(np.array([[1, 2], [3, 4]]), np.array([[2, 1], [3, 9]]), k=2)
    assert (mean_of(judged, "recall@2"), judged.verdict) == (0.75, "suspect")
    assert "truth-unproved" in codes(judged)
    named = tr.score([["a", "b"]], {"q": ["b", "z"]}, k=2, query_ids=["q"])
    assert mean_of(named, "recall@2") == 0.5
    with pytest.raises(InputError, match="holds 2 neighbours per query and k is 3"):
        tr.score(np.array([[1, 2]]), np.array([[1, 2, 3]]), k=3)


def test_a_run_is_judged_as_report_judges_it() -> None:
    judged = tr.score(truth_of([hundred[:10]] * 5), run_of([hundred[:5] + [77] * 5] * 5, k=10), k=5)
    assert (mean_of(judged, "recall@5"), judged.asked_k) == (1.0, 10)


def test_answers_of_other_queries_or_of_another_number_are_refused() -> None:
    truth = truth_of([[1], [2]])
    with pytest.raises(StaleTruth, match="holds 3 lists without query ids and the truth 2 queries"):
        tr.score(truth, [[1], [2], [3]], k=1)
    with pytest.raises(StaleTruth, match="none of its 1 queries is in the truth"):
        tr.score(truth, {9: [1]}, k=1)
    with pytest.raises(InputError, match="names the id 'doc7' where ids are row numbers"):
        tr.score(truth, [["doc7"], ["doc8"]], k=1)
    with pytest.raises(InputError, match="whole numbers went through floating point"):
        tr.score(truth, [["1.0"], ["2.0"]], k=1)
    with pytest.raises(InputError, match="1 surplus rows under 1 repeated ids"):
        tr.score(truth, np.array([[1], [2]]), k=1, query_ids=[0, 0])
    with pytest.raises(InputError, match="there are 3 query ids"):
        tr.score(truth, np.array([[1], [2]]), k=1, query_ids=[0, 1, 2])
    with pytest.raises(NotAMeasurement, match="no row may answer any"):
        tr.score(truth_of([[]], eligible=[0]), [[1]], k=1)


def test_empty_strings_fill_up_a_matrix_of_strings() -> None:
    truth = truth_of([["a", "b"]], dtype=str, corpus_ids="string")
    judged = tr.score(truth, np.array([["b", ""]]), k=2)
    assert mean_of(judged, "recall@2") == 0.5
    assert "padded-answers" in codes(judged)


def test_a_corpus_that_holds_the_id_minus_one_takes_no_padding() -> None:
    truth = truth_of([[-1, 2]], corpus_ids="int64")
    with pytest.raises(InputError, match="the corpus has the id -1, which fills up the lists"):
        tr.score(truth, np.array([[2, -1]]), k=2)
    assert mean_of(tr.score(truth, [[2, -1]], k=2), "recall@2") == 1.0
    assert mean_of(tr.score(truth_of([[1, 2]]), [[2, -1]], k=2), "recall@2") == 0.5


@given(st.data())
def test_the_order_of_queries_and_of_answers_does_not_matter(data: st.DataObject) -> None:
    n, k = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 4))
    row = st.lists(st.integers(0, 12), min_size=k, max_size=k, unique=True)
    truth = truth_of([data.draw(row) for _ in range(n)])
    answers = {q: data.draw(row) for q in range(n)}
    shuffled = {q: data.draw(st.permutations(answers[q])) for q in data.draw(st.permutations(range(n)))}
    ours, other = (tr.score(truth, given_, k=k, measures=["recall"]) for given_ in (answers, shuffled))
    twin = math.fsum(len(set(answers[q]) & set(truth.neighbors.of(q)[0].tolist())) / k for q in range(n)) / n
    recalls = [align_recall(truth, given_, k) for given_ in (answers, shuffled)]
    assert recalls[0] == recalls[1] == pytest.approx(twin)
    assert ours.verdict == other.verdict


def align_recall(truth: GroundTruth, answers: dict[int, list[int]], k: int) -> float:
    run = run_of(list(answers.values()), k=k, query_ids=list(answers))
    aligned = align(run.query_ids, run.neighbors, run.failed, truth, depth=k)
    hits = [len(set(a) & set(b)) for a, b in zip(aligned.truth.tolist(), aligned.found.tolist(), strict=True)]
    return sum(hits) / k / len(hits)


def test_answers_are_never_written_to(tmp_path: Path) -> None:
    answers = np.array([[1, -1, 2]])
    before = answers.copy()
    np.save(tmp_path / "a.npy", answers)
    assert tr.score(truth_of([[1, 2]]), tmp_path / "a.npy", k=2).scores[0].mean == 0.5
    tr.score(truth_of([[1, 2]]), answers, k=2)
    assert (answers == before).all()
