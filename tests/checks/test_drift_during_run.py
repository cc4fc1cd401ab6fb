"""drift-during-run: latency that hangs on when it was measured, told from noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.nouns import run_of
from truerecall.checks.drift_during_run import check
from truerecall.model.arrays import texts
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding
from truerecall.model.run import Run

N = 300


def times(seed: int, level: float = 1.0, growth: float = 1.0, n: int = N) -> Any:
    """Log-normal times of about ``level`` ms, that grow by so much from the first to the last call."""
    noise = np.random.default_rng(seed).lognormal(0, 0.3, n)
    return 1e-3 * level * noise * growth ** np.linspace(0, 1, n)


def passes(*own: Any) -> dict[str, tuple[Run, ...]]:
    return {
        "runs": tuple(run_of([[1]] * len(seconds), k=1, latency_s=seconds, repeat=i) for i, seconds in enumerate(own))
    }


def burst(seed: int) -> Any:
    """Noise in which another program slows down 60 neighbouring calls fourfold."""
    seconds = times(seed)
    seconds[100 + 10 * seed : 160 + 10 * seed] *= 4
    return seconds


FIRES = {
    "within one pass": passes(times(0, growth=4)),
    "within every pass": passes(*(times(seed, growth=4) for seed in range(3))),
    "it gets faster": passes(times(0, growth=0.2)),
    "by half, every time": passes(*(times(seed, growth=2.3) for seed in range(3))),
    "over passes": passes(times(0), times(1, 1.6), times(2, 2.5)),
}
STAYS_QUIET = {
    "noise": passes(*(times(seed) for seed in range(3))),
    "bursts of another program": passes(*(burst(seed) for seed in range(3))),
    "a small drift": passes(times(0, growth=1.4)),
    "less than a doubling, once": passes(times(0, growth=2.2)),
    "one pass of three drifts": passes(times(0), times(1, growth=4), times(2)),
    "the middle pass is slow": passes(times(0), times(1, 3.0), times(2)),
}


@pytest.mark.parametrize(
    ("name", "severity", "words"),
    [
        ("within every pass", "warning", "the last third of the calls of a pass takes 2."),
        ("by half, every time", "note", "the last third of the calls of a pass takes 1."),
        ("over passes", "warning", "the same queries take 2."),
        ("it gets faster", "warning", "the last third of the calls of a pass takes 0.3"),
    ],
)
def test_it_says_how_much(name: str, severity: str, words: str) -> None:
    finding = check.examine(**FIRES[name])
    assert isinstance(finding, Finding)
    assert (finding.severity, finding.message.startswith(words)) == (severity, True), finding.message


@pytest.mark.parametrize("seed", range(20))
def test_noise_never_fires(seed: int) -> None:
    assert check.examine(**passes(*(times(10 * seed + own) for own in range(3)))) is None


def test_calls_count_in_the_order_in_which_they_began() -> None:
    seconds = times(0, growth=4)
    order = np.random.default_rng(9).permutation(N)
    shuffled = run_of([[1]] * N, k=1, latency_s=seconds[order], call=order.tolist())
    assert isinstance(check.examine([shuffled]), Finding)
    assert check.examine([replace(shuffled, call=np.arange(N))]) is None


def test_a_batch_is_one_call_and_a_failure_none() -> None:
    seconds: Sequence[float] = np.repeat(times(0, n=10), 30).tolist()
    batched = run_of([[1]] * N, k=1, latency_s=seconds, call=np.repeat(np.arange(10), 30).tolist())
    assert isinstance(check.examine([batched]), CannotTell)
    failing = run_of([[1]] * N, k=1, failures=["closed"] * 280 + [""] * 20)
    assert isinstance(check.examine([failing]), CannotTell)


def test_a_clock_that_reads_zero_and_passes_that_share_no_answer_are_survived() -> None:
    finding = check.examine(**passes(times(0), np.zeros(N)))
    assert isinstance(finding, Finding)
    assert finding.severity == "warning"
    assert check.examine(**passes(np.zeros(N), np.zeros(N))) is None
    half = [["", "lost"][query % 2] for query in range(N)]
    one, other = passes(times(0), times(1))["runs"]
    one, other = (replace(run, failures=texts(own)) for run, own in ((one, half), (other, half[1:] + half[:1])))
    assert check.examine((one, other)) is None
