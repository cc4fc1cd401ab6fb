"""Truths from other tools: taken where they fit the vectors, refused with the reason where they do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from truerecall.errors import InputError, StaleTruth, TruerecallError
from truerecall.kernels.distances import pair_distances
from truerecall.model.distance import distance_named
from truerecall.model.foreign import ForeignLists
from truerecall.model.ids import as_ids
from truerecall.model.neighbors import offsets_of
from truerecall.model.source import ArraySource
from truerecall.model.truth import APPROXIMATE, NOT_COUNTED, UNPROVED, GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.report.truth_card import truth_card
from truerecall.steps.export_truth import export_truth
from truerecall.steps.identify import identify
from truerecall.steps.import_truth import import_truth
from truerecall.steps.truth import build_truth
from truerecall.store.lists import read_lists
from truerecall.store.vectors import open_corpus, open_queries

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "hdf5-annb"
LINE = Corpus(ArraySource(np.arange(10.0).reshape(10, 1) + 1))
ASKED = QuerySet(np.array([[0.5], [11.0]]))


def lists_of(rows: list[list[Any]], *, distances: list[float] | None = None, **facts: Any) -> ForeignLists:
    flat = [value for row in rows for value in row]
    return ForeignLists(
        as_ids(np.array(flat), what="a test"),
        offsets_of(np.array([len(row) for row in rows], np.int64)),
        None if distances is None else np.array(distances),
        **facts,
    )


def taken(lists: ForeignLists, corpus: Corpus = LINE, queries: QuerySet = ASKED, **how: Any) -> GroundTruth:
    return import_truth(lists, corpus, queries, how.pop("distance", "l2"), name="gt", **how)


def named(ids: list[Any]) -> Corpus:
    return Corpus(LINE.source, as_ids(np.array(ids), what="ids"))


def test_right_lists_are_the_truth_but_unproved() -> None:
    truth = taken(lists_of([[0, 1, 2], [9, 8, 7]]))
    built = build_truth(LINE, ASKED, "l2", 3)
    assert (truth.state, truth.k, truth.subject) == (UNPROVED, 3, built.subject)
    assert truth.neighbors.ids.tolist() == built.neighbors.ids.tolist() == [0, 1, 2, 9, 8, 7]
    assert truth.neighbors.distances.tolist() == built.neighbors.distances.tolist()
    assert set(truth.nearer.tolist()) == set(truth.tied.tolist()) == {NOT_COUNTED}
    assert truth.eligible.tolist() == [10, 10]
    assert truth.copies.tolist() == built.copies.tolist()
    assert truth.provenance["distances_in_the_file"] == "none"
    assert truth_card(truth, "digest")["ties_across_cut"] is None
    assert taken(lists_of([[0], [9]]), approximate=True).state == APPROXIMATE


def test_lists_are_put_into_their_true_order_before_they_are_cut() -> None:
    truth = taken(lists_of([[2, 0, 1], [9, 8, 7]]), k=2)
    assert truth.neighbors.ids.tolist() == [0, 1, 9, 8]
    assert truth.provenance["lists_put_in_order"] == 1


@pytest.mark.parametrize(
    ("rows", "how", "message"),
    [
        ([[0, 1]], {}, "gt holds 1 lists and queries 2 queries"),
        ([], {}, "gt holds 0 lists and queries 2 queries"),
        ([[0, 0], [9, 8]], {}, r"1 lists hold an id twice \(first: list 0\)"),
        ([[0, 1], [9]], {}, r"1 of 2 lists are short though no filter says why \(first: list 1 holds 1 of 2\)"),
        ([[0, 1], [9, 8]], {"k": 3}, "gt holds 2 neighbours per query and k is 3; ask for k <= 2"),
        ([[0, 1], [9, -2]], {}, "1 of 4 row numbers are negative"),
        ([["a", "b"], ["c", "d"]], {}, "names the id 'a' where ids are row numbers"),
        ([[0], [10]], {}, "1 of 2 true ids is >= 10 rows"),
    ],
)
def test_lists_that_do_not_fit(rows: list[list[Any]], how: dict[str, Any], message: str) -> None:
    with pytest.raises(TruerecallError, match=message):
        taken(lists_of(rows) if rows else ForeignLists(np.empty(0, np.int64), np.zeros(1, np.int64)), **how)


def test_h15_the_truth_of_a_larger_corpus() -> None:
    words = r"2 of 3 true ids are >= 10 rows \(largest 93\): truth of a larger corpus"
    with pytest.raises(StaleTruth, match=words):
        taken(lists_of([[93, 4, 57]]), queries=QuerySet(np.array([[0.5]])))


def test_h16_a_truth_wider_than_k_is_cut_to_k() -> None:
    rows = [list(range(10)), list(range(9, -1, -1))]
    assert taken(lists_of(rows), k=4).neighbors.ids.tolist() == [0, 1, 2, 3, 9, 8, 7, 6]


def test_ids_and_rows() -> None:
    strings = named(list("abcdefghij"))
    assert taken(lists_of([["a"], ["j"]]), strings).neighbors.ids.tolist() == ["a", "j"]
    assert taken(lists_of([[0], [9]]), strings, by_row=True).neighbors.ids.tolist() == ["a", "j"]
    numbers = named([100 - row for row in range(10)])
    assert taken(lists_of([[100], [91]]), numbers).neighbors.ids.tolist() == [100, 91]
    assert taken(lists_of([["100"], ["91"]]), numbers).neighbors.ids.tolist() == [100, 91]
    with pytest.raises(StaleTruth, match=r"2 of 2 ids are not in array \(first: 0\); .*use --by row"):
        taken(lists_of([[0], [9]]), numbers)
    with pytest.raises(InputError, match="has the id -1, which fills up the lists of gt"):
        taken(lists_of([[0], [9]], padded=True), named([-1, *range(9)]))
    assert taken(lists_of([[-1], [8]]), named([-1, *range(9)])).neighbors.ids.tolist() == [-1, 8]


def test_lists_go_to_their_queries_by_id() -> None:
    asked = QuerySet(ASKED.vectors, as_ids(np.array(["low", "high"]), what="ids"))
    backwards = lists_of([[9], [0]], query_ids=as_ids(np.array(["high", "low"]), what="ids"))
    assert taken(backwards, queries=asked).neighbors.ids.tolist() == [0, 9]
    for ids, message in (
        (["high", "mid"], r"1 of 2 lists are of queries that are not in queries \(first: mid\)"),
        (["low", "low"], "repeated ids"),
    ):
        with pytest.raises(TruerecallError, match=message):
            taken(lists_of([[9], [0]], query_ids=as_ids(np.array(ids), what="ids")), queries=asked)


@pytest.mark.parametrize(
    ("distance", "scale", "name"),
    [
        ("l2", lambda d: d, "l2"),
        ("l2", lambda d: d**2, "squared l2"),
        ("l1", lambda d: d, "l1"),
        ("ip", lambda d: -d, "dot"),
        ("ip", lambda d: d, "-dot"),
        ("ip", lambda d: 1 + d, "1 - dot"),
        ("cosine", lambda d: d, "1 - cos"),
        ("cosine", lambda d: 1 - d, "cos"),
        ("cosine", lambda d: np.sqrt(2 * d), "sqrt(2 (1 - cos))"),
        ("cosine", lambda d: 2 * d, "2 (1 - cos)"),
        ("cosine", lambda d: np.arccos(1 - d), "the angle"),
    ],
)
def test_the_scale_of_written_distances_is_recognised(distance: str, scale: Any, name: str) -> None:
    random = np.random.default_rng(5)
    corpus, queries = Corpus(ArraySource(random.normal(size=(50, 6)))), QuerySet(random.normal(size=(4, 6)))
    built = build_truth(corpus, queries, distance, 5)
    written = scale(built.neighbors.distances).astype(np.float32).astype(np.float64)
    foreign = ForeignLists(built.neighbors.ids, built.neighbors.offsets, written)
    truth = taken(foreign, corpus, queries, distance=distance)
    assert truth.provenance["distances_in_the_file"] == name
    assert truth.neighbors.distances.tolist() == built.neighbors.distances.tolist()


def test_written_distances_that_disagree_are_refused() -> None:
    rows = [[0, 1], [9, 8]]
    words = r"1 of 4 distances do not agree .*\(first: list 1, row 9: 4 in the file, 1 as l2\); give the truth"
    with pytest.raises(StaleTruth, match=words):
        taken(lists_of(rows, distances=[0.5, 1.5, 4.0, 2.0]))
    with pytest.raises(StaleTruth, match="all agree as dot; use --distance ip"):
        taken(lists_of(rows, distances=[0.5, 1.0, 110.0, 99.0]))
    with pytest.raises(StaleTruth, match="names the distance cosine and l2 was asked for; use --distance cosine"):
        taken(lists_of(rows, distance="cosine"))
    with pytest.raises(StaleTruth, match="do not agree"):
        taken(lists_of(rows, distances=[np.nan, 1.5, 1.0, 2.0]))


@given(distance=st.sampled_from(("l2", "ip", "cosine")), by_row=st.booleans(), seed=st.integers(0, 2**32 - 1))
def test_what_is_exported_is_imported_unchanged(distance: str, by_row: bool, seed: int) -> None:
    random = np.random.default_rng(seed)
    ids = as_ids(random.permutation(1000)[:30], what="ids")
    corpus = Corpus(ArraySource(random.integers(1, 4, (30, 3)).astype(np.float32)), ids)
    queries = QuerySet(random.normal(size=(5, 3)))
    built = build_truth(corpus, queries, distance, 6)
    lists = export_truth(built, by_row=by_row, corpus=corpus)
    truth = taken(lists, corpus, queries, distance=distance, by_row=by_row)
    assert truth.neighbors.ids.tolist() == built.neighbors.ids.tolist()
    assert truth.neighbors.distances.tolist() == built.neighbors.distances.tolist()
    assert truth.provenance["lists_put_in_order"] == 0


def test_row_numbers_need_the_corpus_of_the_truth() -> None:
    corpus = named(list("jihgfedcba"))
    truth = build_truth(corpus, ASKED, "l2", 2)
    assert export_truth(truth, by_row=True, corpus=corpus).ids.tolist() == [0, 1, 9, 8]
    assert export_truth(build_truth(LINE, ASKED, "l2", 2), by_row=True).ids.tolist() == [0, 1, 9, 8]
    with pytest.raises(InputError, match=r"names neighbours by id and not by row; add --corpus"):
        export_truth(truth, by_row=True)
    with pytest.raises(StaleTruth, match="is not the corpus of this truth"):
        export_truth(truth, by_row=True, corpus=named(list("qihgfedcbz")))


def test_hamming_is_of_bits_and_bits_have_no_other_distance() -> None:
    for dtype in (np.float32, np.int8):
        whole = np.ones((3, 1), dtype)
        with pytest.raises(InputError, match=f"array holds {np.dtype(dtype).name} and the distance hamming is of bits"):
            identify(Corpus(ArraySource(whole)), QuerySet(whole), distance_named("hamming"))
    corpus = Corpus(ArraySource(np.ones((3, 1), np.uint8), bits=8))
    with pytest.raises(InputError, match="array holds 8 bits in each row, which have no l2 distance"):
        identify(corpus, QuerySet(np.ones((1, 1), np.uint8)), distance_named("l2"))
    with pytest.raises(InputError, match="queries has 7 bits and array has 8"):
        taken(lists_of([[0]]), corpus, QuerySet(np.ones((1, 1), np.uint8), bits=7))


def test_h10_small_integers_are_widened_before_they_are_subtracted() -> None:
    signed = Corpus(ArraySource(np.array([[-128] * 4, [120] * 4], np.int8)))
    query = QuerySet(np.array([[127] * 4], np.int8))
    truth = taken(lists_of([[0, 1]], distances=[260100.0, 196.0]), signed, query)
    assert truth.neighbors.ids.tolist() == [1, 0]
    assert (truth.neighbors.distances**2).tolist() == [196.0, 260100.0]
    assert truth.provenance["distances_in_the_file"] == "squared l2"
    unsigned = Corpus(ArraySource(np.array([[250]], np.uint8)))
    far = taken(lists_of([[0]]), unsigned, QuerySet(np.array([[3]], np.uint8)))
    assert (far.neighbors.distances**2).tolist() == [61009.0]


SCIPY = {"l2": "euclidean", "cosine": "cosine", "l1": "cityblock", "hamming": "hamming"}


def files_of(name: str) -> tuple[Path, Corpus, QuerySet]:
    path = FOLDER / f"{name}.hdf5"
    if not path.exists():
        pytest.skip("the shared files are not beside the repository")
    return path, open_corpus(path), open_queries(path)


def unpacked(vectors: NDArray[Any], bits: int | None) -> NDArray[Any]:
    return vectors if bits is None else np.unpackbits(vectors, axis=1)[:, :bits].astype(bool)


@pytest.mark.parametrize(
    ("name", "distance"),
    [
        ("digits-64-euclidean", "l2"),
        ("random-xs-20-angular", "cosine"),
        ("random-xs-16-hamming", "hamming"),
    ],
)
def test_the_shared_files_import_and_their_distances_agree_with_scipy(name: str, distance: str) -> None:
    path, corpus, queries = files_of(name)
    truth = taken(read_lists(path), corpus, queries, distance=distance)
    assert (truth.state, truth.k, len(truth)) == (UNPROVED, 100, len(queries))
    bits = corpus.source.bits
    every = corpus.source.take(np.arange(corpus.source.rows))
    independent = cdist(unpacked(queries.vectors, bits), unpacked(every, bits), SCIPY[distance])
    independent = independent * bits if bits is not None else independent
    for query in range(len(queries)):
        ids, distances = truth.neighbors.of(query)
        assert np.allclose(distances, independent[query, ids], rtol=1e-9, atol=1e-12)
        nearest = np.sort(independent[query])[:100]
        assert np.allclose(distances, nearest, rtol=1e-6, atol=1e-9)
    some = truth.neighbors.ids[:100]
    assert np.allclose(
        pair_distances(distance, np.repeat(queries.vectors[:1], 100, axis=0), every[some]), independent[0, some]
    )


@pytest.mark.parametrize(
    ("name", "distance"),
    [
        *((name, d) for name in ("digits-64-euclidean", "random-xs-20-angular") for d in ("l2", "ip", "cosine", "l1")),
        ("random-xs-16-hamming", "hamming"),
    ],
)
def test_built_truths_of_the_shared_files_agree_with_scipy(name: str, distance: str) -> None:
    _, corpus, queries = files_of(name)
    some = QuerySet(queries.vectors[:40], bits=queries.bits)
    bits = corpus.source.bits
    every = unpacked(corpus.source.take(np.arange(corpus.source.rows)), bits)
    asked = unpacked(some.vectors, bits)
    if distance == "ip":
        independent = -(asked.astype(np.float64) @ every.astype(np.float64).T)
    else:
        independent = cdist(asked, every, SCIPY[distance]) * (bits or 1)
    truth = build_truth(corpus, some, distance, 20)
    for query in range(len(some)):
        ids, distances = truth.neighbors.of(query)
        assert np.allclose(distances, independent[query, ids], rtol=1e-9, atol=1e-12)
        assert np.allclose(distances, np.sort(independent[query])[:20], rtol=1e-9, atol=1e-12)


def test_a_shared_file_under_another_distance_is_refused() -> None:
    path, corpus, queries = files_of("random-xs-20-angular")
    with pytest.raises(StaleTruth, match="names the distance cosine and l2 was asked for"):
        taken(read_lists(path), corpus, queries, distance="l2")
    lists = read_lists(path)
    stripped = ForeignLists(lists.ids, lists.offsets, lists.distances)
    with pytest.raises(StaleTruth, match=r"100000 of 100000 distances do not agree.*all agree as 1 - cos"):
        taken(stripped, corpus, queries, distance="l2")
