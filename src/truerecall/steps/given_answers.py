"""Answers as a program holds them, or as a file does: lists of ids, whose queries may be named."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.model.foreign import ForeignLists
from truerecall.store.answers import read_answers
from truerecall.store.readers._lists import PADDED, lists_of_matrix
from truerecall.store.readers.json_answers import answers_of_values


def as_lists(answers: Any, name: str) -> ForeignLists:
    """An array of shape (queries, k) padded with -1, a list of lists, a mapping by query id, or the path of a file.

    In lists and mappings None is a place without an id, and None in place of a list a query that failed. Raises
    InputError and FormatError.
    """
    if isinstance(answers, ForeignLists):
        return answers
    if isinstance(answers, Path | str):
        return read_answers(answers)
    if isinstance(answers, np.ndarray) and answers.dtype.kind != "O":
        matrix = answers.astype(str) if answers.dtype.kind == "T" else answers
        return lists_of_matrix(matrix, what=name, padding=PADDED)
    if isinstance(answers, Mapping):
        return answers_of_values({plain(query): plain(own) for query, own in answers.items()}, what=name)
    return answers_of_values([plain(own) for own in answers], what=name)


def plain(value: Any) -> Any:
    """NumPy's values as Python's."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, Mapping):
        return {plain(name): plain(own) for name, own in value.items()}
    return [plain(own) for own in value] if isinstance(value, list | tuple) else value
