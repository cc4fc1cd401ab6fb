"""What is tried on runs while the vectors are at hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.nouns import run_of
from truerecall.model.arrays import texts
from truerecall.model.distance import distance_named
from truerecall.model.ids import rows_of
from truerecall.model.measure_name import MeasureName
from truerecall.model.neighbors import Neighbors, offsets_of
from truerecall.model.run import Run
from truerecall.model.source import ArraySource
from truerecall.model.trials import Trials
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps import elsewhere as step
from truerecall.steps import trials as trying_step
from truerecall.steps.identify import identify
from truerecall.steps.score import score_run
from truerecall.steps.trials import trying
from truerecall.steps.truth import build_truth
from truerecall.steps.verify import verify_truth

K = 5
RNG = np.random.default_rng(7)
ROWS = RNG.normal(size=(300, 6)) * RNG.uniform(0.2, 3.0, size=(300, 1))
ASKED = RNG.normal(size=(40, 6))


class Site:
    """Vectors with a truth, and runs over them whose answers are given as rows."""

    def __init__(self, distance: str = "l2", ids: Any = None, rows: Any = ROWS, asked: Any = ASKED) -> None:
        self.corpus = Corpus(ArraySource(np.asarray(rows, np.float32)), ids)
        self.queries = QuerySet(np.asarray(asked, np.float32))
        self.sides = identify(self.corpus, self.queries, distance_named(distance))
        self.truth = build_truth(self.corpus, self.queries, distance, min(K, len(rows)), identities=self.sides)

    def run(self, lists: Any, *, repeat: int = 0) -> Run:
        run = run_of([[0]] * len(self.queries), k=self.truth.k, distance=self.truth.distance, repeat=repeat)
        setup = replace(run.setup, corpus=self.truth.corpus, queries=self.truth.queries)
        flat = np.asarray([row for own in lists for row in own])
        neighbors = Neighbors(self.corpus.ids[flat], np.zeros(len(flat)), offsets_of(np.array([len(o) for o in lists])))
        return replace(run, setup=setup, neighbors=neighbors, query_ids=self.queries.ids)

    def nearest(self, distance: str) -> Any:
        """The rows that an index of another distance would find."""
        if distance == self.truth.distance:
            return rows_of(self.truth.neighbors.ids, self.corpus.ids).reshape(-1, self.truth.k)
        return Site(distance, rows=self.corpus.source.take(np.arange(self.corpus.source.rows))).nearest(distance)

    def try_(self, run: Run, truth: GroundTruth | None = None, **options: Any) -> Trials:
        options = {"truth_is": "found", **options}
        found = trying(truth or self.truth, self.corpus, self.queries, identities=self.sides, **options)(run)
        assert found is not None
        return found


def codes(run: Run, truth: GroundTruth) -> list[str]:
    point = score_run(run, truth, measures=[MeasureName("recall", truth.k)])
    return [finding.code for finding in point.findings]


def test_a_run_that_finds_most_fits_nothing_better() -> None:
    site = Site()
    tried = site.try_(site.run(site.nearest("l2")))
    assert tried.rivals == ()
    assert (tried.truth_sample.checked, tried.truth_sample.agreed) == (20, 20)  # type: ignore[union-attr]


@pytest.mark.parametrize(("meant", "words"), [("ip", "inner product"), ("cosine", "cosine"), ("l1", "l1")])
def test_h07_an_index_of_another_distance_is_named(meant: str, words: str) -> None:
    site = Site()
    run = site.run(Site(meant).nearest(meant))
    (best, *_) = site.try_(run).rivals or ()
    assert (best.told, best.recall > 0.95, best.own < 0.9) == (words, True, True)
    tried = replace(run, trials=site.try_(run))
    assert "better-explained" in codes(tried, site.truth)
    assert "better-explained" not in codes(run, site.truth)


def test_h07_three_rows() -> None:
    site = Site(rows=[(1, 1), (10, 10), (0.9, 1.2)], asked=[(1, 1)])
    site.truth = build_truth(site.corpus, site.queries, "l2", 2, identities=site.sides)
    (best, *_) = site.try_(site.run([[1, 2]])).rivals or ()
    assert (best.told, best.recall, best.own) == ("inner product", 1.0, 0.5)


def test_ids_that_are_shifted_and_answers_to_other_queries() -> None:
    site = Site()
    right = site.nearest("l2")
    (best, *_) = site.try_(site.run((right + 1) % 300)).rivals or ()
    assert best.told == "ids that are lowered by 1"
    (best, *_) = site.try_(site.run(np.roll(right, 1, axis=0))).rivals or ()
    assert best.told.startswith("answers to other queries")


def test_the_first_pass_alone_is_tried() -> None:
    site = Site()
    run = site.run(site.nearest("l2"), repeat=1)
    assert trying(site.truth, site.corpus, site.queries, identities=site.sides, truth_is="found")(run) is None


def test_what_is_looked_at_once_is_not_looked_at_for_every_run(monkeypatch: pytest.MonkeyPatch) -> None:
    site, called = Site(), []

    def counting(name: str, real: Any) -> Any:
        def call(*given: Any, **options: Any) -> Any:
            called.append(name)
            return real(*given, **options)

        return call

    for name, real in (("nearest_elsewhere", step.nearest_elsewhere), ("verify_truth", verify_truth)):
        monkeypatch.setattr(trying_step, name, counting(name, real))
    own = trying(site.truth, site.corpus, site.queries, identities=site.sides, truth_is="found")
    for _ in range(3):
        own(site.run(Site("ip").nearest("ip")))
    assert sorted(called) == ["nearest_elsewhere", "verify_truth"]


def test_a_truth_that_was_just_built_is_not_recomputed_and_what_was_tried_before_stands() -> None:
    site = Site()
    run = site.run(site.nearest("l2"))
    tried = site.try_(run, truth_is="built now")
    assert tried.truth_sample is None
    assert site.try_(replace(run, trials=tried)) is tried
    other = replace(tried, truth="of another truth")
    assert site.try_(replace(run, trials=other)).truth == tried.truth


def test_h15_h17_a_truth_that_does_not_hold_is_found_out_by_a_sample() -> None:
    site = Site()
    lists = site.truth.neighbors
    first_rows = Site(rows=ROWS[:100]).truth  # the truth of the first 100 rows, in range and wrong
    wrong = replace(site.truth, neighbors=first_rows.neighbors)
    sample = site.try_(site.run(site.nearest("l2")), wrong).truth_sample
    assert sample is not None
    assert (sample.checked, sample.agreed < 10, bool(sample.first)) == (20, True, True)
    swapped = replace(site.truth, neighbors=Neighbors(lists.ids[::-1], lists.distances, lists.offsets))
    sample = site.try_(site.run(site.nearest("l2")), swapped).truth_sample
    assert sample is not None
    assert sample.agreed == 0


def test_trials_of_another_truth_are_not_heard() -> None:
    site = Site()
    run = site.run(Site("ip").nearest("ip"))
    tried = replace(run, trials=site.try_(run))
    moved = replace(site.truth, state="sampled")
    assert "better-explained" in codes(tried, site.truth)
    assert "better-explained" not in codes(tried, moved)


def test_under_a_drift_or_a_choice_of_rows_nothing_is_recomputed() -> None:
    site = Site()
    run = site.run(Site("ip").nearest("ip"))
    for tried in (
        site.try_(run, drifted=True),
        site.try_(run, replace(site.truth, reasons={"filter": "150 of 300 rows kept"})),
    ):
        assert tried.truth_sample is None
        assert "inner product" not in [rival.told for rival in tried.rivals or ()]


def test_failed_queries_and_short_answers_and_string_ids_do_no_harm() -> None:
    site = Site(ids=texts([f"row {row}" for row in range(300)]))
    lists = [own[: place % (K + 1)] for place, own in enumerate(Site("ip").nearest("ip").tolist())]
    run = site.run(lists)
    failures = texts(["timeout" if place % 3 == 0 else "" for place in range(len(run))])
    tried = site.try_(replace(run, failures=failures))
    assert tried.rivals is not None
    nothing = site.try_(replace(run, failures=texts(["timeout"] * len(run))))
    assert nothing.rivals == ()


def test_a_corpus_that_is_too_large_is_not_looked_at_under_other_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    site = Site()
    monkeypatch.setattr(step, "VALUES_LOOKED_AT", 6 * 300 * 3)
    assert len(step.spread_over(site.queries.ids, site.corpus)) == 3
    monkeypatch.setattr(step, "VALUES_LOOKED_AT", 6 * 300 - 1)
    assert len(step.spread_over(site.queries.ids, site.corpus)) == 0
    told = [rival.told for rival in site.try_(site.run(Site("ip").nearest("ip"))).rivals or ()]
    assert "inner product" not in told
