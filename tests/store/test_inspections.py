"""What was said of vectors, kept and found again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from truerecall.errors import FormatError
from truerecall.model.distance import distance_named
from truerecall.model.finding import CheckOutcome, Finding
from truerecall.model.inspected import Inspected
from truerecall.model.shape import Inspection
from truerecall.model.source import ArraySource
from truerecall.model.subject import Subject
from truerecall.model.vectors import Corpus, Fingerprint, QuerySet
from truerecall.steps import inspected as step
from truerecall.steps.identify import identify
from truerecall.steps.inspect import inspect
from truerecall.steps.inspected import find_or_inspect
from truerecall.store.inspections import inspection_in, load_inspection, save_inspection

SUBJECT = Subject("l2", Fingerprint("aa", 5, 3, "float32", "row"), Fingerprint("bb", 2, 3, "float32", "row"))
EVIDENCE = {"share": np.float64(0.5), "sizes": np.array([3, 2]), "interval": (0.1, None), "n": np.int64(2**60)}
OUTCOMES = (
    CheckOutcome("duplicate-rows", "fired", Finding("duplicate-rows", "warning", "seen ✓", "mend", EVIDENCE)),
    CheckOutcome("hubs", "passed"),
    CheckOutcome("query-shift", "cannot tell", reason="it needs 20 queries"),
)
KEPT = Inspected(SUBJECT, 10, 0, OUTCOMES, ("every row was read",))


def test_what_is_loaded_is_what_was_saved(tmp_path: Path) -> None:
    path = save_inspection(KEPT, tmp_path)
    loaded = load_inspection(path)
    assert replace(loaded, outcomes=()) == replace(KEPT, outcomes=())
    assert loaded.outcomes[1:] == OUTCOMES[1:]
    found, expected = loaded.outcomes[0].finding, OUTCOMES[0].finding
    assert found is not None
    assert expected is not None
    assert (found.severity, found.message, found.remedy) == ("warning", "seen ✓", "mend")
    assert found.evidence == {"share": 0.5, "sizes": [3, 2], "interval": [0.1, None], "n": str(2**60)}
    assert load_inspection(save_inspection(loaded, tmp_path / "again")) == loaded


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, True),
        ({"distance": "cosine"}, False),
        ({"corpus": replace(SUBJECT.corpus, digest="cc")}, False),
        ({"queries": replace(SUBJECT.queries, rows=3)}, False),
        ({"model": "m1"}, True),
    ],
    ids=str,
)
def test_it_is_found_by_what_it_is_about(change: dict[str, Any], found: bool, tmp_path: Path) -> None:
    save_inspection(KEPT, tmp_path)
    own = inspection_in(tmp_path, replace(SUBJECT, **change), 10)
    assert (own is not None) == found
    assert inspection_in(tmp_path, SUBJECT, 11) is None


def test_two_depths_lie_side_by_side_and_the_same_one_is_replaced(tmp_path: Path) -> None:
    first = save_inspection(KEPT, tmp_path)
    assert save_inspection(replace(KEPT, outcomes=()), tmp_path) == first
    assert save_inspection(replace(KEPT, k=3), tmp_path) != first
    assert inspection_in(tmp_path, SUBJECT, 10) == replace(KEPT, outcomes=())


def test_a_damaged_one_is_refused(tmp_path: Path) -> None:
    path = save_inspection(KEPT, tmp_path)
    spoilt = bytearray(path.read_bytes())
    spoilt[40] ^= 1
    path.write_bytes(bytes(spoilt))
    with pytest.raises(FormatError, match="is damaged"):
        inspection_in(tmp_path, SUBJECT, 10)


def test_vectors_are_looked_at_once_and_checks_of_the_truth_are_left_to_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = np.repeat(np.random.default_rng(0).normal(size=(40, 4)), 2, axis=0).astype(np.float32)
    corpus, queries = Corpus(ArraySource(rows)), QuerySet(rows[:30:2])
    subject = identify(corpus, queries, distance_named("l2")).subject(distance_named("l2"))
    looked = []

    def looking(*given: Any, **options: Any) -> Inspection:
        looked.append(given)
        return inspect(*given, **options)

    monkeypatch.setattr(step, "inspect", looking)
    first = find_or_inspect(corpus, queries, subject, 5, tmp_path)
    again = find_or_inspect(corpus, queries, subject, 5, tmp_path)
    assert len(looked) == 1
    assert [(own.code, own.outcome) for own in again.outcomes] == [(own.code, own.outcome) for own in first.outcomes]
    fired = {own.code for own in first.outcomes if own.outcome == "fired"}
    assert "duplicate-rows" in fired
    assert not {"ties-at-cut", "queries-in-corpus", "truth-unproved"} & {own.code for own in first.outcomes}
    find_or_inspect(corpus, queries, subject, 6, tmp_path)
    assert len(looked) == 2
