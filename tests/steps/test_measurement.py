"""The whole measurement as a step of the library: what the command line gives, without files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.steps.test_run import CORPUS, PLAN, QUERIES
from truerecall.errors import InputError, StaleTruth
from truerecall.steps.measurement import Inputs, measure
from truerecall.steps.truth import build_truth
from truerecall.store.truths import content_digest

INPUTS = Inputs(CORPUS, QUERIES)


def test_the_truth_is_built_and_found_again_and_the_runs_are_judged(tmp_path: Path) -> None:
    curves, truth = measure(PLAN, INPUTS, tmp_path / "runs", isolation="none")
    assert content_digest(truth) == content_digest(build_truth(CORPUS, QUERIES, PLAN.distance, PLAN.k))
    assert (tmp_path / "runs" / "truth.parquet").exists()
    assert {own.measure for own in curves} == {f"recall@{PLAN.k}"}
    again, _ = measure(PLAN, INPUTS, str(tmp_path / "runs"), isolation="none")
    before, after = ([point.score(own.measure) for own in made for point in own.points] for made in (curves, again))
    assert [score and score.mean for score in before] == [score and score.mean for score in after]
    assert [own.build_id for own in curves] == [own.build_id for own in again]


def test_a_given_truth_is_taken_and_called_by_its_name(tmp_path: Path) -> None:
    truth = build_truth(CORPUS, QUERIES, PLAN.distance, PLAN.k)
    _, used = measure(PLAN, replace(INPUTS, truth=truth), tmp_path / "runs", isolation="none")
    assert used is truth
    assert not (tmp_path / "runs" / "truth.parquet").exists()
    other = replace(truth, corpus=replace(truth.corpus, digest="another"))
    for given, called in (
        (replace(INPUTS, truth=other), "the truth"),
        (replace(INPUTS, truth=other, truth_name="T"), "T"),
    ):
        with pytest.raises(StaleTruth, match=f"^{called}"):
            measure(PLAN, given, tmp_path / "others", isolation="none")


def test_the_plan_is_looked_over_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="k is 9"):
        measure(replace(PLAN, k=9_000_000), INPUTS, tmp_path / "runs", isolation="none")
    assert not list(tmp_path.iterdir())
