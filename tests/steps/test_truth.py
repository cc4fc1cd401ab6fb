"""Ground truth: exact for every query, the same however it is computed, and refused where it would not be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.twins import brute_force
from truerecall.errors import InputError, StaleTruth, UnknownName
from truerecall.kernels.distances import order_keys
from truerecall.model.distance import distance_named
from truerecall.model.ids import as_ids
from truerecall.model.source import ArraySource
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.scan.problem import Method
from truerecall.steps.identify import identify
from truerecall.steps.truth import build_truth, find_or_build_truth
from truerecall.store.truths import load_truth, save_truth, truth_artefact

DISTANCES = ("l2", "ip", "cosine", "l1")
METHODS: tuple[Method, ...] = ("shortlist", "float32", "int8")
VARIANTS: tuple[tuple[int, int, Method], ...] = (
    (4096, 2, "float32"),
    (1, 2, "float32"),
    (77, 2, "float32"),
    (5000, 1, "float32"),
    (4096, 3, "float32"),
    (4096, 2, "int8"),
    (77, 1, "int8"),
    (4096, 2, "shortlist"),
    (77, 2, "shortlist"),
    (5000, 1, "shortlist"),
)


def corpus_of(vectors: NDArray[Any], ids: list[Any] | None = None) -> Corpus:
    return Corpus(ArraySource(vectors), None if ids is None else as_ids(ids, what="ids"))


def truth_of(
    vectors: Any, queries: Any, distance: str, k: int, *, ids: list[Any] | None = None, **how: Any
) -> GroundTruth:
    return build_truth(corpus_of(np.asarray(vectors), ids), QuerySet(np.asarray(queries)), distance, k, **how)


def lists_of(truth: GroundTruth) -> list[list[Any]]:
    return [truth.neighbors.of(i)[0].tolist() for i in range(len(truth))]


@settings(max_examples=150, deadline=None)
@given(
    distance=st.sampled_from(DISTANCES),
    dtype=st.sampled_from(("float64", "float32", "float16", "int8", "uint8")),
    rows=st.integers(1, 120),
    dimensions=st.integers(1, 20),
    levels=st.sampled_from((2, 5, 1000)),
    named=st.booleans(),
    block_rows=st.integers(1, 130),
    method=st.sampled_from(METHODS),
    seed=st.integers(0, 2**32 - 1),
    data=st.data(),
)
def test_equals_brute_force_over_types_ties_ids_and_blocks(
    distance: str,
    dtype: str,
    rows: int,
    dimensions: int,
    levels: int,
    named: bool,
    block_rows: int,
    method: Method,
    seed: int,
    data: st.DataObject,
) -> None:
    rng = np.random.default_rng(seed)
    # Few levels make many ties and duplicates; one is added so that no vector is zero.
    x = (rng.integers(0, min(levels, 100), (rows, dimensions)) + 1).astype(dtype)
    q = (rng.integers(0, min(levels, 100), (4, dimensions)) + 1).astype(dtype)
    ids = [f"r{number}" for number in rng.permutation(rows)] if named else None
    k = data.draw(st.integers(1, rows))
    truth = truth_of(x, q, distance, k, ids=ids, block_rows=block_rows, method=method)
    expected, distances = brute_force(distance, x, q, k, ids)
    assert lists_of(truth) == expected
    assert truth.neighbors.distances.reshape(4, k) == pytest.approx(distances, rel=1e-12, abs=1e-12)
    band = distance_named(distance).tie_band(distances[:, -1], integral=dtype in ("int8", "uint8"))
    everything = brute_force(distance, x, q, rows)[1]
    offset = everything - distances[:, -1:]
    slack = 1e-12
    assert (truth.nearer >= (offset < -band[:, None] - slack).sum(axis=1)).all()
    assert (truth.nearer <= (offset < -band[:, None] + slack).sum(axis=1)).all()
    assert (truth.tied >= (np.abs(offset) <= band[:, None] - slack).sum(axis=1)).all()
    assert (truth.tied <= (np.abs(offset) <= band[:, None] + slack).sum(axis=1)).all()
    equal = [(x.astype(float) == query.astype(float)).all(axis=1).sum() for query in q]
    assert truth.copies.tolist() == equal


@pytest.mark.parametrize("distance", DISTANCES)
def test_the_content_does_not_depend_on_how_it_was_computed(distance: str) -> None:
    rng = np.random.default_rng(7)
    x = rng.standard_normal((3000, 24)).astype(np.float32)
    x[500:900] = x[3]
    q = np.concatenate((rng.standard_normal((30, 24)).astype(np.float32), x[3:4]))
    digests = set()
    for block_rows, threads, method in VARIANTS:
        digests.add(
            truth_artefact(
                truth_of(x, q, distance, 20, block_rows=block_rows, threads=threads, method=method)
            ).content_digest
        )
    assert len(digests) == 1
    alone = truth_of(x, q[5:6], distance, 20)
    assert lists_of(alone)[0] == lists_of(truth_of(x, q, distance, 20))[5]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("nasty", ["far", "outlying-row", "outlying-dimension", "huge", "tiny", "one-vector", "sorted"])
def test_nasty_vectors(distance: str, nasty: str, method: Method) -> None:
    rng = np.random.default_rng(11)
    x, q = rng.standard_normal((2500, 12)), rng.standard_normal((9, 12))
    if nasty == "far":
        x, q = x + 1e6, q + 1e6
    elif nasty == "outlying-row":
        x[17] *= 1e9
    elif nasty == "outlying-dimension":
        x[:, 3] *= 1e6
    elif nasty == "huge":
        x, q = x * 1e100, q * 1e100
    elif nasty == "tiny":
        x, q = x * 1e-100, q * 1e-100
    elif nasty == "one-vector":
        x[:] = x[0]
    elif nasty == "sorted":
        x = x[np.argsort(((x - q[0]) ** 2).sum(axis=1))]
    for dtype in (np.float64,) if nasty in ("huge", "tiny") else (np.float64, np.float32):
        vectors, queries = x.astype(dtype), q.astype(dtype)
        truth = truth_of(vectors, queries, distance, 10, method=method)
        assert lists_of(truth) == brute_force(distance, vectors, queries, 10)[0]
        if nasty == "one-vector":
            assert truth.nearer.tolist() == [0] * 9
            assert truth.tied.tolist() == [2500] * 9


def test_more_ties_than_are_kept_as_candidates() -> None:
    x = np.zeros((30_000, 2), np.float32)
    x[29_990:] = np.arange(1, 11)[:, None]
    truth = truth_of(x, np.array([[0, 0], [10, 10]], np.float32), "l2", 3)
    assert lists_of(truth) == [[0, 1, 2], [29_999, 29_998, 29_997]]
    assert truth.tied.tolist() == [29_990, 1]
    assert truth.provenance["queries_scanned_again"] >= 1


def test_ids_are_unchanged_by_a_shift_that_the_type_represents_exactly() -> None:
    rng = np.random.default_rng(5)
    x = rng.integers(-100, 100, (400, 6)).astype(np.float32)
    q = rng.integers(-100, 100, (10, 6)).astype(np.float32)
    for shift in (0, 2**20, -(2**23)):
        assert lists_of(truth_of(x + np.float32(shift), q + np.float32(shift), "l2", 15)) == lists_of(
            truth_of(x, q, "l2", 15)
        )


class TestNamedCases:
    def test_h01_a_tie_goes_to_the_smaller_id(self) -> None:
        truth = truth_of([[1.0, 0], [-1, 0], [3, 0]], [[0.0, 0]], "l2", 1)
        assert (lists_of(truth), truth.nearer.tolist(), truth.tied.tolist()) == ([[0]], [0], [2])

    def test_h06_far_from_the_origin(self) -> None:
        q = np.array([[5_000_000, 3_000_000, 2_500_000]], np.float32)
        rows = q + np.array([[-500, 700, 100], [4, -6, 1]], np.float32)
        truth = truth_of(rows, q, "l2", 2)
        assert lists_of(truth) == [[1, 0]]
        assert np.square(truth.neighbors.distances) == pytest.approx([53, 750000], rel=1e-15)

    def test_h07_three_distances_three_answers(self) -> None:
        rows, query = [[1.0, 1], [10, 10], [0.9, 1.2]], [[1.0, 1]]
        assert lists_of(truth_of(rows, query, "l2", 2)) == [[0, 2]]
        assert lists_of(truth_of(rows, query, "ip", 2)) == [[1, 2]]
        cosine = truth_of(rows, query, "cosine", 2)
        assert lists_of(cosine) == [[0, 1]]
        assert cosine.neighbors.distances.tolist() == [0.0, 0.0]

    def test_h09_zero_vectors_have_no_cosine(self) -> None:
        rows = [[1.0, 0], [0, 1], [1, 1], [0, 0]]
        with pytest.raises(InputError, match="row 3 holds only zeros"):
            truth_of(rows, [[2.0, 0]], "cosine", 3)
        with pytest.raises(InputError, match="query 1 holds only zeros"):
            truth_of(rows[:3], [[2.0, 0], [0, 0]], "cosine", 3)
        assert lists_of(truth_of(rows, [[2.0, 0], [0, 0]], "l2", 1)) == [[0], [3]]

    def test_h10_narrow_integers(self) -> None:
        truth = truth_of(np.array([[-128] * 4, [120] * 4], np.int8), np.array([[127] * 4], np.int8), "l2", 2)
        assert lists_of(truth) == [[1, 0]]
        assert np.square(truth.neighbors.distances) == pytest.approx([196, 260100], rel=1e-15)


def test_string_ids_break_ties_by_their_bytes() -> None:
    truth = truth_of(np.ones((4, 2)), np.ones((1, 2)), "l2", 3, ids=["b", "é", "B", "a"])
    assert lists_of(truth) == [["B", "a", "b"]]


def test_queries_of_another_type_equal_rows_by_value() -> None:
    rows = np.array([[0.5, 1], [0.1, 1]], np.float16)
    truth = truth_of(rows, np.array([[0.5, 1], [0.1, 1]], np.float64), "l2", 1)
    assert truth.copies.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("vectors", "queries", "distance", "k", "message"),
    [
        (np.ones((3, 2)), np.ones((1, 3)), "l2", 1, "3 dimensions and .* has 2"),
        (np.ones((3, 2)), np.ones((1, 2)), "l2", 4, "k is 4 and .* 3 rows; ask for k <= 3"),
        (np.ones((3, 2)), np.ones((1, 2)), "l2", 0, "at least one neighbour"),
        ([[1.0, np.nan], [1, 1]], np.ones((1, 2)), "l2", 1, "row 0 holds NaN, infinity"),
        (np.ones((3, 2)), [[np.inf, 1.0]], "l2", 1, "query 0 holds NaN, infinity"),
        (np.full((9, 2), np.nan), np.ones((1, 2)), "ip", 1, r"9 rows \(0, 1, 2, 3, 4 and 4 more\) hold"),
        ([[1e200, 0]], np.ones((1, 2)), "l2", 1, "beyond 1e\\+150"),
    ],
)
def test_refusals(vectors: Any, queries: Any, distance: str, k: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        truth_of(vectors, queries, distance, k)


def test_an_unknown_distance_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="did you mean cosine"):
        truth_of(np.ones((1, 1)), np.ones((1, 1)), "cosin", 1)


def test_stored_and_loaded(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    truth = truth_of(rng.random((50, 4)), rng.random((5, 4)), "ip", 7, ids=[f"é{i}" for i in range(50)])
    save_truth(truth, tmp_path / "truth.parquet")
    back = load_truth(tmp_path / "truth.parquet")
    assert truth_artefact(back).content_digest == truth_artefact(truth).content_digest
    assert lists_of(back) == lists_of(truth)
    assert back.provenance == truth.provenance
    with pytest.raises(ValueError, match="read-only"):
        back.eligible[0] = 0


def test_found_again_by_fingerprint_and_refused_when_stale(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    x, q = rng.random((50, 4)), QuerySet(rng.random((5, 4)))

    def find(corpus: Corpus, distance: str, k: int) -> GroundTruth:
        both = identify(corpus, q, distance_named(distance))
        return find_or_build_truth(corpus, q, distance, k, tmp_path, identities=both)[0]

    first = find(corpus_of(x), "l2", 5)
    assert first.provenance == find(corpus_of(x), "l2", 3).provenance
    deeper = find(corpus_of(x), "l2", 9)
    assert deeper.k == load_truth(tmp_path / "truth.parquet").k == 9
    with pytest.raises(StaleTruth, match="distance is l2, not ip"):
        find(corpus_of(x), "ip", 5)
    changed = x.copy()
    changed[3, 1] += 1e-9
    with pytest.raises(StaleTruth, match="same shape and other content"):
        find(corpus_of(changed), "l2", 5)
    with pytest.raises(StaleTruth, match="50 rows, not 49"):
        find(corpus_of(x[:49]), "l2", 5)


def test_fingerprints_depend_on_ids_and_bytes_and_not_on_order_where_ids_are_given() -> None:
    rng = np.random.default_rng(0)
    x, q = rng.random((50, 4)), QuerySet(rng.random((1, 4)))
    ids = [f"n{i}" for i in range(50)]

    def digest(vectors: NDArray[Any], names: list[str] | None = None) -> str:
        return identify(corpus_of(vectors, names), q, distance_named("l2")).corpus.fingerprint.digest

    order = rng.permutation(50)
    assert digest(x, ids) == digest(x[order], [ids[i] for i in order])
    assert digest(x) != digest(x[order])
    flipped = x.copy()
    flipped.view(np.uint64)[7, 2] ^= 1
    digests = [
        digest(x),
        digest(x, ids),
        digest(flipped),
        digest(x[:-1]),
        digest(x.astype(np.float32)),
        digest(x, ids[::-1]),
    ]
    assert len(set(digests)) == len(digests)


@pytest.mark.parametrize("method", METHODS)
def test_rounding_of_the_keys_decides_where_large_terms_cancel(method: Method) -> None:
    """The first and the sixth term cancel, and leave of the others what float64 holds beside them."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        rows, queries = rng.standard_normal((400, 12)) * 1e-4, rng.standard_normal((20, 12)) * 1e-3
        rows[:, [0, 5]] = 1e10
        queries[:, 0], queries[:, 5] = 1e-3, -1e-3
        x, q = rows.astype(np.float32), queries.astype(np.float32)
        truth = truth_of(x, q, "ip", 10, method=method)
        for query, found in zip(q, lists_of(truth), strict=True):
            keys = order_keys("ip", query, x)
            assert found == np.lexsort((np.arange(len(x)), keys))[:10].tolist()


def test_of_several_truths_that_fit_a_proved_one_is_taken(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    corpus, queries = corpus_of(rng.standard_normal((30, 4))), QuerySet(rng.standard_normal((3, 4)))
    proved = build_truth(corpus, queries, "l2", 3)
    for name, state in (("a", "approximate"), ("b", "unproved"), ("c", "proved"), ("d", "sampled")):
        save_truth(replace(proved, state=state), tmp_path / f"{name}.parquet")
    sides = identify(corpus, queries, distance_named("l2"))
    truth, built = find_or_build_truth(corpus, queries, "l2", 3, tmp_path, identities=sides)
    assert (truth.state, built) == ("proved", False)
