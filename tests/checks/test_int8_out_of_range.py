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
from truerecall.model.shape import Lengths


def case(
    longest: float, *, spread: float = 0.1, transform: str = "cast from float32 to int8", dtype: str = "float32"
) -> dict[str, Any]:
    """Rows of 16 dimensions."""
    state = IndexState("usearch", 1000, 1000, None, transform, None, False)
    run = run_of([[1]], k=1, state=state, corpus=replace(CORPUS, dtype=dtype))
    lengths = Lengths(np.array([0.5, longest]), False, False, estimate(0.5))
    return {"run": run, "corpus_shape": corpus_shape(lengths=lengths, spread=np.full(16, spread))}


FIRES = {"too long": case(4.1), "too wide": case(3.0, spread=1.1), "by its short name": case(9.0, transform="i8")}
STAYS_QUIET = {
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
