"""int8-out-of-range: real numbers beyond what an int8 index expects (H10, see also)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.nouns import CORPUS, run_of
from tests.shapes import corpus_shape, estimate
from truerecall.checks.int8_out_of_range import check
from truerecall.model.check import CannotTell
from truerecall.model.engine import IndexState
from truerecall.model.finding import Finding
from truerecall.model.judged import Rival
from truerecall.model.shape import Lengths
from truerecall.model.source import ArraySource
from truerecall.shelf import engines


def case(
    longest: float,
    *,
    spread: float = 0.1,
    transform: str = "cast from float32 to int8",
    dtype: str = "float32",
    distance: str = "l2",
) -> dict[str, Any]:
    """Rows of 16 dimensions."""
    state = IndexState("usearch", 1000, 1000, None, transform, None, False)
    run = run_of([[1]], k=1, state=state, corpus=replace(CORPUS, dtype=dtype), distance=distance)
    lengths = Lengths(np.array([0.5, longest]), longest == 0.5, False, estimate(0.5))
    return {"run": run, "corpus_shape": corpus_shape(lengths=lengths, spread=np.full(16, spread))}


SCALED = "cast from float32 to int8, each vector scaled to a length of 127"
COSINE = Rival("cosine", "search by l2", 0.95, 0.69)


def tried(*rivals: Rival, distance: str = "l2") -> dict[str, Any]:
    """An index that scales, of rows that nobody looked at; what was tried is known."""
    return {"run": case(1.0, transform=SCALED, distance=distance)["run"], "rivals": rivals}


FIRES = {
    "lengths are lost": case(1.0, transform=SCALED),
    "lengths are lost, by the answers": tried(COSINE),
    "too long": case(4.1),
    "too wide": case(3.0, spread=1.1),
    "by its short name": case(9.0, transform="i8"),
}
STAYS_QUIET = {
    "scaled, of one length": case(0.5, transform=SCALED),
    "scaled, under cosine": case(9.0, transform=SCALED, distance="cosine"),
    "scaled, and nothing fits better": tried(),
    "scaled, and something else fits": tried(Rival("ids that are raised by 1", "mend", 1.0, 0.2)),
    "no row is longer than one": case(1.0),
    "float32": case(9.0, transform="none"),
    "whole numbers": case(9.0, dtype="int8"),
    "brought to length one": case(9.0, transform="normalised, cast to int8"),
    "a name that holds it": case(9.0, transform="uint8i8x"),
}


def test_it_says_how_large_they_are() -> None:
    finding = check.examine(**FIRES["too long"])
    assert isinstance(finding, Finding)
    assert finding.severity == "warning"
    assert "rows of float32 are up to 4.1 long in 16 dimensions" in finding.message


def test_a_build_setting_may_name_it() -> None:
    run = run_of([[1]], k=1)
    build = replace(run.setup.build, settings={"dtype": "i8"})
    run = replace(run, setup=replace(run.setup, build=build))
    assert isinstance(check.examine(run, case(9.0)["corpus_shape"]), Finding)


@pytest.mark.parametrize("longest", [1.5, 4.0])
def test_between_the_two_it_cannot_tell(longest: float) -> None:
    assert isinstance(check.examine(**case(longest)), CannotTell)


def test_without_an_inspection_it_cannot_tell() -> None:
    assert isinstance(check.examine(case(9.0)["run"]), CannotTell)
    assert isinstance(check.examine(case(9.0, transform=SCALED)["run"]), CannotTell)


def test_lost_lengths_are_told_with_what_showed_it() -> None:
    seen, answered = (check.examine(**FIRES[name]) for name in list(FIRES)[:2])
    assert isinstance(seen, Finding)
    assert isinstance(answered, Finding)
    assert "rows are 0.5 to 1 long: what l2 hangs on is lost" in seen.message
    assert "the answers fit cosine (0.950) better than l2 (0.690): what l2 hangs on is lost" in answered.message


def test_usearch_says_it_in_these_words() -> None:
    rows = np.arange(1, 41, dtype=np.float32).reshape(10, 4)
    engine = engines.get("usearch")
    index = engine.build(ArraySource(rows, "rows"), "l2", {"dtype": "i8"}, seed=0, threads=1)
    assert index.state().transform == SCALED
