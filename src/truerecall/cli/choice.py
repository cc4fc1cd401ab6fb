"""The rows that may answer by what a user names: a file, a filter, or both."""

from __future__ import annotations

from pathlib import Path

from truerecall.errors import InputError
from truerecall.model.arrays import Booleans
from truerecall.model.vectors import Corpus
from truerecall.steps.narrow import narrowed
from truerecall.store.attributes import read_row_mask
from truerecall.store.filter_text import parse_filter


def chosen_rows(corpus: Corpus, rows: Path | None, where: str | None, *, seed: int = 0) -> Booleans | None:
    """True for each row that is kept by both; None where neither is named. ``seed``: that of a column that is drawn.

    Raises InputError where no row is left.
    """
    mask = None if rows is None else read_row_mask(rows, corpus)
    if where is None:
        return mask
    (behind,) = narrowed([parse_filter(where)], corpus, seed=seed).each
    kept = behind.rows if mask is None else behind.rows & mask
    if not kept.any():
        raise InputError(f"no row in {rows} passes {behind.where}", "widen the filter")
    return kept
