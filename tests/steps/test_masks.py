"""Who may answer: left-out vectors, row masks, allowed ids and exclude-self, from the choice to the stored truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from tests.masked import slow_truth
from tests.nouns import neighbors_of
from truerecall.errors import FormatError, InputError, StaleTruth
from truerecall.model.distance import distance_named
from truerecall.model.eligibility import EVERYTHING, Eligibility, RowLists
from truerecall.model.ids import as_ids
from truerecall.model.measure import NO_TRUE_NEIGHBOUR
from truerecall.model.measure_name import MeasureName
from truerecall.model.neighbors import Neighbors, offsets_of
from truerecall.model.source import ArraySource
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.align import align
from truerecall.steps.choice import EXCLUDE_SELF, eligibility_of
from truerecall.steps.eligible import asked_of
from truerecall.steps.identify import identify
from truerecall.steps.score import score_answers
from truerecall.steps.truth import build_truth, find_or_build_truth
from truerecall.steps.unusable import Policies
from truerecall.steps.verify import verify_truth
from truerecall.store.truths import load_truth, save_truth, truth_artefact

DISTANCES = ("l2", "ip", "cosine", "l1")
LEAVE_OUT = Policies("leave-out", "leave-out")

H09_ROWS = np.array([[1.0, 0], [0, 1], [1, 1], [0, 0]])
H09_QUERIES = np.array([[2.0, 0], [0, 0]])
H24_ROWS = np.array([[0.0, 0], [1, 5], [2, 0], [3, 5]])


def corpus_of(vectors: Any, ids: Any = None) -> Corpus:
    return Corpus(ArraySource(np.asarray(vectors)), None if ids is None else as_ids(ids, what="ids"))


def lists_of(truth: GroundTruth) -> list[list[Any]]:
    return [truth.neighbors.of(i)[0].tolist() for i in range(len(truth))]


def lists(*rows: list[int]) -> RowLists:
    return RowLists(np.array([r for row in rows for r in row], np.int64), offsets_of(np.array([len(r) for r in rows])))


def masked(
    x: Any,
    q: Any,
    distance: str,
    k: int,
    *,
    policies: Policies = LEAVE_OUT,
    made_by: Callable[..., GroundTruth] = build_truth,
    ids: Any = None,
    query_ids: Any = None,
    **choice: Any,
) -> GroundTruth:
    corpus = corpus_of(x, ids)
    asking = QuerySet(np.asarray(q), None if query_ids is None else as_ids(query_ids, what="ids"))
    sides = identify(corpus, asking, distance_named(distance), policies=policies)
    chosen = eligibility_of(corpus, asking, sides.copies, **choice)
    if made_by is build_truth:
        return build_truth(corpus, asking, distance, k, identities=sides, eligibility=chosen)
    return slow_truth(corpus, asking, distance, k, eligibility=chosen, sides=sides)


both_ways = pytest.mark.parametrize(
    "made_by", [pytest.param(slow_truth, id="slowly"), pytest.param(build_truth, id="built")]
)


class TestNamedCases:
    @both_ways
    def test_h09_zero_vectors_are_left_out_and_counted(self, made_by: Any) -> None:
        truth = masked(H09_ROWS, H09_QUERIES, "cosine", 3, made_by=made_by)
        assert lists_of(truth) == [[0, 2, 1], []]
        assert (truth.eligible.tolist(), truth.tied.tolist()) == ([3, 0], [1, 0])
        assert truth.reasons == {"zero-vectors": "1 row and 1 query left out: only zeros"}
        assert truth.corpus.rows == 4

    def test_h09_is_scored_over_the_query_that_is_left(self) -> None:
        truth = masked(H09_ROWS, H09_QUERIES, "cosine", 3)
        came = neighbors_of([[0, 2, 3], [1, 2, 3]])
        answers = align(truth.query_ids, came, np.zeros(2, np.bool_), truth, depth=3)
        (score,) = score_answers(answers, [MeasureName("recall", 3)], seed=0)
        assert (score.mean, score.n, score.undefined) == (2 / 3, 1, {NO_TRUE_NEIGHBOUR: 1})

    @both_ways
    def test_not_finite_vectors_are_left_out_and_counted(self, made_by: Any) -> None:
        rows = np.array([[1.0], [np.nan], [3], [np.inf], [5]])
        truth = masked(rows, np.array([[4.5], [np.nan]]), "l2", 5, made_by=made_by)
        assert lists_of(truth) == [[4, 2, 0], []]
        assert truth.reasons == {"not-finite": "2 rows and 1 query left out: NaN, infinity or values beyond 1e+150"}

    @both_ways
    def test_h13_few_rows_pass_the_filter(self, made_by: Any) -> None:
        corpus = np.arange(100.0)[:, None]
        truth = masked(corpus, np.array([[3.0], [4.0]]), "l2", 100, made_by=made_by, allowed=lists([17], []))
        assert lists_of(truth) == [[17], []]
        assert truth.eligible.tolist() == [1, 0]
        assert truth.reasons["allowed"].startswith("0 to 1 rows listed for each query, digest ")

    @both_ways
    def test_h18_even_ids(self, made_by: Any) -> None:
        even = np.arange(12) % 2 == 0
        truth = masked(np.arange(12.0)[:, None], np.array([[10.2]]), "l2", 2, made_by=made_by, rows=even)
        assert lists_of(truth) == [[10, 8]]
        assert truth.reasons["filter"].startswith("6 of 12 rows kept, digest ")

    @both_ways
    @pytest.mark.parametrize("way", EXCLUDE_SELF)
    def test_h24_without_self(self, way: str, made_by: Any) -> None:
        truth = masked(H24_ROWS, H24_ROWS, "l2", 1, made_by=made_by, exclude_self=way)
        assert lists_of(truth) == [[2], [3], [0], [1]]
        assert (truth.eligible.tolist(), truth.copies.tolist()) == ([3] * 4, [0] * 4)
        assert truth.reasons == {"exclude-self": f"by {way}: a row of its own is excluded for 4 of 4 queries"}

    def test_h24_with_self(self) -> None:
        truth = masked(H24_ROWS, H24_ROWS, "l2", 1)
        assert (lists_of(truth), truth.copies.tolist()) == ([[0], [1], [2], [3]], [1] * 4)


@settings(max_examples=150, deadline=None)
@given(
    distance=st.sampled_from(DISTANCES),
    dtype=st.sampled_from(("float64", "float32", "int8")),
    rows=st.integers(1, 80),
    named=st.booleans(),
    block_rows=st.integers(1, 90),
    seed=st.integers(0, 2**32 - 1),
    data=st.data(),
)
def test_what_is_built_equals_the_slow_truth(
    distance: str, dtype: str, rows: int, named: bool, block_rows: int, seed: int, data: st.DataObject
) -> None:
    rng = np.random.default_rng(seed)
    x = (rng.integers(0, 4, (rows, 3)) + 1).astype(dtype)
    spoilt = rng.random(rows) < 0.1
    x[spoilt] = np.nan if dtype != "int8" and distance != "cosine" else 0 if distance == "cosine" else 1
    q = np.concatenate([x[: min(3, rows)], (rng.integers(0, 4, (2, 3)) + 1).astype(dtype)])
    corpus = corpus_of(x, [f"r{i}" for i in rng.permutation(rows)] if named else None)
    queries = QuerySet(q)
    sides = identify(corpus, queries, distance_named(distance), policies=LEAVE_OUT)
    mask = rng.random(rows) < 0.6 if data.draw(st.booleans()) else None
    allowed = lists(*(np.flatnonzero(rng.random(rows) < share).tolist() for share in rng.choice([0, 0.2, 0.9], len(q))))
    own = data.draw(st.sampled_from((None, "content") if named else (None, *EXCLUDE_SELF)))
    k, listed = data.draw(st.integers(1, rows)), data.draw(st.booleans())
    try:
        chosen = eligibility_of(
            corpus, queries, sides.copies, rows=mask, allowed=allowed if listed else None,
            exclude_self=own,
        )  # fmt: skip
        slow = slow_truth(corpus, queries, distance, k, eligibility=chosen, sides=sides)
    except InputError:
        reject()  # no row may answer, or there is no self to exclude
    built = build_truth(corpus, queries, distance, k, identities=sides, eligibility=chosen, block_rows=block_rows)
    assert lists_of(built) == lists_of(slow)
    assert built.eligible.tolist() == slow.eligible.tolist()
    assert built.copies.tolist() == slow.copies.tolist()
    assert built.reasons == slow.reasons
    if dtype == "int8" and distance != "cosine":  # whole numbers: no rounding stands between the two
        assert (built.nearer.tolist(), built.tied.tolist()) == (slow.nearer.tolist(), slow.tied.tolist())
    assert verify_truth(built, corpus, queries, rows=mask, allowed=allowed if listed else None)[0].first is None


class TestChoices:
    def test_reasons_hang_on_what_is_kept_and_not_on_the_order_of_rows(self) -> None:
        x, names = np.arange(4.0)[:, None], ["a", "b", "c", "d"]
        one = masked(x, x, "l2", 1, made_by=slow_truth, ids=names, rows=np.array([True, False, True, False]))
        turned = masked(
            x[::-1], x, "l2", 1, made_by=slow_truth, ids=names[::-1], rows=np.array([False, True, False, True])
        )
        assert one.corpus == turned.corpus
        assert one.reasons == turned.reasons
        other = masked(x, x, "l2", 1, made_by=slow_truth, ids=names, rows=np.array([False, True, False, True]))
        assert other.reasons["filter"][:20] == one.reasons["filter"][:20]
        assert other.reasons != one.reasons

    def test_exclude_self_by_content_excludes_every_copy(self) -> None:
        rows = np.array([[1.0], [1], [2], [2], [7]])
        truth = masked(rows, rows[[0, 2, 4]], "l2", 5, made_by=slow_truth, exclude_self="content")
        assert lists_of(truth) == [[2, 3, 4], [0, 1, 4], [2, 3, 0, 1]]
        by_id = masked(rows, rows[[0, 2, 4]], "l2", 1, made_by=slow_truth, exclude_self="id")
        assert (lists_of(by_id), by_id.copies.tolist()) == ([[1], [2], [4]], [1, 2, 1])

    def test_exclude_self_that_excludes_nothing_is_refused(self) -> None:
        for way, word in (("id", "the id of a row"), ("content", "the content of a row")):
            with pytest.raises(InputError, match=word):
                masked([[1.0]], [[2.0]], "l2", 1, query_ids=["q"], exclude_self=way)

    def test_queries_of_another_type_are_their_own_rows_by_value(self) -> None:
        rows = np.array([[0.5], [0.1]], np.float16)
        corpus, queries = corpus_of(rows), QuerySet(np.array([[0.5], [0.1], [0.5]]))
        copies = identify(corpus, queries, distance_named("l2")).copies
        assert [copies.of(i).tolist() for i in range(3)] == [[0], [], [0]]
        assert copies.counts.tolist() == [1, 0, 1]

    def test_nothing_left_is_refused(self) -> None:
        with pytest.raises(InputError, match="no row of array may answer any of the 1 query"):
            masked([[1.0, 0]], [[0.0, 0]], "cosine", 1)
        with pytest.raises(InputError, match="widen the filter"):
            masked([[1.0]], [[2.0]], "l2", 1, rows=np.zeros(1, np.bool_))

    def test_without_a_choice_everything_may_answer(self) -> None:
        corpus, queries = corpus_of([[1.0], [2.0]]), QuerySet(np.array([[0.0]]))
        sides = identify(corpus, queries, distance_named("l2"), policies=LEAVE_OUT)
        asked = asked_of(Eligibility(), corpus, queries, sides)
        assert asked.eligibility is EVERYTHING
        assert asked.queries(queries) is queries


class TestStored:
    def stored(self, folder: Path) -> Path:
        truth = masked(H09_ROWS, H09_QUERIES, "cosine", 3, made_by=slow_truth)
        save_truth(truth, folder / "truth.parquet")
        back = load_truth(folder / "truth.parquet")
        assert back.reasons == truth.reasons
        assert truth_artefact(back).content_digest == truth_artefact(truth).content_digest
        return folder / "truth.parquet"

    def test_reasons_are_content(self, tmp_path: Path) -> None:
        truth = load_truth(self.stored(tmp_path))
        other = replace(truth, reasons={"filter": "3 of 4 rows kept"})
        assert truth_artefact(other).content_digest != truth_artefact(truth).content_digest

    @pytest.mark.parametrize("cut", [1, 2])
    def test_a_short_list_is_a_truncated_pass(self, cut: int, tmp_path: Path) -> None:
        truth = load_truth(self.stored(tmp_path))
        near = truth.neighbors
        short = Neighbors(near.ids[:cut], near.distances[:cut], np.array([0, cut, cut]))
        save_truth(replace(truth, neighbors=short), tmp_path / "short.parquet")
        with pytest.raises(FormatError, match=rf"truncated pass: 1 of 2 lists .* .query 0: {cut} of 3"):
            load_truth(tmp_path / "short.parquet")

    def test_a_short_list_needs_a_reason(self, tmp_path: Path) -> None:
        truth = load_truth(self.stored(tmp_path))
        save_truth(replace(truth, reasons={}), tmp_path / "silent.parquet")
        with pytest.raises(FormatError, match=r"truncated pass: for 2 of 2 queries .* gives no reason"):
            load_truth(tmp_path / "silent.parquet")

    def test_a_masked_truth_is_not_taken_for_a_whole_one(self, tmp_path: Path) -> None:
        rows = np.arange(6.0)[:, None]
        corpus, queries = corpus_of(rows), QuerySet(rows[:2] + 0.1)
        sides = identify(corpus, queries, distance_named("l2"))
        chosen = eligibility_of(corpus, queries, sides.copies, rows=np.arange(6) % 2 == 0)
        truth = slow_truth(corpus, queries, "l2", 2, eligibility=chosen, sides=sides)
        save_truth(truth, tmp_path / "even.parquet")
        found, _ = find_or_build_truth(corpus, queries, "l2", 2, tmp_path, identities=sides)
        assert (found.reasons, lists_of(found)) == ({}, [[0, 1], [1, 2]])
        save_truth(truth, tmp_path / "truth.parquet")
        with pytest.raises(StaleTruth, match=r"leaves rows out \(filter\)"):
            find_or_build_truth(corpus, queries, "l2", 2, tmp_path, identities=sides)

    def test_left_out_rows_are_verified_without_a_flag(self, tmp_path: Path) -> None:
        truth = load_truth(self.stored(tmp_path))
        found, _ = verify_truth(truth, corpus_of(H09_ROWS), QuerySet(H09_QUERIES))
        assert (found.first, found.checked) == (None, 2)
