"""Answers bound to a truth, for tests of what is found in them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.nouns import Lists, truth_of
from truerecall.model.returned import Returned
from truerecall.model.truth import GroundTruth
from truerecall.steps.bind_answers import bind_answers
from truerecall.steps.given_answers import as_lists


def bound(found: Any, truth: GroundTruth | Lists, **others: Any) -> Returned:
    judged_by = truth if isinstance(truth, GroundTruth) else truth_of(truth)
    return bind_answers(as_lists(found, "the answers"), judged_by, name="the answers", **others)


def matrix(rows: Lists) -> Any:
    return np.array(rows, np.int64)
