"""The laws of what comes back: rows, once each, nearest first, one by one as in a batch."""

from __future__ import annotations

import numpy as np

from truerecall.kernels.distances import order_keys
from truerecall.testing.subject import MOST_LOST, ROWS, K, Q, Reused, Subject, X, answers, nearest, plain, recall


def answers_are_rows_once_each_and_sorted(subject: Subject) -> None:
    """Row numbers of the corpus, none twice, at most k, never padded; at the greatest effort the nearest first, as far
    as codes can tell."""
    index = subject.index()
    ascending: list[bool] = []
    for effort in (lambda _: None, subject.at_most):
        effort(index)
        for k in (1, K, 50):
            for query, found in zip(Q, answers(index, k=k), strict=True):
                assert 0 < len(found) <= k, f"{len(found)} answers came where k is {k}"
                assert len(found) == len(set(found)), f"a row came twice: {found}"
                assert set(found) <= set(range(ROWS)), f"there are rows beyond the corpus: {sorted(found)}"
                keys = order_keys(subject.distance, query, X[found])
                if effort == subject.at_most:
                    ascending += (np.diff(keys) >= -1e-5 * np.abs(keys[1:])).tolist()
    share = float(np.mean(ascending))
    assert share > 1 - MOST_LOST, f"only {share:.1%} of the answers are farther than the one before them"


def a_small_corpus_gives_a_short_answer(subject: Subject) -> None:
    index = subject.built(X[:40])
    subject.at_most(index)
    for found in answers(index, k=60):
        assert sorted(found) == list(range(40)), f"of 40 rows {len(set(found))} came, {len(found)} in all"
    prepared = index.prepare(Q)
    for count in (1, 2, len(Q)):
        for own in index.search_batch(prepared[:count], 60):
            assert sorted(plain(own)) == list(range(40)), f"of 40 rows {len(set(own))} came in a batch"


def what_is_given_stays_as_it_is(subject: Subject) -> None:
    for distance in subject.distances_of_vectors():
        rows, queries = X.copy(), Q.copy()
        index = subject.built(rows, distance)
        answers(index, queries)
        index.search_batch(index.prepare(queries), K)
        assert (rows == X).all(), f"under {distance} the rows were changed"
        assert (queries == Q).all(), f"under {distance} the queries were changed"


def a_batch_answers_as_single_queries_do(subject: Subject) -> None:
    index = subject.built(threads=2)
    prepared, alone = index.prepare(Q), answers(index)
    for count in (1, 2, 5, len(Q)):
        together = [plain(own) for own in index.search_batch(prepared[:count], K)]
        share = recall(alone[:count], together)
        assert share == 1, f"{share:.1%} of the answers of single queries come in a batch of {count}"


def rows_are_called_by_their_place(subject: Subject) -> None:
    """Also where a source uses one buffer for all its blocks."""
    order = np.random.default_rng(5).permutation(ROWS)
    for rows, places in ((X, np.arange(ROWS)), (Reused(X[order]), order)):
        index = subject.built(rows)
        subject.at_most(index)
        found = [places[own].tolist() for own in answers(index)]
        share = recall(nearest(X, Q, subject.distance), found)
        assert share > 1 - MOST_LOST, f"{share:.1%} of the true neighbours come under their own number"
