"""The runner: every check answers, and what could not be checked never reads as a pass."""

from __future__ import annotations

import numpy as np

from tests.nouns import answers_of, run_of, truth_of
from tests.shapes import corpus_shape
from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.shelf import checks
from truerecall.steps.check import examine, outcome_of


class Undecided:
    title = "nothing"

    def examine(self, run: object, extra: object = "absent") -> CannotTell:
        return CannotTell(f"run {run}, extra {extra}")


def test_a_check_that_misses_some_of_its_evidence_cannot_tell_and_names_what_it_needs() -> None:
    outcomes = {o.code: o for o in examine({"answers": answers_of([[1, 2]], [[1, 2]])})}
    assert outcomes["short-answers"].outcome == "cannot tell"
    assert outcomes["short-answers"].reason == "needs asked_k"


def test_checks_about_other_things_are_not_asked() -> None:
    assert examine({}) == ()
    of_a_run = {o.code for o in examine({"answers": answers_of([[1, 2]], [[1, 2]])})}
    of_vectors = {o.code for o in examine({"corpus_shape": corpus_shape()})}
    assert {"short-answers", "failed-queries"} <= of_a_run
    assert {"hubs", "structureless"} <= of_vectors
    assert not of_a_run & of_vectors
    assert of_a_run | of_vectors < {code_of(name) for name in checks.names()}


def test_a_check_may_say_itself_that_it_cannot_tell() -> None:
    outcome = outcome_of("x", Undecided(), {"run": 1})
    assert (outcome.outcome, outcome.reason, outcome.finding) == ("cannot tell", "run 1, extra absent", None)
    assert outcome_of("x", Undecided(), {"run": 1, "extra": 2}).reason == "run 1, extra 2"
    assert outcome_of("x", Undecided(), {"extra": 2}).reason == "needs run"


def test_each_check_gets_only_what_it_asks_for() -> None:
    evidence = {
        "run": run_of([[1, 2]], k=2, exact=True),
        "truth": truth_of([[1, 2]]),
        "copies": np.array([0]),
        "answers": answers_of([[1, 2]], [[1, 2]]),
        "asked_k": 2,
        "something else": None,
    }
    outcomes = {o.code: o for o in examine(evidence)}
    assert outcomes["exact-by-design"].outcome == "fired"
    assert isinstance(outcomes["exact-by-design"].finding, Finding)
    assert outcomes["short-answers"].outcome == "passed"
    assert outcomes["queries-in-corpus"].outcome == "passed"
