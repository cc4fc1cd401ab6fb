"""Several passes of one point: which runs these are, the value of a query over them, and how long calls took."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.nouns import run_of, truth_of
from truerecall.errors import InputError
from truerecall.model.answers import Answers
from truerecall.model.arrays import texts
from truerecall.model.curve import Latency, Point
from truerecall.model.measure import PerQuery
from truerecall.model.measure_name import MeasureName
from truerecall.model.mode import Mode
from truerecall.model.run import Run
from truerecall.steps import score as step
from truerecall.steps.align import align
from truerecall.steps.latency import latency_of
from truerecall.steps.passes import answered_values, over_passes
from truerecall.steps.points import alike, in_points
from truerecall.steps.score import score_run, score_runs

TRUTH = truth_of([[0, 1], [10, 11], [20, 21]])
RIGHT = [[0, 1], [10, 11], [20, 21]]
RECALL = [MeasureName("recall", 2)]


def passes(*answers: list[list[int]], **changes: Any) -> list[Run]:
    return [run_of(own, k=2, repeat=place, **changes) for place, own in enumerate(answers)]


def judged(runs: list[Run], *names: str, **others: Any) -> Point:
    return score_runs(runs, TRUTH, measures=[MeasureName.parse(name) for name in names or ("recall@2",)], **others)


class TestWhichRunsAreOnePoint:
    def test_the_passes_in_their_order_whatever_order_they_came_in(self) -> None:
        first, second, third = passes(RIGHT, RIGHT, RIGHT)
        ((one, two, three),) = in_points([third, first, second])
        assert (one, two, three) == (first, second, third)

    @pytest.mark.parametrize(
        "change",
        [
            {"build_id": "b2"},
            {"asked": {"efSearch": 32}},
            {"mode": Mode("clients", 4)},
            {"mode": Mode("clients", 5)},
            {"warmup_calls": 0},
            {"engine_version": "2"},
            {"environment": {"processor": "another"}},
        ],
        ids=str,
    )
    def test_what_makes_another_point(self, change: dict[str, Any]) -> None:
        mode: dict[str, Any] = {"mode": Mode("clients", 4)} if change == {"mode": Mode("clients", 5)} else {}
        assert len(in_points([run_of(RIGHT, k=2, **mode), run_of(RIGHT, k=2, **change)])) == 2

    def test_the_second_build_of_the_same_bytes_is_another_point(self) -> None:
        run = run_of(RIGHT, k=2)
        again = replace(run, setup=replace(run.setup, build=replace(run.setup.build, number=1)))
        assert in_points([run, again]) == ((run,), (again,))

    def test_a_copy_of_a_run_counts_once_and_another_pass_of_the_same_number_does_not(self) -> None:
        run, copy = (run_of(RIGHT, k=2, latency_s=[0.1, 0.2, 0.3]) for _ in range(2))
        later = run_of(RIGHT, k=2, latency_s=[0.1, 0.2, 0.4])
        assert in_points([run, copy, later]) == ((run, later),)

    def test_runs_of_two_points_are_refused(self) -> None:
        with pytest.raises(InputError, match="2 runs are not the passes of one point"):
            judged([run_of(RIGHT, k=2), run_of(RIGHT, k=2, build_id="b2")])


class TestValues:
    def test_a_query_has_the_mean_over_passes(self) -> None:
        # 1, 1, 0 in the first pass and 1, 0.5, 0 in the second: 1, 0.75, 0.
        point = judged(passes([[0, 1], [10, 11], [98, 99]], [[0, 1], [10, 99], [98, 99]]))
        (score,) = point.scores
        assert score.per_query.values.tolist() == [1.0, 0.75, 0.0]
        assert (score.mean, score.n, len(point.runs)) == (1.75 / 3, 3, 2)

    def test_two_alike_weigh_twice_as_much_as_one(self) -> None:
        other = [[0, 99], [10, 11], [20, 21]]
        (score,) = judged(passes(RIGHT, other, RIGHT)).scores
        assert score.per_query.values.tolist() == [pytest.approx(2.5 / 3), 1.0, 1.0]

    def test_answers_that_repeat_are_scored_once_and_to_the_same_bits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        answers = [[0, 1], [10, 99], [98, 99]]
        (alone,) = score_run(run_of(answers, k=2), TRUTH, measures=RECALL).scores
        aligned = []

        def aligning(*given: Any, **options: Any) -> Answers:
            aligned.append(given)
            return align(*given, **options)

        monkeypatch.setattr(step, "align", aligning)
        (score,) = judged(passes(answers, answers, answers)).scores
        assert len(aligned) == 1
        assert (score.mean, score.ci95, score.per_query.values.tolist()) == (
            alone.mean,
            alone.ci95,
            alone.per_query.values.tolist(),
        )
        assert [times for _, times in alike(passes(answers, RIGHT, answers))] == [2, 1]

    def test_the_same_answers_in_another_order_of_queries_have_the_same_values(self) -> None:
        turned = run_of([[20, 21], [0, 99], [10, 11]], k=2, query_ids=[2, 0, 1], repeat=1)
        (score,) = judged([*passes([[0, 99], [10, 11], [20, 21]]), turned]).scores
        assert score.per_query.values.tolist() == [0.5, 1.0, 1.0]

    def test_a_query_that_failed_in_one_pass_alone(self) -> None:
        runs = passes(RIGHT, RIGHT)
        runs[1] = run_of([[], [10, 11], [20, 99]], k=2, repeat=1, failures=["timeout", "", ""])
        point = judged(runs)
        (score,) = point.scores
        # It counts 1 and then 0; of its answers alone it has 1. The third query has 1 and 0.5.
        assert score.per_query.values.tolist() == [0.5, 1.0, 0.75]
        assert (score.failed, score.mean) == (1, 0.75)
        assert score.answered_mean == pytest.approx(2.75 / 3)
        assert (point.latency.calls, point.latency.failed, point.latency.failed_share) == (5, 1, 1 / 6)

    def test_a_share_over_passes_that_differ_has_no_interval_of_whole_hits(self) -> None:
        (score,) = judged(passes(RIGHT, [[0, 1], [10, 11], [98, 99]]), "robustness@2(0.9)").scores
        assert score.mean == 2.5 / 3
        assert score.ci_method != "wilson"
        (alike,) = judged(passes(*[[[0, 1], [10, 11], [98, 99]]] * 2), "robustness@2(0.9)").scores
        assert (alike.mean, alike.ci_method) == (2 / 3, "wilson")

    @given(st.data())
    def test_as_a_slow_mean_over_passes_has_it(self, data: st.DataObject) -> None:
        queries, rounds = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 4))
        shares = st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.0])
        drawn = [
            [data.draw(st.tuples(shares, st.booleans(), st.booleans())) for _ in range(queries)] for _ in range(rounds)
        ]
        times = [data.draw(st.integers(1, 3)) for _ in range(rounds)]
        parts = [
            PerQuery(
                np.array([value if defined else 0.0 for value, defined, _ in row]),
                texts(["" if defined else "none" for _, defined, _ in row]),
            )
            for row in drawn
        ]
        failed = [np.array([lost for _, _, lost in row]) for row in drawn]
        found, answered = over_passes(parts, times), answered_values(parts, failed, times).tolist()
        expected = []
        for query in range(queries):
            seen = [(v, d, f) for row, n in zip(drawn, times, strict=True) for (v, d, f) in [row[query]] * n]
            values = [value for value, defined, _ in seen if defined]
            assert found.defined[query] == bool(values)
            assert found.values[query] == pytest.approx(sum(values) / len(values) if values else 0.0)
            kept = [value for value, defined, lost in seen if defined and not lost]
            expected += [sum(kept) / len(kept)] if kept else []
        assert answered == pytest.approx(expected)


class TestH26:
    """Recall does not hang on how many ask, nor on how they ask."""

    @pytest.mark.parametrize("mode", [Mode(), Mode("batch", 4), Mode("clients", 2), Mode("clients", 5)], ids=str)
    def test_any_mode_and_number_of_clients(self, mode: Mode) -> None:
        truth = truth_of([[10 * i, 10 * i + 1] for i in range(10)])
        arrival = np.random.default_rng(mode.size).permutation(10).tolist()
        call = [place // mode.size if mode.kind == "batch" else place for place in range(10)]
        run = run_of([[10 * i, 10 * i + 1] for i in arrival], k=2, query_ids=arrival, mode=mode, call=call)
        (score,) = score_runs([run], truth, measures=RECALL).scores
        assert (score.mean, score.n) == (1.0, 10)

    @pytest.mark.parametrize(("workers", "recall"), [(2, 0.5), (5, 0.2)])
    def test_workers_that_read_the_truth_from_row_0_are_caught(self, workers: int, recall: float) -> None:
        truth = truth_of([[10 * i, 10 * i + 1] for i in range(10)])
        shares = np.array_split(np.arange(10), workers)
        misread = [10 * place for share in shares for place in range(len(share))]
        run = run_of([[row, row + 1] for row in misread], k=2, mode=Mode("clients", workers))
        (score,) = score_runs([run], truth, measures=RECALL).scores
        assert score.mean == pytest.approx(recall)


class TestLatency:
    def latency(self, *seconds: list[float], **changes: Any) -> Latency:
        return latency_of([run_of([[0]] * len(own), k=1, latency_s=own, repeat=r, **changes)
                           for r, own in enumerate(seconds)])  # fmt: skip

    def test_percentiles_are_over_all_calls_and_each_pass_has_its_median(self) -> None:
        found = self.latency([0.1, 0.2, 0.3], [0.4, 0.5, 0.6])
        assert (found.calls, found.distinct_queries, found.p50_s) == (6, 3, 0.3)
        assert found.p50_by_pass_s == (0.2, 0.5)
        assert (found.warmup_calls, found.harness_s) == (200, 1e-7)
        assert found.answers_per_s == pytest.approx(6 / 2.1)
        assert found.withheld == {"p95_s": "needs 100 calls, has 6", "p99_s": "needs 1,000 calls, has 6"}

    def test_h28_one_query_ten_times_and_a_hundred_queries_once(self) -> None:
        once = self.latency(*[[0.01]] * 10)
        assert (once.calls, once.distinct_queries, once.p50_s, once.p95_s, once.p99_s) == (10, 1, 0.01, None, None)
        hundred = self.latency([i / 1000 for i in range(1, 101)])
        assert (hundred.calls, hundred.distinct_queries, hundred.warmup_calls) == (100, 100, 100)
        assert (hundred.p50_s, hundred.p95_s, hundred.p99_s) == (0.05, 0.095, None)
        assert hundred.withheld == {"p99_s": "needs 1,000 calls, has 100"}

    def test_h28_one_query_a_thousand_times_has_no_tail(self) -> None:
        one, twenty = self.latency(*[[0.01]] * 1000), self.latency(*[[0.01] * 20] * 50)
        assert (one.calls, one.distinct_queries, one.p95_s, one.p99_s) == (1000, 1, None, None)
        assert one.withheld["p95_s"] == "needs 20 distinct queries, has 1"
        assert (twenty.p95_s, twenty.withheld) == (0.01, {"p99_s": "needs 100 distinct queries, has 20"})

    def test_ten_passes_of_a_hundred_queries_support_a_p99(self) -> None:
        found = self.latency(*[[(100 * r + i) / 1000 for i in range(1, 101)] for r in range(10)])
        assert (found.calls, found.p99_s, found.withheld) == (1000, 0.99, {})

    def test_h27_three_good_ones_of_five(self) -> None:
        run = run_of([[0], [], [2], [], [9]], k=1, failures=["", "x", "", "x", ""], latency_s=[0.1, 9, 0.2, 9, 0.3])
        found = latency_of([replace(run, wall_s=1.0)])
        assert (found.answers_per_s, found.failed_share, found.calls, found.failed) == (3.0, 0.4, 3, 2)

    def test_h27_all_failed_is_a_rate_of_nothing(self) -> None:
        run = run_of([[]] * 60, k=1, failures=["refused"] * 60)
        found = latency_of([replace(run, wall_s=0.3608)])
        assert (found.answers_per_s, found.failed_share, found.p50_s, found.p50_by_pass_s) == (0.0, 1.0, None, ())
        assert latency_of([replace(run, wall_s=0.0)]).answers_per_s is None

    def test_a_batch_is_one_call(self) -> None:
        run = run_of([[0]] * 6, k=1, call=[0, 0, 0, 1, 1, 2], latency_s=[0.3, 0.3, 0.3, 0.1, 0.1, 0.2],
                     failures=["", "", "", "x", "x", ""], mode=Mode("batch", 3))  # fmt: skip
        found = latency_of([replace(run, wall_s=0.5)])
        assert (found.calls, found.failed, found.p50_s) == (2, 1, 0.2)
        assert (found.distinct_queries, found.answers_per_s) == (4, 8.0)

    @given(st.data())
    def test_as_a_slow_count_has_it(self, data: st.DataObject) -> None:
        runs, seconds, answered, lost = [], [], 0, 0
        for repeat in range(data.draw(st.integers(1, 3))):
            sizes = data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=5))
            took = [data.draw(st.sampled_from([0.1, 0.2, 0.5])) for _ in sizes]
            bad = [data.draw(st.booleans()) for _ in sizes]
            call = [c for c, size in enumerate(sizes) for _ in range(size)]
            runs.append(run_of([[0]] * len(call), k=1, call=call, latency_s=[took[c] for c in call],
                               failures=["x" if bad[c] else "" for c in call], repeat=repeat))  # fmt: skip
            seconds += [s for s, failed in zip(took, bad, strict=True) if not failed]
            answered += sum(size for size, failed in zip(sizes, bad, strict=True) if not failed)
            lost += sum(bad)
        found = latency_of(runs)
        assert (found.calls, found.failed) == (len(seconds), lost)
        assert found.p50_s == (sorted(seconds)[(len(seconds) - 1) // 2] if seconds else None)
        assert found.answers_per_s == pytest.approx(answered / sum(run.wall_s for run in runs))


class TestChecks:
    def test_a_later_pass_that_failed_withholds_the_number(self) -> None:
        dead = run_of([[], [], []], k=2, repeat=1, failures=["refused"] * 3)
        for order in ((0, 1), (1, 0)):
            runs = [replace(own, setup=replace(own.setup, repeat=order[i])) for i, own in enumerate(passes(RIGHT))]
            point = judged([*runs, replace(dead, setup=replace(dead.setup, repeat=order[1]))])
            said = {finding.code: finding for finding in point.findings}
            assert (point.scores, said["failed-queries"].severity) == ((), "invalid")
            assert "3 of 3 queries failed (first: refused)" in said["failed-queries"].message

    def test_what_a_later_pass_alone_shows_is_told_with_its_pass(self) -> None:
        short = run_of([[0], [10, 11], [20, 21]], k=2, repeat=1)
        (finding,) = [own for own in judged([*passes(RIGHT), short]).findings if own.code == "short-answers"]
        assert finding.message.startswith("in pass 2 of 2: 1 of 3 queries returned 1 of 2")

    def test_an_index_that_a_later_pass_went_past_withholds_the_number(self) -> None:
        first, second = passes(RIGHT, RIGHT)
        scan = replace(second.setup.state, path="full scan", exact_by_design=False)
        point = judged([first, replace(second, setup=replace(second.setup, state=scan))])
        assert point.verdict == "invalid"
        assert any(own.message.startswith("in pass 2 of 2: no approximate index") for own in point.findings)

    def test_a_doubt_of_the_first_pass_is_told_once(self) -> None:
        short = [[0], [10, 11], [20, 21]]
        (finding,) = [own for own in judged(passes(short, short)).findings if own.code == "short-answers"]
        assert finding.message.startswith("1 of 3 queries returned 1 of 2")
