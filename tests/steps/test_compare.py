"""Comparing runs: right values, what may be compared, what is undecided, builds, and latency at equal recall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.nouns import CORPUS, run_of, truth_of
from truerecall.errors import NotAMeasurement
from truerecall.model.arrays import texts
from truerecall.model.comparison import Comparison, Difference, Entrant, Pass, Side
from truerecall.model.groups import UNGROUPED
from truerecall.model.measure import PerQuery
from truerecall.model.measure_name import MeasureName
from truerecall.model.mode import Mode
from truerecall.model.run import Run
from truerecall.steps.compare import compare_runs, compare_sides

A, B = [1, 0.9, 0.8, 1, 0.7], [1, 0.8, 0.8, 0.9, 0.7]
MACHINE = {
    "processor": "Test CPU", "cores_usable": 4, "cores_logical": 4, "memory_bytes": 2**33, "platform": "Linux",
    "cpu_governor": None, "during": {"others_busy_cores": 0.1, "load_average": 1.0},
}  # fmt: skip


def recalls(values: Sequence[float], *, k: int = 10, search: Any = None, build: Any = None, **others: Any) -> Run:
    """A run in which query q finds so many of its true neighbours 100 q .. 100 q + 9."""
    found = [[100 * q + i if i < round(v * k) else 10**6 + i for i in range(k)] for q, v in enumerate(values)]
    run = run_of(found, k=k, in_force=search or {"efSearch": 16}, **others)
    settings = {"M": 16, **(build or {})}
    return replace(
        run, setup=replace(run.setup, build=replace(run.setup.build, settings=settings)), environment=MACHINE
    )


def truth(n: int, k: int = 10) -> Any:
    return truth_of([[100 * q + i for i in range(k)] for q in range(n)])


def compared(first: Run | list[Run], second: Run | list[Run], **others: Any) -> Comparison:
    one, other = ([own] if isinstance(own, Run) else own for own in (first, second))
    return compare_runs(one, other, truth(len(one[0])), measure=MeasureName("recall", 10), **others)


def only(comparison: Comparison) -> Difference:
    (difference,) = comparison.differences
    return difference


def noisy(n: int, mean: float, seed: int) -> list[float]:
    return [hits / 10 for hits in np.random.default_rng(seed).binomial(10, mean, n).tolist()]


def test_right_values_of_a_pair() -> None:
    found = only(compared(recalls(B), recalls(A, build={"M": 32})))
    assert found.difference == pytest.approx(0.04)
    assert found.standard_error == pytest.approx(0.024, abs=5e-4)
    assert found.unpaired_error == pytest.approx(0.077, abs=5e-4)
    assert (found.n, found.higher, found.lower, found.same) == (5, 2, 0, 3)
    assert (found.word, found.smallest_p) == ("undecided", 0.0625)
    assert not compared(recalls(B), recalls(A)).decided


def test_a_clear_difference_is_shown_either_way() -> None:
    low, high = recalls(noisy(200, 0.8, 1)), recalls(noisy(200, 0.9, 2), build={"M": 32})
    up, down = only(compared(low, high)), only(compared(high, low))
    assert (up.word, down.word) == ("higher", "lower")
    assert up.ci95 is not None
    assert down.ci95 is not None
    assert 0 < up.ci95[0] < up.difference < up.ci95[1]
    assert down.difference == -up.difference
    assert up.claim == "this index"


def test_chance_is_not_shown_and_the_same_is_the_same() -> None:
    one = recalls(noisy(200, 0.9, 1))
    assert only(compared(one, recalls(noisy(200, 0.9, 2)))).word == "not shown"
    same = only(compared(one, one))
    assert (same.word, same.p, same.difference) == ("same", 1.0, 0.0)
    assert same.ci95 == pytest.approx((-0.015, 0.015))


def test_one_thing_or_two_that_changed() -> None:
    one, other = recalls(A), recalls(B, build={"M": 32}, search={"efSearch": 32})
    assert [str(change) for change in compared(one, recalls(B, build={"M": 32})).changes] == ["M (16 → 32)"]
    both = compared(one, other)
    assert [change.fact for change in both.changes] == ["M", "efSearch"]
    told = {finding.code: finding for finding in both.own_findings}
    assert told["two-things-changed"].message == "2 things changed: no difference can be laid to one of them"
    assert compared(one, recalls(B)).changes == ()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"corpus": replace(CORPUS, rows=990)}, r"two things changed: M \(16 → 32\) and the corpus \(1,000 × 8"),
        ({"distance": "ip"}, r"two things changed: M \(16 → 32\) and the distance \(l2 → ip\)"),
        ({"k": 5}, r"two things changed: M \(16 → 32\) and k \(10 → 5\); measure both sides with the same k"),
        ({"k": 5, "distance": "ip"}, r"three things changed: M \(16 → 32\), the distance \(l2 → ip\) and k"),
    ],
)
def test_other_subjects_are_refused_and_everything_is_named(changes: dict[str, Any], words: str) -> None:
    other = recalls(B, build={"M": 32})
    with pytest.raises(NotAMeasurement, match=words):
        compared(recalls(A), replace(other, setup=replace(other.setup, **changes)))


def test_a_run_without_a_valid_score_is_refused() -> None:
    failed = run_of([[]] * 5, k=10, failures=["refused"] * 5)
    with pytest.raises(NotAMeasurement, match="B at efSearch=16 has no valid recall@10"):
        compared(recalls(A), failed)


def test_holm_over_settings_and_settings_of_one_side_alone() -> None:
    first = [recalls(noisy(50, 0.8, ef), search={"efSearch": ef}) for ef in (8, 16, 32)]
    second = [recalls(noisy(50, 0.86, 9 * ef), search={"efSearch": ef}, build={"M": 32}) for ef in (8, 16, 64)]
    found = compared(first, second)
    assert {own.setting for own in found.differences} == {"efSearch=8", "efSearch=16"}
    assert found.differences[0].first.mean <= found.differences[1].first.mean
    for own in found.differences:
        assert own.p <= own.p_holm <= 2 * own.p
    assert max(own.p_holm for own in found.differences) >= max(own.p for own in found.differences)
    assert any("one side alone are not compared: efSearch=32; efSearch=64" in note for note in found.notes)


def test_many_settings_can_make_a_test_undecided() -> None:
    first = [recalls([0.5] * 6, search={"efSearch": ef}) for ef in (8, 16)]
    second = [recalls([0.9] * 6, search={"efSearch": ef}, build={"M": 32}) for ef in (8, 16)]
    assert only(compared(first[0], second[0])).word == "higher"
    assert {own.word for own in compared(first, second).differences} == {"undecided"}


def test_no_setting_in_common() -> None:
    first = [recalls(A, search={"efSearch": ef}) for ef in (8, 16)]
    second = [recalls(B, search={"nprobe": n}) for n in (1, 2)]
    with pytest.raises(NotAMeasurement, match="A and B have no setting in common, and latencies do not compare"):
        compared(first, [replace(run, environment={}) for run in second])


def test_h23_within_the_spread_of_builds() -> None:
    hardness = np.random.default_rng(0).normal(0, 0.1, 500)
    values = [mean + hardness - hardness.mean() for mean in (0.973862, 0.972478, 0.972676, 0.9737)]
    passes = [Pass(f"b{place}", PerQuery(own, texts([""] * 500))) for place, own in enumerate(values)]
    facts = dict.fromkeys(("distance", "corpus", "queries", "k"), ("same",))
    m16 = Side("m=16", {**facts, "M": ("16",)}, (Entrant("hnsw", "ef=64", tuple(passes[:3])),))
    m32 = Side("m=32", {**facts, "M": ("32",)}, (Entrant("hnsw", "ef=64", tuple(passes[3:])),))
    found = compare_sides(m16, m32, measure="recall@10", groups=UNGROUPED)
    own = only(found)
    assert own.first.mean == pytest.approx(0.973005, abs=5e-7)
    assert own.first.count == 3
    assert own.first.sd == pytest.approx(0.000748, abs=5e-7)
    assert (own.second.sd, own.second.count) == (None, 1)
    assert own.difference == pytest.approx(0.0007, abs=5e-5)
    assert (own.word, own.within_builds, own.claim) == ("not shown", True, "the method")
    assert any("taken from the other side" in note for note in found.notes)


def test_several_builds_make_it_a_claim_about_the_method() -> None:
    first = [recalls(noisy(300, 0.80, s), build_id=f"a{s}") for s in range(4)]
    second = [recalls(noisy(300, 0.90, 50 + s), build_id=f"b{s}", build={"M": 32}) for s in range(4)]
    own = only(compared(first, second))
    assert (own.claim, own.word, own.ci_method) == ("the method", "higher", "t-queries-and-builds")
    assert (own.first.count, own.second.count) == (4, 4)
    twice = only(compared([first[0], first[0]], [second[0]]))
    assert (twice.claim, twice.first.count) == ("this index", 1)


def test_clusters_leave_less_to_say() -> None:
    first, second = noisy(40, 0.8, 1), noisy(40, 0.86, 2)
    one, other = recalls(np.repeat(first, 5).tolist()), recalls(np.repeat(second, 5).tolist(), build={"M": 32})
    alone, whole = only(compared(one, other)), only(compared(one, other, clusters=np.repeat(np.arange(40), 5)))
    assert alone.p < whole.p
    assert whole.standard_error == pytest.approx(only(compared(recalls(first), recalls(second))).standard_error)
    few = only(compared(one, other, clusters=np.repeat(np.arange(5), 40)))
    assert few.word == "undecided"


def curve(scale: float, shift: float, **machine: Any) -> list[Run]:
    return [
        replace(
            recalls([level + shift] * 20, search={"efSearch": ef}, latency_s=[scale * ef * 1e-5] * 20),
            environment={**MACHINE, **machine},
        )
        for ef, level in ((10, 0.5), (20, 0.6), (40, 0.7), (80, 0.8))
    ]


def test_latency_is_compared_at_equal_recall() -> None:
    found = compared(curve(1, 0), curve(1, 0.1))
    assert found.no_latency == ""
    # The second side reaches each recall with half the effort.
    assert [row.quality for row in found.equal_quality] == pytest.approx([0.6, 0.7, 0.8])
    assert [row.ratio for row in found.equal_quality] == pytest.approx([0.5, 0.5, 0.5])
    between = compared(curve(1, 0), curve(3, 0)).equal_quality
    assert [row.ratio for row in between] == pytest.approx([3.0] * 4)


@pytest.mark.parametrize(
    ("machine", "words"),
    [
        ({"processor": "Other CPU"}, "they were not measured alike: processor Test CPU and Other CPU"),
        ({"memory_bytes": 2**30}, "they were not measured alike: memory bytes 8589934592 and 1073741824"),
        ({"during": {"others_busy_cores": 2.2}}, "other programs kept 2.2 of 4 cores busy while B was measured"),
        ({"during": {}}, "nobody knows how busy the machine was while B was measured"),
    ],
)
def test_latency_is_not_compared_where_machine_or_load_forbid(machine: dict[str, Any], words: str) -> None:
    found = compared(curve(1, 0), curve(1, 0.1, **machine))
    assert (found.no_latency, found.equal_quality) == (words, ())
    assert found.differences


def test_latency_needs_curves_that_meet() -> None:
    assert "one point is no curve" in compared(recalls(A), recalls(B)).no_latency
    assert compared(curve(1, -0.4), curve(1, 0.2)).no_latency == "the curves reach no quality in common"
    assert (
        "nobody knows on which machine"
        in compared(
            [replace(run, environment={}) for run in curve(1, 0)], [replace(run, environment={}) for run in curve(1, 0)]
        ).no_latency
    )


def test_one_seed_one_comparison() -> None:
    one, other = recalls(noisy(100, 0.8, 1)), recalls(noisy(100, 0.84, 2))
    first, again, elsewhere = (only(compared(one, other, seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != elsewhere
    assert first.difference == elsewhere.difference


def test_the_checks_look_at_every_comparison() -> None:
    found = compared(curve(1, 0), curve(1, 0.1))
    told = {finding.code: finding.severity for finding in found.own_findings}
    assert told == {
        "claim-on-one-build": "warning", "claim-on-one-pass": "warning", "claim-in-closed-loop": "warning",
    }  # fmt: skip
    assert {outcome.code for outcome in found.checks if outcome.outcome == "passed"} >= {
        "two-things-changed", "unequal-recall", "best-of-many", "inside-the-noise", "other-machine",
    }  # fmt: skip


def test_passes_of_one_point_are_one_point() -> None:
    repeated = [
        replace(run, setup=replace(run.setup, repeat=repeat), wall_s=repeat) for run in curve(1, 0) for repeat in (0, 1)
    ]
    found = compared(repeated, repeated)
    assert [own.n for own in found.differences] == [20] * 4
    assert "claim-on-one-pass" not in {finding.code for finding in found.own_findings}


def test_modes_are_a_change_and_their_latencies_do_not_compare() -> None:
    one = curve(1, 0)
    batched = [replace(run, setup=replace(run.setup, mode=Mode("batch", 64))) for run in one]
    found = compared(one, batched)
    assert [str(change) for change in found.changes] == ["mode (one-by-one → batch:64)"]
    assert [own.word for own in found.differences] == ["same"] * 4
    assert "not measured alike: mode one-by-one and batch:64" in found.no_latency
    both = compared([*one, *batched], [*one, *batched])
    assert [own.setting for own in both.differences][:2] == ["efSearch=10, batch:64", "efSearch=10, one-by-one"]
    assert "batch:64, one-by-one" in both.no_latency


def test_a_faster_and_worse_side_is_told() -> None:
    slow, fast = (
        replace(recalls(noisy(200, mean, 1), build={"M": m}, latency_s=[seconds] * 200), environment=MACHINE)
        for mean, m, seconds in ((0.9, 32, 0.002), (0.6, 8, 0.001))
    )
    told = {finding.code: finding for finding in compared(slow, fast).own_findings}
    assert "a call of B takes 0.50 times what one of A takes" in told["unequal-recall"].message


def test_a_setting_that_one_side_has_in_two_modes_is_compared_in_that_of_the_other() -> None:
    batch = recalls(B)
    batch = replace(batch, setup=replace(batch.setup, mode=Mode("batch", 8)))
    found = compared(recalls(A), [recalls(B), batch])
    assert [own.setting for own in found.differences] == ["efSearch=16, one-by-one"]
    assert any("efSearch=16, batch:8" in note for note in found.notes)


def test_nothing_of_a_build_that_was_measured_in_two_ways_is_dropped() -> None:
    warm, cold = recalls(A), recalls(B)
    cold = replace(cold, setup=replace(cold.setup, warmup_calls=0))
    found = compared([warm, cold], [warm, cold])
    assert [own.setting for own in found.differences] == [
        "efSearch=16, 0 warm-up calls", f"efSearch=16, {warm.setup.warmup_calls} warm-up calls",
    ]  # fmt: skip
    assert "not measured alike: warmup calls" in found.no_latency


def test_all_passes_of_a_build_and_all_its_like_builds_count() -> None:
    def passes(number: int) -> list[Run]:
        def made(run: Run, repeat: int) -> Run:
            build = replace(run.setup.build, number=number)
            return replace(run, setup=replace(run.setup, repeat=repeat, build=build))

        return [made(recalls(A), 0), made(recalls(B), 1)]

    found = only(compared([*passes(0), *passes(1)], passes(0)))
    assert (found.first.count, found.second.count) == (2, 1)
    assert found.first.mean == found.second.mean == pytest.approx((np.mean(A) + np.mean(B)) / 2)
