"""The words that set the loss of an index apart from that of an embedding model."""

from __future__ import annotations

import pytest

from truerecall.model.score import Beside
from truerecall.report.judged_beside import exact_words


@pytest.mark.parametrize(
    ("lost", "interval", "words"),
    [
        (0.016, (0.009, 0.022), "The index loses 1.6 [0.9, 2.2] points; the 72.9 that exact search lacks"),
        (-0.016, (-0.022, 0.009), "The answers score 1.6 [-0.9, 2.2] points more; the 72.9"),
        (0.0, None, "The index loses 0.0 points; the 72.9"),
    ],
)
def test_what_is_lost_and_by_whom(lost: float, interval: tuple[float, float] | None, words: str) -> None:
    said = exact_words(Beside(0.271, None, lost, interval, "bca"))
    assert said.startswith("exact search scores 27.1 % on the same queries.")
    assert words in said
