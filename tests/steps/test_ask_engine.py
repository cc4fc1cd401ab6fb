"""When an engine's own exhaustive search agrees with a truth."""

from __future__ import annotations

import numpy as np

from truerecall.steps.ask_engine import AS_NEAR, _as_near, _told

OURS = np.array([0.3, 0.4, 0.5])


def test_as_near_is_neither_farther_nor_nearer() -> None:
    assert _as_near(OURS * (1 + AS_NEAR / 2), OURS)
    assert _as_near(OURS[::-1], OURS)
    assert not _as_near(np.array([0.3, 0.4, 0.6]), OURS)
    assert not _as_near(np.array([0.1, 0.2, 0.3]), OURS)
    assert not _as_near(np.array([0.3, 0.4, np.nan]), OURS)


def test_what_differs_is_told() -> None:
    truth = (np.array([1, 2, 3]), OURS)
    for ids, distances, words in (
        ([1, 1, 2], OURS, "it found a row twice"),
        ([1, 2, 9], np.array([0.3, 0.4, np.nan]), "it found 9, which is no row that the truth could list"),
        ([1, 2], OURS[:2], "it found 2 rows and the truth lists 3"),
        ([4, 5, 6], OURS - 0.2, "rows that are nearer than those in the truth"),
        ([4, 5, 6], OURS + 0.2, "the last that it found is at 0.7, and the last in the truth at 0.5"),
    ):
        assert words in _told("q", (np.array(ids), distances), truth)
