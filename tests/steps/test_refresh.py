"""A truth that was refreshed is the truth that a new build gives, whatever was edited."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from truerecall.errors import InputError, StaleTruth
from truerecall.model.arrays import Ids
from truerecall.model.distance import distance_named
from truerecall.model.ids import as_ids
from truerecall.model.source import ArraySource
from truerecall.model.truth import SAMPLED, GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.choice import eligibility_of
from truerecall.steps.identify import identify
from truerecall.steps.refresh import Refreshed, refresh_truth
from truerecall.steps.truth import build_truth
from truerecall.steps.unusable import Policies
from truerecall.store.truths import truth_artefact

Vectors = NDArray[Any]
KINDS = ("row", "int64", "string")


def corpus_of(names: list[int], vectors: Vectors, kind: str) -> Corpus:
    """Rows of the given vectors, called by ``names`` in their kind."""
    if kind == "row":
        return Corpus(ArraySource(vectors))
    values: Any = np.array(names) if kind == "int64" else [f"doc-{name}" for name in names]
    return Corpus(ArraySource(vectors), as_ids(values, what="a test"))


def built(corpus: Corpus, queries: QuerySet, distance: str, k: int, **how: Any) -> GroundTruth:
    """A new build; ``exclude_self`` and ``policies`` as on the command line."""
    geometry, own = distance_named(distance), how.pop("exclude_self", None)
    sides = identify(corpus, queries, geometry, policies=how.pop("policies", Policies()))
    chosen = eligibility_of(corpus, queries, sides.copies, exclude_self=own)
    return build_truth(corpus, queries, distance, k, identities=sides, eligibility=chosen, **how)


def digest_of(truth: GroundTruth) -> str:
    return truth_artefact(truth).content_digest


def demand_same(refreshed: GroundTruth, again: GroundTruth) -> None:
    for name in ("eligible", "nearer", "tied", "copies"):
        assert getattr(refreshed, name).tolist() == getattr(again, name).tolist(), name
    assert refreshed.neighbors.ids.tolist() == again.neighbors.ids.tolist()
    assert refreshed.neighbors.distances.tolist() == again.neighbors.distances.tolist()
    assert digest_of(refreshed) == digest_of(again)


def vectors_of(rng: np.random.Generator, rows: int, distance: str, dtype: str, spread: str) -> Vectors:
    """Vectors without zeros: ``wide`` ones hardly tie, ``coarse`` ones tie a great deal, ``close`` ones nearly do."""
    if distance == "hamming":
        return rng.integers(0, 256 if spread == "wide" else 4, (rows, 2)).astype(np.uint8)
    values = rng.normal(size=(rows, 3)) * 20 if spread == "wide" else rng.integers(1, 4, (rows, 3)).astype(float)
    if spread == "close":
        values *= 1 + 3e-7 * rng.random((rows, 3))
    return values.astype(dtype)


@st.composite
def histories(draw: st.DrawFn) -> dict[str, Any]:
    distance = draw(st.sampled_from(["l2", "ip", "cosine", "l1", "hamming"]))
    return {
        "seed": draw(st.integers(0, 10**6)),
        "distance": distance,
        "dtype": draw(st.sampled_from(["float32", "float64", "float16"])),
        "spread": draw(st.sampled_from(["wide", "coarse", "close"])),
        "kind": draw(st.sampled_from(KINDS)),
        "rows": draw(st.integers(12, 60)),
        "k": draw(st.integers(1, 6)),
        "slack": draw(st.sampled_from([None, 0, 1, 3, 20])),
        "exclude_self": draw(st.sampled_from([None, None, "id", "content"])),
        "zeros": draw(st.booleans()),
        "steps": draw(st.lists(st.tuples(*[st.integers(0, 6)] * 3), min_size=1, max_size=3)),
    }


@settings(max_examples=80)
@given(histories())
def test_any_history_of_edits_ends_where_a_new_build_does(history: dict[str, Any]) -> None:
    rng = np.random.default_rng(history["seed"])
    distance, kind, k = history["distance"], history["kind"], history["k"]
    shape = {"distance": distance, "dtype": history["dtype"], "spread": history["spread"]}
    vectors = vectors_of(rng, history["rows"], **shape)
    names = rng.permutation(10 * history["rows"])[: history["rows"]].tolist()
    asking = np.concatenate([vectors[:3], vectors_of(rng, 5, **shape)])
    queries = QuerySet(asking, corpus_of([*names[:3], 1000, 1001, 1002, 1003, 1004], asking, kind).given_ids)
    zeros = history["zeros"] and distance == "cosine"
    vectors[3] *= not zeros
    policies = Policies(zero_vectors="leave-out")
    how = {"exclude_self": history["exclude_self"], "slack": history["slack"], "policies": policies}
    truth = built(corpus_of(names, vectors, kind), queries, distance, k, **how)
    fresh = 5000
    for added, removed, changed in history["steps"]:
        # The first rows stay, so that some query still finds itself, and some row is still left out.
        gone = rng.permutation(np.arange(4, len(vectors)))[: min(removed, max(0, len(vectors) - k - 4))]
        vectors, names = np.delete(vectors, gone, axis=0), np.delete(names, gone).tolist()
        edited = 4 + rng.permutation(len(vectors) - 4)[:changed]
        vectors[edited] = vectors_of(rng, len(edited), **shape)
        vectors[edited[: int(zeros)]] = 0
        vectors = np.concatenate([vectors, vectors_of(rng, added, **shape)])
        names += range(fresh, fresh + added)
        fresh += added
        if kind != "row":
            order = np.concatenate([np.arange(4), 4 + rng.permutation(len(vectors) - 4)])
            vectors, names = vectors[order], np.array(names)[order].tolist()
        corpus = corpus_of(names, vectors, kind)
        truth, _ = refresh_truth(truth, corpus, queries, slack=history["slack"])
        # A build without slack counts at the cut itself.
        demand_same(truth, built(corpus, queries, distance, k, **{**how, "slack": 0}))


def plain(rows: int, seed: int = 0) -> tuple[Corpus, QuerySet]:
    rng = np.random.default_rng(seed)
    return (
        Corpus(ArraySource(rng.normal(size=(rows, 8)).astype(np.float32))),
        QuerySet(rng.normal(size=(40, 8)).astype(np.float32)),
    )


def edited(corpus: Corpus, *, share: float, seed: int = 1) -> Corpus:
    """The corpus with that share of its rows rewritten."""
    rng = np.random.default_rng(seed)
    vectors = corpus.source.take(np.arange(corpus.source.rows)).copy()
    rows = rng.choice(len(vectors), int(share * len(vectors)), replace=False)
    vectors[rows] = rng.normal(size=(len(rows), vectors.shape[1]))
    return Corpus(ArraySource(vectors))


def test_one_row_in_a_hundred_costs_a_few_pairs_in_a_hundred() -> None:
    corpus, queries = plain(20_000)
    now = edited(corpus, share=0.01)
    truth, done = refresh_truth(build_truth(corpus, queries, "l2", 10), now, queries)
    demand_same(truth, build_truth(now, queries, "l2", 10))
    assert (done.added, done.removed, done.changed, done.queries) == (0, 0, 200, 40)
    assert done.of_a_build == 40 * 20_000
    assert 40 * 200 <= done.distance_computations <= 0.05 * done.of_a_build
    assert done.rescanned == 0
    assert truth.provenance["refreshed"]["changed"] == 200
    assert truth.provenance["built"]["slack"] == 10


def test_nothing_changed_costs_nothing() -> None:
    corpus, queries = plain(500)
    before = build_truth(corpus, queries, "cosine", 5)
    after, done = refresh_truth(before, corpus, queries)
    assert digest_of(after) == digest_of(before)
    assert (done.distance_computations, done.rescanned, len_of(done)) == (0, 0, 0)


def len_of(done: Refreshed) -> int:
    return done.added + done.removed + done.changed


def test_slack_is_used_up_and_then_a_query_is_searched_for_anew() -> None:
    x = np.arange(30, dtype=np.float64)[:, None]
    queries = QuerySet(np.array([[-1.0], [31.0]]))
    ids: Ids = as_ids(np.arange(30), what="ids")
    truth = build_truth(Corpus(ArraySource(x), ids), queries, "l2", 2, slack=2)
    # Row 0 goes: the first query has 1, 2, 3 left, and 3 is where its knowledge ends.
    truth, done = refresh_truth(truth, Corpus(ArraySource(x[1:]), ids[1:]), queries, slack=2)
    assert truth.upkeep is not None
    assert (done.rescanned, truth.upkeep.slack.lengths.tolist()) == (0, [1, 2])
    truth, done = refresh_truth(truth, Corpus(ArraySource(x[3:]), ids[3:]), queries, slack=2)
    assert truth.upkeep is not None
    assert (done.rescanned, truth.upkeep.slack.lengths.tolist()) == (1, [2, 2])
    assert truth.neighbors.ids.tolist() == [3, 4, 29, 28]


def test_a_tie_band_that_reaches_beyond_what_is_stored_is_counted_anew() -> None:
    x = np.array([[1.0]] + [[2.0]] * 20 + [[3.0]] * 5)
    ids, queries = as_ids(np.arange(26), what="ids"), QuerySet(np.array([[0.0]]))
    truth = build_truth(Corpus(ArraySource(x), ids), queries, "l2", 2, slack=2)
    assert (truth.nearer.tolist(), truth.tied.tolist()) == ([1], [20])
    # Row 15 is not stored, but it ties: only a scan can tell that 19 are left.
    kept = np.delete(np.arange(26), 15)
    now = Corpus(ArraySource(x[kept]), ids[kept])
    after, done = refresh_truth(truth, now, queries, slack=2)
    assert (after.nearer.tolist(), after.tied.tolist(), done.rescanned) == ([1], [19], 1)
    # A row that is added far away leaves all as it was; one that is added inside the band does not.
    far = Corpus(ArraySource(np.append(x, [[9.0]], axis=0)), as_ids(np.arange(27), what="ids"))
    after, done = refresh_truth(truth, far, queries, slack=2)
    assert (after.tied.tolist(), done.rescanned) == ([20], 0)
    tying = Corpus(ArraySource(np.append(x, [[2.0]], axis=0)), as_ids(np.arange(27), what="ids"))
    assert refresh_truth(truth, tying, queries, slack=2)[0].tied.tolist() == [21]


def test_a_row_that_comes_into_the_tie_band_beyond_the_last_stored_row_is_counted() -> None:
    x, queries = np.array([[1.0], [2.0], [5.0]]), QuerySet(np.array([[0.0]]))
    truth = build_truth(Corpus(ArraySource(x), as_ids(np.arange(3), what="ids")), queries, "l2", 2, slack=0)
    assert truth.tied.tolist() == [1]
    now = Corpus(ArraySource(np.append(x, [[2.0 + 4e-7]], axis=0)), as_ids(np.arange(4), what="ids"))
    after, done = refresh_truth(truth, now, queries, slack=0)
    assert (after.tied.tolist(), done.rescanned) == ([2], 1)
    demand_same(after, build_truth(now, queries, "l2", 2, slack=0))


def test_a_row_that_ties_beyond_what_is_stored_is_counted() -> None:
    """Without slack the horizon is the cut itself, and the tie band ends beyond it."""
    queries = QuerySet(np.array([[0.0]]))
    truth = build_truth(Corpus(ArraySource(np.array([[1.0], [3.0]]))), queries, "l2", 1, slack=0)
    for added, tied, rescanned in ((1 + 5e-7, 2, 1), (1 + 2e-6, 1, 0), (2.0, 1, 0)):
        now = Corpus(ArraySource(np.array([[1.0], [3.0], [added]])))
        after, done = refresh_truth(truth, now, queries, slack=0)
        assert (after.nearer.tolist(), after.tied.tolist(), done.rescanned) == ([0], [tied], rescanned)
        demand_same(after, build_truth(now, queries, "l2", 1))


def test_h22_after_a_delete() -> None:
    x = np.array([[0.0, 0], [3, 4], [6, 8]])
    ids, queries = as_ids(["A", "B", "C"], what="ids"), QuerySet(np.array([[0.0, 0]]))
    before = build_truth(Corpus(ArraySource(x), ids), queries, "l2", 1)
    assert before.neighbors.ids.tolist() == ["A"]
    after, done = refresh_truth(before, Corpus(ArraySource(x[1:]), ids[1:]), queries)
    assert (after.neighbors.ids.tolist(), after.neighbors.distances.tolist()) == (["B"], [5.0])
    assert (done.removed, done.added, done.changed) == (1, 0, 0)


def test_rows_that_were_left_out_and_queries_in_another_order() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(50, 4))
    x[[3, 9]] = 0
    q, names = rng.normal(size=(6, 4)), np.arange(6) * 7
    q[2] = 0
    how: dict[str, Any] = {"policies": Policies(zero_vectors="leave-out")}
    truth = built(Corpus(ArraySource(x)), QuerySet(q, as_ids(names, what="q")), "cosine", 5, **how)
    x = np.append(x, rng.normal(size=(4, 4)), axis=0)
    x[3], x[20], x[51] = 1.0, 0.0, 0.0
    order = rng.permutation(6)
    queries, now = QuerySet(q[order], as_ids(names[order], what="q")), Corpus(ArraySource(x))
    after, done = refresh_truth(truth, now, queries)
    demand_same(after, built(now, queries, "cosine", 5, **how))
    assert (done.added, done.changed, done.queries) == (4, 2, 5)


def test_most_of_the_corpus_is_new() -> None:
    corpus, queries = plain(300)
    now = edited(corpus, share=0.8)
    after, done = refresh_truth(build_truth(corpus, queries, "l2", 10), now, queries)
    demand_same(after, build_truth(now, queries, "l2", 10))
    assert done.rescanned == 40
    assert done.distance_computations == done.of_a_build


def test_what_cannot_be_refreshed_is_refused() -> None:
    corpus, queries = plain(100)
    geometry = distance_named("l2")
    truth = build_truth(corpus, queries, "l2", 3, model="e5 v2")
    bare = build_truth(corpus, queries, "l2", 3, identities=identify(corpus, queries, geometry, keep="nothing"))
    with pytest.raises(InputError, match="keeps no ledger"):
        refresh_truth(bare, corpus, queries)
    with pytest.raises(InputError, match="is sampled"):
        refresh_truth(replace(truth, state=SAMPLED), corpus, queries)
    with pytest.raises(InputError, match="chosen rows"):
        refresh_truth(replace(truth, reasons={"filter": "9 of 100 rows kept"}), corpus, queries)
    with pytest.raises(StaleTruth, match="of the model e5 v2, not e5 v3"):
        refresh_truth(truth, corpus, queries, model="e5 v3")
    with pytest.raises(StaleTruth, match=r"of other queries: .* 1 changed \(0\)"):
        refresh_truth(truth, corpus, QuerySet(np.append(queries.vectors[:1] + 1, queries.vectors[1:], axis=0)))
    with pytest.raises(StaleTruth, match="of other corpus: elements of float32, not float64"):
        refresh_truth(truth, Corpus(ArraySource(corpus.source.take(np.arange(100)).astype(np.float64))), queries)
    with pytest.raises(InputError, match="k is 3"):
        refresh_truth(truth, Corpus(ArraySource(corpus.source.take(np.arange(2)))), queries)
