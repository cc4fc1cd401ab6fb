"""Verification: it accepts every truth that is true, and refuses each planted fault, with the likely cause."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.masked import slow_truth
from truerecall.errors import InputError, StaleTruth
from truerecall.model.arrays import Ids
from truerecall.model.distance import distance_named
from truerecall.model.eligibility import EVERYTHING, Eligibility, RowLists
from truerecall.model.ids import as_ids
from truerecall.model.neighbors import Neighbors, offsets_of
from truerecall.model.source import ArraySource
from truerecall.model.truth import APPROXIMATE, NOT_COUNTED, PROVED, SAMPLED, UNPROVED, GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.model.verification import Verification
from truerecall.steps.choice import EXCLUDE_SELF, eligibility_of
from truerecall.steps.identify import identify
from truerecall.steps.truth import build_truth
from truerecall.steps.unusable import Policies
from truerecall.steps.verify import verify_truth
from truerecall.store.truths import truth_artefact

DISTANCES = ("l2", "ip", "cosine")


def corpus_of(vectors: Any, ids: Any = None) -> Corpus:
    return Corpus(ArraySource(np.asarray(vectors)), None if ids is None else as_ids(ids, what="ids"))


def verified(truth: GroundTruth, corpus: Corpus, queries: QuerySet, **how: Any) -> Verification:
    return verify_truth(truth, corpus, queries, **{"sample": None, **how})[0]


def with_lists(truth: GroundTruth, lists: list[list[Any]], values: list[list[float]] | None = None) -> GroundTruth:
    flat = [name for names in lists for name in names]
    ids: Ids = as_ids(flat, what="ids") if flat else truth.neighbors.ids[:0]
    distances = truth.neighbors.distances if values is None else np.array([v for row in values for v in row])
    return replace(
        truth, neighbors=Neighbors(ids, distances, offsets_of(np.array([len(names) for names in lists], np.int64)))
    )


def lists_of(truth: GroundTruth) -> list[list[Any]]:
    return [truth.neighbors.of(i)[0].tolist() for i in range(len(truth))]


def values_of(truth: GroundTruth) -> list[list[float]]:
    return [truth.neighbors.of(i)[1].tolist() for i in range(len(truth))]


def scattered(rows: int = 300, queries: int = 20, *, length: float = 1.0, seed: int = 0) -> tuple[Corpus, QuerySet]:
    """Vectors of many lengths, in general position: no ties, and each distance orders them in its own way."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 6)) * rng.uniform(0.2, 5, (rows, 1)) * length
    return corpus_of(x), QuerySet(rng.normal(size=(queries, 6)) * rng.uniform(0.2, 5, (queries, 1)))


@settings(max_examples=120, deadline=None)
@given(
    distance=st.sampled_from((*DISTANCES, "l1", "hamming")),
    dtype=st.sampled_from(("float64", "float32", "float16", "int8", "uint8")),
    rows=st.integers(1, 120),
    dimensions=st.integers(1, 20),
    levels=st.sampled_from((1, 2, 5, 100)),
    scale=st.sampled_from((1.0, 1e-3, 100.0)),
    named=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
    data=st.data(),
)
def test_every_truth_that_is_built_is_accepted(
    distance: str, dtype: str, rows: int, dimensions: int, levels: int, scale: float, named: bool, seed: int,
    data: st.DataObject,
) -> None:  # fmt: skip
    rng = np.random.default_rng(seed)
    dtype = "uint8" if distance == "hamming" else dtype
    x, q = (rng.integers(0, levels, (n, dimensions)) + 1.0 for n in (rows, 3))
    if dtype.startswith("float") and levels == 100:
        x, q = x * scale * rng.uniform(0.5, 1.5, x.shape), q * scale * rng.uniform(-1.5, 1.5, q.shape) + 1e-4
    corpus = corpus_of(x.astype(dtype), [f"r{number}" for number in rng.permutation(rows)] if named else None)
    queries = QuerySet(q.astype(dtype))
    truth = build_truth(corpus, queries, distance, data.draw(st.integers(1, rows)))
    found = verified(truth, corpus, queries)
    assert found.first is None, found.first
    assert (found.checked, found.agreed, found.bound, found.state) == (3, 3, None, PROVED)


FAULTS = ("one id swapped", "one value changed", "ids shifted", "other distance", "one row missing", "a row twice",
          "order", "eligible", "nearer", "tied")  # fmt: skip


def spoilt(truth: GroundTruth, fault: str, corpus: Corpus, queries: QuerySet, query: int, place: int) -> GroundTruth:
    lists, values = lists_of(truth), values_of(truth)
    if fault == "one id swapped":
        lists[query][place] = next(row for row in range(corpus.source.rows - 1, -1, -1) if row not in lists[query])
    elif fault == "one value changed":
        values[query][place] *= 1 + 1e-9
    elif fault == "ids shifted":
        lists = [[row + 1 for row in rows] for rows in lists]
    elif fault == "other distance":
        other = "ip" if truth.distance != "ip" else "l2"
        return replace(build_truth(corpus, queries, other, truth.k), distance=truth.distance)
    elif fault == "one row missing":
        del lists[query][place], values[query][place]
    elif fault == "a row twice":
        lists[query][place], values[query][place] = lists[query][place - 1], values[query][place - 1]
    elif fault == "order":
        for row in (lists[query], values[query]):
            row[0], row[-1] = row[-1], row[0]
    else:
        counts = getattr(truth, fault).copy()
        counts[query] += 1
        return replace(truth, **{fault: counts})
    return with_lists(truth, lists, values)


@settings(max_examples=100, deadline=None)
@given(
    fault=st.sampled_from(FAULTS),
    distance=st.sampled_from((*DISTANCES, "l1")),
    k=st.integers(2, 20),
    seed=st.integers(0, 2**32 - 1),
    data=st.data(),
)
def test_every_planted_fault_is_refused(fault: str, distance: str, k: int, seed: int, data: st.DataObject) -> None:
    corpus, queries = scattered(60, 4, seed=seed)
    truth = build_truth(corpus, queries, distance, k)
    query, place = data.draw(st.integers(0, 3)), data.draw(st.integers(1, k - 1))
    assume(bool((np.diff(truth.neighbors.of(query)[1]) > 1e-5).all()))
    found = verified(spoilt(truth, fault, corpus, queries, query, place), corpus, queries)
    assert found.first is not None
    whole = fault in ("ids shifted", "other distance")
    assert found.agreed < 4 if whole else found.agreed == 3
    if not whole:
        assert found.first.query == query
    if fault in ("eligible", "nearer", "tied"):
        assert found.first.kind == fault
        assert found.first.stored == getattr(truth, fault)[query] + 1
        assert found.first.found == getattr(truth, fault)[query]


def test_a_disagreement_names_the_query_the_row_and_both_values() -> None:
    corpus, queries = corpus_of([[0.0], [1.0], [3.0], [6.0]], ["a", "b", "c", "d"]), QuerySet(np.array([[0.0], [5.5]]))
    truth = build_truth(corpus, queries, "l2", 2)
    values = values_of(truth)
    values[1][1] = 2.25
    found = verified(with_lists(truth, lists_of(truth), values), corpus, queries)
    first = found.first
    assert first is not None
    assert (first.query, first.kind, first.row, first.stored, first.found) == (1, "distance", "c", 2.25, 2.5)
    assert first.message == "query 1: c is listed at place 2 at distance 2.25, and lies at 2.5"
    swapped = verified(with_lists(truth, [["a", "b"], ["d", "b"]], [[0.0, 1.0], [0.5, 4.5]]), corpus, queries).first
    assert swapped is not None
    assert (swapped.kind, swapped.row, swapped.stored, swapped.found) == ("id", "b", 4.5, 2.5)
    assert swapped.message.endswith("b is listed at place 2 and lies at 4.5, beyond the cut at 2.5; c is nearer")


class TestLikelyCauses:
    @pytest.mark.parametrize("declared", [*DISTANCES, "l1"])
    @pytest.mark.parametrize("made", [*DISTANCES, "l1"])
    def test_other_distance(self, declared: str, made: str) -> None:
        corpus, queries = scattered()
        truth = replace(build_truth(corpus, queries, made, 10), distance=declared)
        found = verified(truth, corpus, queries)
        if made == declared:
            assert found.first is None
        else:
            assert found.cause == f"other distance: the lists are those of {made}, not of {declared}"

    @pytest.mark.parametrize(
        ("distance", "change", "words"),
        [
            ("l2", np.square, "are squared"),
            ("ip", np.negative, "have the other sign"),
            ("cosine", lambda v: 1 - v, "one minus ours"),
            ("cosine", lambda v: np.sqrt(2 * v), "between unit vectors"),
        ],
    )
    def test_other_values(self, distance: str, change: Any, words: str) -> None:
        corpus, queries = scattered()
        truth = build_truth(corpus, queries, distance, 10)
        near = truth.neighbors
        spelt = replace(truth, state=UNPROVED, neighbors=Neighbors(near.ids, change(near.distances), near.offsets))
        found = verified(spelt, corpus, queries)
        assert found.cause is not None
        assert words in found.cause

    @pytest.mark.parametrize("distance", ["l2", "ip"])
    def test_normalised_vectors(self, distance: str) -> None:
        corpus, queries = scattered()
        lengths = np.linalg.norm(corpus.source.take(np.arange(300)), axis=1, keepdims=True)
        units = corpus_of(corpus.source.take(np.arange(300)) / lengths)
        asked = QuerySet(queries.vectors / np.linalg.norm(queries.vectors, axis=1, keepdims=True))
        right = identify(corpus, queries, distance_named(distance))
        truth = build_truth(units, asked, distance, 10)
        truth = replace(truth, corpus=right.corpus.fingerprint, queries=right.queries.fingerprint)
        cause = verified(truth, corpus, queries).cause
        assert cause is not None
        # Unit vectors are in the order of their cosine, whatever the distance.
        assert "normalisation" in cause or "those of cosine" in cause

    @pytest.mark.parametrize("shift", [1, -1, 40])
    def test_shifted_ids(self, shift: int) -> None:
        corpus, queries = scattered()
        truth = build_truth(corpus, queries, "l2", 10)
        moved = with_lists(truth, [[row + shift for row in rows] for rows in lists_of(truth)])
        cause = verified(moved, corpus, queries).cause
        direction = "large" if shift > 0 else "small"
        assert (
            cause == f"shifted ids: every id is {abs(shift)} too {direction} (another first number, or a lost offset)"
        )

    def test_h18_chunks_without_the_offset(self) -> None:
        corpus, queries = scattered()
        truth = build_truth(corpus, queries, "l2", 10)
        lost = with_lists(truth, [[row % 50 for row in rows] for rows in lists_of(truth)])
        assert verified(lost, corpus, queries).cause == (
            "shifted ids: the numbering starts again at 0 in every chunk of 50 rows (a lost offset)"
        )
        line, query = corpus_of(np.arange(12.0)[:, None]), QuerySet(np.array([[10.2]]))
        right = build_truth(line, query, "l2", 2)
        assert lists_of(right) == [[10, 11]]
        wrong = verified(with_lists(right, [[0, 1]]), line, query)
        assert wrong.cause == "shifted ids: every id is 10 too small (another first number, or a lost offset)"

    def test_h15_truth_of_a_larger_corpus(self) -> None:
        corpus, queries = scattered(10, 1)
        truth = build_truth(corpus, queries, "l2", 3)
        found = verified(with_lists(truth, [[93, 4, 57]]), corpus, queries)
        assert found.cause == "2 of 3 true ids are of no row (largest 93, 10 rows): truth of a larger corpus"

    def test_h15_truth_of_the_first_rows(self) -> None:
        corpus, queries = scattered(100, 20)
        first = build_truth(corpus_of(corpus.source.take(np.arange(10))), queries, "l2", 5)
        sides = identify(corpus, queries, distance_named("l2"))
        claimed = replace(first, corpus=sides.corpus.fingerprint, eligible=first.eligible * 10)
        assert verified(claimed, corpus, queries).cause == (
            "truncated corpus: the lists are those of the first 10 of 100 rows, and no id lies beyond them"
        )
        with pytest.raises(StaleTruth, match="10 rows, not 100"):
            verified(first, corpus, queries)

    def test_h17_a_graph_for_a_reference(self) -> None:
        corpus, queries = corpus_of(np.arange(30.0)[:, None]), QuerySet(np.array([[-0.5]]))
        exact = build_truth(corpus, queries, "l2", 10)
        graph = with_lists(exact, [[*range(8), 20, 21]], [[row + 0.5 for row in (*range(8), 20, 21)]])
        graph = replace(graph, state=APPROXIMATE)
        found, now = verify_truth(graph, corpus, queries, sample=None)
        assert found.first is not None
        assert found.first.message == (
            "query 0: 20 is listed at place 9 and lies at 20.5, beyond the cut at 9.5; 8 is nearer"
        )
        assert (found.cause, now.state) == (None, APPROXIMATE)

    def test_h14_other_vectors(self) -> None:
        base, train = corpus_of(np.arange(10.0)[:, None]), corpus_of(9.5 - np.arange(10.0)[:, None])
        queries = QuerySet(np.array([[0.6], [1.1], [8.3], [8.9]]))
        truth = build_truth(base, queries, "l2", 3)
        with pytest.raises(StaleTruth, match="it is of other corpus"):
            verified(truth, train, queries)
        sides = identify(train, queries, distance_named("l2"))
        found = verified(replace(truth, corpus=sides.corpus.fingerprint), train, queries)
        assert (found.agreed, found.checked) == (0, 4)
        assert found.cause == "other corpus: no stored distance holds for the row that it names"

    def test_bits(self) -> None:
        rng = np.random.default_rng(0)
        corpus = corpus_of(rng.integers(0, 256, (200, 8), dtype=np.uint8))
        queries = QuerySet(rng.integers(0, 256, (10, 8), dtype=np.uint8))
        truth = build_truth(corpus, queries, "hamming", 5)
        assert verified(truth, corpus, queries).first is None
        moved = with_lists(truth, [[row + 1 for row in rows] for rows in lists_of(truth)])
        cause = verified(moved, corpus, queries).cause
        assert cause is not None
        assert cause.startswith("shifted ids: every id is 1 too large")
        by_bytes = replace(build_truth(corpus, queries, "l1", 5), distance="hamming")
        assert verified(by_bytes, corpus, queries).cause == "other distance: the lists are those of l1, not of hamming"

    def test_one_wrong_list_has_no_pattern(self) -> None:
        corpus, queries = scattered()
        truth = build_truth(corpus, queries, "l2", 10)
        found = verified(spoilt(truth, "one id swapped", corpus, queries, 3, 4), corpus, queries)
        assert (found.agreed, found.cause) == (19, None)


class TestStates:
    @pytest.mark.parametrize(
        ("before", "sample", "after"),
        [
            (UNPROVED, None, PROVED),
            (SAMPLED, None, PROVED),
            (APPROXIMATE, None, PROVED),
            (UNPROVED, 5, SAMPLED),
            (SAMPLED, 5, SAMPLED),
            (APPROXIMATE, 5, APPROXIMATE),
            (PROVED, 5, PROVED),
            (UNPROVED, 20, PROVED),
        ],
    )
    def test_a_state_only_rises(self, before: str, sample: int | None, after: str) -> None:
        corpus, queries = scattered()
        truth = replace(build_truth(corpus, queries, "l2", 5), state=before)
        found, now = verify_truth(truth, corpus, queries, sample=sample)
        assert (found.state, now.state) == (after, after)
        assert now.provenance["verified"]["queries"] == found.checked
        assert now.provenance["method"] == truth.provenance["method"]

    def test_a_wrong_truth_keeps_its_state(self) -> None:
        corpus, queries = scattered()
        truth = replace(build_truth(corpus, queries, "l2", 5), state=UNPROVED)
        wrong = spoilt(truth, "one id swapped", corpus, queries, 0, 1)
        found, now = verify_truth(wrong, corpus, queries, sample=None)
        assert (found.state, now) == (UNPROVED, wrong)

    def test_a_foreign_truth_that_is_proved_is_the_one_that_would_be_built(self) -> None:
        corpus, queries = scattered()
        built = build_truth(corpus, queries, "cosine", 5)
        unknown = np.full(20, NOT_COUNTED)
        foreign = replace(built, state=UNPROVED, nearer=unknown, tied=unknown, copies=unknown)
        _, now = verify_truth(foreign, corpus, queries, sample=None)
        assert truth_artefact(now).content_digest == truth_artefact(built).content_digest
        near = built.neighbors
        absent = replace(foreign, neighbors=Neighbors(near.ids, np.full(len(near.ids), np.nan), near.offsets))
        assert verified(absent, corpus, queries).first is not None


class TestSamples:
    def test_the_seed_decides_which_queries(self) -> None:
        corpus, queries = scattered(queries=40)
        truth = build_truth(corpus, queries, "l2", 5)
        wrong = spoilt(truth, "one id swapped", corpus, queries, 7, 2)
        seen = {seed: verified(wrong, corpus, queries, sample=10, seed=seed).agreed for seed in range(12)}
        assert set(seen.values()) == {9, 10}
        again = {seed: verified(wrong, corpus, queries, sample=10, seed=seed).agreed for seed in range(12)}
        assert again == seen

    def test_the_bound_is_three_in_n(self) -> None:
        corpus, queries = scattered(queries=40)
        truth = build_truth(corpus, queries, "l2", 5)
        assert verified(truth, corpus, queries, sample=10).bound == 0.3
        assert verified(truth, corpus, queries, sample=2).bound == 1.0
        assert verified(truth, corpus, queries, sample=40).bound is None
        with pytest.raises(InputError, match="the sample is 0"):
            verified(truth, corpus, queries, sample=0)


def test_queries_in_another_order_are_found_by_their_ids() -> None:
    corpus, queries = scattered()
    names = [f"q{i}" for i in range(20)]
    named = QuerySet(queries.vectors, as_ids(names, what="ids"))
    truth = build_truth(corpus, named, "l2", 5)
    turned = QuerySet(queries.vectors[::-1], as_ids(names[::-1], what="ids"))
    assert verified(truth, corpus, turned).first is None


def test_many_ties_are_looked_at_deeper() -> None:
    x = np.zeros((4000, 2), np.float32)
    x[3990:] = np.arange(1, 11)[:, None]
    corpus, queries = corpus_of(x), QuerySet(np.array([[0, 0], [10, 10]], np.float32))
    truth = build_truth(corpus, queries, "l2", 3)
    assert truth.tied.tolist() == [3990, 1]
    assert verified(truth, corpus, queries).first is None
    found = verified(replace(truth, tied=np.array([3989, 1])), corpus, queries).first
    assert found is not None
    assert (found.kind, found.stored, found.found) == ("tied", 3989, 3990)


def masks(rng: np.random.Generator, rows: int, queries: int) -> tuple[NDArray[np.bool_] | None, RowLists | None]:
    mask = rng.random(rows) < 0.6 if rng.random() < 0.7 else None
    lists = [np.flatnonzero(rng.random(rows) < rng.choice([0, 0.2, 0.9])) for _ in range(queries)]
    lengths = np.array([len(part) for part in lists], np.int64)
    return mask, RowLists(np.concatenate(lists), offsets_of(lengths)) if rng.random() < 0.7 else None


@settings(max_examples=80, deadline=None)
@given(distance=st.sampled_from(DISTANCES), rows=st.integers(2, 60), seed=st.integers(0, 2**32 - 1), data=st.data())
def test_masked_truths_are_accepted_with_their_masks_and_refused_without(
    distance: str, rows: int, seed: int, data: st.DataObject
) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 4, (rows, 3)).astype(np.float32) + 1
    x[rng.random(rows) < 0.1] = 0 if distance == "cosine" else np.nan
    q = np.concatenate([x[: min(3, rows)], rng.integers(1, 5, (2, 3)).astype(np.float32)])
    corpus, queries = corpus_of(x), QuerySet(q)
    sides = identify(corpus, queries, distance_named(distance), policies=Policies("leave-out", "leave-out"))
    mask, allowed = masks(rng, rows, len(q))
    own = data.draw(st.sampled_from((None, *EXCLUDE_SELF)))
    try:
        chosen = eligibility_of(corpus, queries, sides.copies, rows=mask, allowed=allowed, exclude_self=own)
        truth = slow_truth(corpus, queries, distance, min(rows, 4), eligibility=chosen, sides=sides)
    except InputError:
        reject()  # no row may answer, or there is no self to exclude
    assert verified(truth, corpus, queries, rows=mask, allowed=allowed).first is None
    if mask is not None or allowed is not None:
        with pytest.raises(StaleTruth, match=r"other eligible rows|may answer any"):
            verified(truth, corpus, queries)


def test_a_row_that_may_not_answer_is_refused_by_name() -> None:
    corpus, queries = corpus_of(np.arange(12.0)[:, None]), QuerySet(np.array([[10.2]]))
    even = np.arange(12) % 2 == 0
    sides = identify(corpus, queries, distance_named("l2"))
    truth = slow_truth(corpus, queries, "l2", 2, eligibility=eligibility_of(corpus, queries, sides.copies, rows=even))
    assert lists_of(truth) == [[10, 8]]
    by_local_row = verified(with_lists(truth, [[10, 9]]), corpus, queries, rows=even).first
    assert by_local_row is not None
    assert by_local_row.message == "query 0: 9 is listed at place 2 and may not answer this query"


def test_nothing_is_left_out_by_default() -> None:
    corpus, queries = scattered(5, 1)
    truth = build_truth(corpus, queries, "l2", 2, eligibility=EVERYTHING)
    assert (truth.reasons, truth.eligible.tolist()) == ({}, [5])
    assert isinstance(EVERYTHING, Eligibility)
