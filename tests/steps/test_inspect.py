"""An inspection: the cases on record, right values, and inputs of every odd kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.twins import brute_force
from truerecall.errors import InputError
from truerecall.model.arrays import Vectors
from truerecall.model.finding import Finding
from truerecall.model.shape import Inspection
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps import query_shift, row_shape
from truerecall.steps.inspect import inspect
from truerecall.store.vectors import open_corpus, open_queries

SHARED = Path(__file__).parents[3] / "shared" / "data"
WORDNET = Path(__file__).parents[2] / "src" / "truerecall" / "cli" / "wordnet"
RANDOM = np.random.default_rng(0)


def look(rows: Any, queries: Any = None, distance: str = "l2", k: int = 10, **more: Any) -> Inspection:
    asked = None if queries is None else QuerySet(np.asarray(queries))
    return inspect(Corpus(ArraySource(np.asarray(rows))), asked, distance, k, **more)


def finding_of(found: Inspection, code: str) -> Finding:
    return next(finding for finding in found.findings if finding.code == code)


def codes_of(found: Inspection) -> set[str]:
    return {finding.code for finding in found.findings}


def clustered(n: int, d: int = 8) -> Vectors:
    random = np.random.default_rng(3)
    centres = random.standard_normal((10, d))
    return (centres[random.integers(10, size=n)] + 0.3 * random.standard_normal((n, d))).astype(np.float32)


def test_h24_queries_that_are_the_rows() -> None:
    rows = np.array([[0, 0], [1, 5], [2, 0], [3, 5]], np.float32)
    found = look(rows, rows, k=1)
    assert finding_of(found, "queries-in-corpus").message == "4 of 4 queries are rows of the corpus"
    # By content: other rows of the same numbers are no copies.
    assert "queries-in-corpus" not in codes_of(look(rows, rows + 0.5, k=1))


def test_h02_one_vector_stored_902_times() -> None:
    rows = np.zeros((1000, 3), np.float32)
    rows[902:] = 10 + np.random.default_rng(0).random((98, 3))
    found = look(rows, [[0.001, 0, 0]])
    assert finding_of(found, "duplicate-rows").message.startswith("1 duplicate group, largest 902, 901 surplus rows")
    assert finding_of(found, "ties-at-cut").message.startswith("id recall is not usable on these vectors")


def test_h01_a_tie_across_the_cut() -> None:
    found = look([[1.0, 0], [-1, 0], [3, 0]], [[0.0, 0]], k=1)
    assert "1 of 1 queries has a tie across the cut" in finding_of(found, "ties-at-cut").message
    assert found.ties_at_cut.value == 1.0


def test_h09_zero_vectors_under_cosine_are_named_on_both_sides() -> None:
    rows, queries = np.array([[1.0, 0], [0, 1], [1, 1], [0, 0]]), np.array([[2.0, 0], [0, 0]])
    found = look(rows, queries, "cosine", k=3)
    message = finding_of(found, "unusable-vectors").message
    assert "1 of 4 rows hold only zeros (3); 1 of 2 queries hold only zeros (1)" in message
    assert found.corpus.usable == 3
    assert found.queries is not None
    assert found.queries.inspected == 1
    # Under l2 such a row has distances: a note.
    assert finding_of(look(rows, queries, "l2", k=3), "unusable-vectors").severity == "note"


def test_h31_queries_that_touch_nothing() -> None:
    rows = np.zeros((40, 7), np.float32)
    rows[:, :4] = RANDOM.random((40, 4))
    query = np.zeros((1, 7), np.float32)
    query[0, 5:] = 1
    message = finding_of(look(rows, query, "ip"), "ties-at-cut").message
    assert "1 of 1 queries has a tie across the cut (largest: 40 rows for 10 places)" in message


def test_h34_uniform_random_vectors_are_structureless() -> None:
    found = look(np.random.default_rng(0).random((2000, 64)))
    finding = finding_of(found, "structureless")
    assert finding.severity == "warning"
    assert finding.evidence["relative_contrast"] == pytest.approx(found.corpus.closeness.contrast.value)
    assert found.verdict == "suspect"


def test_duplicates_of_a_worked_example() -> None:
    # MEASURES: ten places inside a group of 40 copies among other rows: an exact index has 0.25 by chance.
    rows = np.concatenate([np.zeros((40, 2)), 10 + RANDOM.random((60, 2))])
    found = look(rows, [[0.01, 0.0]])
    duplicates = found.corpus.duplicates
    assert (duplicates.share, duplicates.largest, duplicates.groups) == (0.4, 40, 1)
    assert finding_of(found, "ties-at-cut").evidence["recall_by_chance"] == 0.25


@pytest.mark.parametrize("distance", ["l2", "l1", "cosine"])
def test_neighbours_are_those_of_brute_force_without_the_row_itself(distance: str) -> None:
    rows = clustered(300).astype(np.float64)
    found = look(rows, distance=distance, k=3)
    _, exact = brute_force(distance, rows, rows, 31)
    # Of the sample every row is one, in another order: compared sorted.
    exact = np.sqrt(2 * exact) if distance == "cosine" else exact
    around = found.corpus.closeness
    assert np.sort(around.nearest) == pytest.approx(np.sort(exact[:, 1]), rel=1e-9)
    assert np.sort(around.at_k) == pytest.approx(np.sort(exact[:, 3]), rel=1e-9)
    # The depth of a local dimension is a tenth of the other rows.
    assert found.corpus.local_depth == 29
    local = -1 / np.log(exact[:, 1:30] / exact[:, 29:30]).mean(axis=1)
    assert np.sort(found.corpus.local) == pytest.approx(np.sort(local), rel=1e-6)
    assert found.corpus.dimension.value == pytest.approx(local.mean(), rel=1e-6)


def test_hubs_are_counted_among_all_rows_of_a_small_corpus() -> None:
    rows = clustered(200)
    lists, _ = brute_force("l2", rows, rows, 5)
    counts = np.bincount(np.array(lists)[:, 1:].reshape(-1), minlength=200)
    hubs = look(rows, k=4).corpus.hubs
    assert np.sort(hubs.counts).tolist() == np.sort(counts).tolist()
    assert hubs.absent.value == (counts == 0).mean()


def test_mean_distances_leave_out_the_row_itself() -> None:
    found = look([[0.0], [3.0], [9.0]], k=1)
    assert np.sort(found.corpus.closeness.means).tolist() == [4.5, 6.0, 7.5]
    # E[D_mean] / E[D_1]: (4.5 + 6 + 7.5) / (3 + 3 + 6)
    assert found.corpus.closeness.contrast.value == 1.5


def test_queries_are_seen_from_the_corpus() -> None:
    rows, queries = clustered(300), clustered(40)[::-1] + np.float32(0.01)
    found = look(rows, queries, k=2)
    _, exact = brute_force("l2", rows, queries, 2)
    assert found.queries is not None
    around = found.queries.closeness
    assert around.nearest == pytest.approx(exact[:, 0])
    assert around.at_k == pytest.approx(exact[:, 1])
    assert around.means[0] == pytest.approx(np.linalg.norm(rows.astype(float) - queries[0], axis=1).mean())


def test_near_duplicate_queries_lie_closer_than_a_tenth_of_the_way_to_the_nearest_row() -> None:
    queries = np.array([[10.0, 0], [10, 0.0999], [20, 0], [20, 0.2], [30, 0], [30, 0], [0, 0]])
    rows = np.array([[10.0, 1], [20, 1], [30, 1], [0, 0], [50, 50]])
    found = look(rows, queries, k=1)
    assert found.queries is not None
    apart = found.queries.apart
    assert apart[:2] == pytest.approx([0.0999, 0.0999 / 0.9001])
    assert apart[2:4] == pytest.approx([0.2, 0.25])
    assert apart[4:6].tolist() == [0.0, 0.0]
    assert apart[6] == np.inf  # a row of the corpus, and no other query is like it
    assert found.queries.near.value == pytest.approx(3 / 7)
    assert found.queries.near.interval is None  # counted, not sampled
    assert found.queries.repeats.sizes.tolist() == [2]


def test_h28_one_query_asked_again_and_again() -> None:
    found = look(clustered(50), np.repeat(clustered(1), 10, axis=0))
    finding = finding_of(found, "repeated-queries")
    assert finding.severity == "warning"
    assert "10 of 10 equal another one; 1 distinct query" in finding.message


def test_shifted_queries_are_seen_and_held_out_rows_are_not() -> None:
    rows = clustered(2000, 16)
    held, strange = clustered(2300, 16)[2000:], clustered(2300, 16)[2000:] + np.float32(1.0)
    quiet, fires = look(rows, held), look(rows, strange)
    assert "query-shift" not in codes_of(quiet)
    assert "query-shift" in codes_of(fires)
    assert quiet.queries is not None
    assert fires.queries is not None
    calm, moved = quiet.queries.shift, fires.queries.shift
    assert calm.mahalanobis.value == pytest.approx(1.0, abs=0.1)
    assert calm.nearest.value == pytest.approx(1.0, abs=0.1)
    for ratio in (moved.mahalanobis, moved.nearest):
        assert ratio.value is not None
        assert ratio.value > 1.5
    if calm.area.value is not None and moved.area.value is not None:
        assert calm.area.value < 0.65
        assert moved.area.value > 0.95


def test_without_scikit_learn_the_classifier_is_left_out_and_the_rest_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query_shift, "find_spec", lambda name: None)
    found = look(clustered(200), clustered(60))
    assert found.queries is not None
    shift = found.queries.shift
    assert shift.area.value is None
    assert "pip install 'truerecall[shift]'" in shift.area.reason
    assert shift.mahalanobis.value is not None
    assert shift.nearest.value is not None


def test_with_rows_of_one_length_ip_has_the_shape_of_cosine() -> None:
    rows = clustered(300)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    by_ip, by_cosine = look(rows * 3, rows[:50], "ip").corpus, look(rows, rows[:50], "cosine").corpus
    assert by_ip.geometry == "cosine"
    assert by_ip.lengths is not None
    assert (by_ip.lengths.even, by_ip.lengths.unit) == (True, False)
    assert by_ip.dimension.value == pytest.approx(by_cosine.dimension.value, rel=1e-4)
    assert by_ip.structure.ratio.value == pytest.approx(by_cosine.structure.ratio.value, rel=1e-3)


def test_with_uneven_lengths_ip_has_no_distances_but_hubs_and_ties() -> None:
    rows = clustered(300) * np.linspace(1, 5, 300)[:, None]
    found = look(rows, rows[:50], "ip")
    shape = found.corpus
    for estimate in (shape.dimension, shape.closeness.contrast, shape.structure.ratio):
        assert estimate.value is None
        assert "no distances" in estimate.reason
    assert shape.hubs.skewness.value is not None
    assert shape.ties.value is not None
    assert "uneven-lengths" in codes_of(found)


def test_int8_differences_do_not_wrap() -> None:
    # H10: 127 and -128 are 255 apart in each of four dimensions; 127 and 120 are 7 apart.
    found = look(np.array([[-128] * 4, [120] * 4], np.int8), np.array([[127] * 4], np.int8), k=1)
    assert found.queries is not None
    assert found.queries.closeness.nearest.tolist() == [14.0]
    assert found.corpus.closeness.nearest.tolist() == [496.0, 496.0]


@pytest.mark.parametrize(
    ("rows", "distance"),
    [
        (np.ones((1, 3), np.float32), "l2"),
        (np.ones((2, 3), np.float32), "cosine"),
        (np.ones((50, 3), np.float64), "l1"),
        (np.zeros((50, 3), np.float32), "l2"),
        (np.zeros((50, 3), np.float32), "ip"),
        (np.full((200, 2), 7, np.uint8), "hamming"),
        (RANDOM.integers(0, 256, (300, 8), np.uint8), "hamming"),
        (RANDOM.integers(-128, 128, (300, 5)).astype(np.int8), "ip"),
        (RANDOM.integers(0, 2, (300, 1)).astype(np.float32), "l2"),
        (RANDOM.standard_normal((3, 600)).astype(np.float16), "cosine"),
        (1e150 * RANDOM.standard_normal((120, 3)).clip(-1, 1), "l2"),
        (1e-160 * RANDOM.standard_normal((120, 3)), "l2"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value.shape} {value.dtype}",
)
@pytest.mark.parametrize("k", [1, 10])
def test_odd_inputs_are_examined_without_a_warning_of_numpy(rows: Vectors, distance: str, k: int) -> None:
    with np.errstate(all="raise", under="ignore"):
        for queries in (None, rows[:1], rows[:40]):
            found = look(rows, queries, distance, k)
            assert {check.outcome for check in found.checks} <= {"passed", "fired", "cannot tell"}
            for estimate in (found.corpus.dimension, found.corpus.ties, found.corpus.structure.ratio):
                assert (estimate.value is None) == bool(estimate.reason)
                assert estimate.value is None or np.isfinite(estimate.value)


def test_one_row_says_what_cannot_be_told() -> None:
    found = look([[1.0, 2.0]])
    outcomes = {check.code: check for check in found.checks}
    assert outcomes["constant-dimensions"].outcome == "cannot tell"
    assert outcomes["low-contrast"].reason == "the relative contrast is undefined: there is one usable row"
    assert found.findings == ()


def test_rows_that_are_all_equal_are_one_group() -> None:
    found = look(np.ones((50, 3)))
    assert found.corpus.duplicates.sizes.tolist() == [50]
    assert found.corpus.constant == (0, 1, 2)
    assert found.corpus.dimension.value is None
    assert codes_of(found) == {"duplicate-rows", "constant-dimensions"}


def test_nan_and_infinite_rows_are_left_out_named_and_told_apart() -> None:
    rows = clustered(200).astype(np.float64)
    rows[3, 1], rows[8, 0], rows[9, 0], rows[11, 2] = np.nan, np.inf, -np.inf, 1e200
    queries = clustered(30)
    queries[4] = np.nan
    found = look(rows, queries)
    assert found.corpus.faults.counts == {"NaN": 1, "infinity": 2, "values too large": 1}
    assert found.corpus.faults.first == {"NaN": (3,), "infinity": (8, 9), "values too large": (11,)}
    assert (found.corpus.usable, len(found.corpus.hubs.counts)) == (196, 196)
    assert found.queries is not None
    assert (found.queries.n, found.queries.inspected) == (30, 29)
    assert finding_of(found, "unusable-vectors").severity == "warning"


def test_a_query_of_nan_is_no_row_though_the_bytes_agree() -> None:
    rows = clustered(20)
    rows[0] = np.nan
    found = look(rows, np.stack([rows[0], rows[5]]), k=1)
    assert found.queries is not None
    assert found.queries.copies.tolist() == [0, 1]


def test_queries_that_are_all_unusable_are_told() -> None:
    queries = np.full((3, 8), np.nan, np.float32)
    found = look(clustered(200), queries)
    assert "3 of 3 queries hold NaN (0, 1, 2)" in finding_of(found, "unusable-vectors").message
    assert found.ties_at_cut.reason == "there are no usable queries"


def test_bits_have_no_lengths_and_constant_bits_are_counted() -> None:
    rows = RANDOM.integers(0, 256, (100, 2), np.uint8) & np.uint8(0b01111110)
    found = inspect(Corpus(ArraySource(rows, bits=15)), distance="hamming").corpus
    # The first and the last bit of each byte never change; of the second byte the last bit is no bit of the rows.
    assert found.constant == (0, 7, 8)
    assert (found.dimensions, found.lengths, len(found.spread)) == (15, None, 15)


def test_what_cannot_be_used_is_refused() -> None:
    rows = clustered(20)
    with pytest.raises(InputError, match="queries has 3 dimensions and array has 8"):
        look(rows, np.ones((2, 3), np.float32))
    with pytest.raises(InputError, match="none of the 20 rows of array is usable under l2"):
        look(rows * np.nan)
    with pytest.raises(InputError, match="none of the 2 rows of array is usable under cosine"):
        look(np.zeros((2, 2)), distance="cosine")
    with pytest.raises(InputError, match="hamming is of bits"):
        look(rows, distance="hamming")
    with pytest.raises(InputError, match="did you mean cosine"):
        look(rows, distance="cosin")


def test_the_seed_decides_the_samples_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_shape, "POINTS", 40)
    monkeypatch.setattr(row_shape, "BASE", 150)
    rows, queries = clustered(500), clustered(60)
    first, again, other = (look(rows, queries, seed=seed) for seed in (1, 1, 2))
    assert first.corpus.dimension == again.corpus.dimension
    assert first.corpus.structure.ratio == again.corpus.structure.ratio
    assert first.corpus.dimension != other.corpus.dimension
    assert first.sampled[1].startswith("40 sampled rows were held against all usable rows")
    assert first.sampled[2] == "150 sampled rows were held against each other for hubs and structure"
    assert first.corpus.duplicates.n == other.corpus.duplicates.n == 500


def test_of_many_queries_a_sample_is_inspected_and_copies_are_counted_over_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("truerecall.steps.inspect.POINTS", 20)
    rows = clustered(300)
    found = look(rows, np.concatenate([rows[:50], rows[50:100] + np.float32(0.1)]), k=3)
    assert found.queries is not None
    assert (found.queries.n, found.queries.inspected, len(found.queries.copies)) == (100, 20, 100)
    assert finding_of(found, "queries-in-corpus").message == "50 of 100 queries are rows of the corpus"
    for estimate in (found.queries.near, found.ties_at_cut):
        assert (estimate.n, estimate.method) == (20, "wilson")
        assert estimate.interval is not None
    assert found.sampled[-1] == "20 of 100 usable queries were held against all usable rows"


def test_ids_and_the_order_of_ids_change_nothing() -> None:
    rows, queries = clustered(300), clustered(30) + np.float32(0.1)
    ids = np.random.default_rng(1).permutation(300).astype(np.int64)
    plain = look(rows, queries)
    named = inspect(Corpus(ArraySource(rows), ids), QuerySet(queries), "l2")
    assert plain.queries is not None
    assert named.queries is not None
    assert plain.queries.closeness.nearest.tolist() == named.queries.closeness.nearest.tolist()


def test_the_demo_vectors_raise_no_finding() -> None:
    corpus, queries = WORDNET / "corpus.npy", WORDNET / "queries.npy"
    found = inspect(open_corpus(corpus), open_queries(queries), "cosine")
    assert found.findings == ()
    assert {check.outcome for check in found.checks} == {"passed"}


@pytest.mark.parametrize(
    ("corpus", "queries", "distance", "codes"),
    [
        # 0, 32 and 39 are the corners of the digits, always white; whole numbers tie now and then.
        ("digits-64-euclidean.hdf5", "digits-64-euclidean.hdf5", "l2", {"constant-dimensions", "ties-at-cut"}),
        # The bits are 99 rows of each of few codes, and most queries are among them.
        (
            "random-xs-16-hamming.hdf5",
            "random-xs-16-hamming.hdf5",
            "hamming",
            {"duplicate-rows", "near-ties", "queries-in-corpus", "repeated-queries", "ties-at-cut"},
        ),
    ],
)
def test_real_files_raise_what_they_give_cause_for(
    corpus: str, queries: str, distance: str, codes: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = SHARED / "hdf5-annb"
    if not folder.exists():
        pytest.skip("the shared files are not here")
    pytest.importorskip("h5py")
    monkeypatch.setattr(row_shape, "POINTS", 300)
    monkeypatch.setattr(row_shape, "BASE", 2_000)
    found = inspect(open_corpus(folder / corpus), open_queries(folder / queries), distance)
    assert codes_of(found) == codes


def test_claims_against_abstracts_are_shifted_and_some_repeat_each_other() -> None:
    folder = SHARED / "scifact"
    if not folder.exists():
        pytest.skip("the shared files are not here")
    found = inspect(open_corpus(folder / "docs.f16.npy"), open_queries(folder / "queries.f16.npy"), "cosine")
    assert codes_of(found) == {"constant-dimensions", "query-shift", "repeated-queries"}
    assert found.verdict == "ok"
