"""Relevance labels from files: which rows a judge calls relevant to which query.

Pairs with a grade above zero are kept, and those of at least a threshold are relevant; a file without grades lists
relevant pairs only.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.errors import FormatError, InputError
from truerecall.model.arrays import Floats, Ids, texts
from truerecall.model.labels import Labels
from truerecall.store.attributes.files import (
    demand_file,
    json_lines,
    parquet_column,
    parquet_columns,
    text_lines,
)
from truerecall.store.attributes.ids import ids_of_kind, ids_of_values
from truerecall.store.columns import ids_from

Pairs = tuple[Ids, Ids, Floats]


def read_labels(path: Path, *, query_kind: str, corpus_kind: str, relevant_from: float = 0.0) -> Labels:
    """The labels in ``.parquet`` or ``.jsonl`` (``query_id``, ``id`` and perhaps ``grade``), in ``.tsv`` (a header,
    then query id, id and perhaps grade), or in any other text file as TREC qrels (``query 0 document grade``).

    The kinds are those of the ids referred to (see ``id_kind``), so that ``17`` in a text file finds the row 17.
    The judge is called after the file. ``relevant_from``: the least grade that is relevant; every grade above zero is
    where that is 0. A file without one relevant pair is refused.
    """
    demand_file(path)
    readers: dict[str, Callable[[Path], Pairs]] = {".parquet": _parquet, ".jsonl": _jsonl, ".tsv": _tsv}
    query_ids, ids, grades = readers.get(path.suffix.lower(), _trec)(path)
    kept = grades > 0
    if not (kept & (grades >= relevant_from)).any():
        least = f"of {relevant_from:g} or more" if relevant_from > 0 else "above zero"
        raise InputError(f"{path} calls no row relevant to any query", f"give labels with grades {least}")
    return Labels(
        judge=path.stem,
        query_ids=ids_of_kind(query_ids[kept], query_kind, what=str(path)),
        ids=ids_of_kind(ids[kept], corpus_kind, what=str(path)),
        grades=grades[kept],
        relevant_from=relevant_from,
    )


def _parquet(path: Path) -> Pairs:
    query_ids = ids_from(parquet_column(path, "query_id"), what=str(path))
    ids = ids_from(parquet_column(path, "id"), what=str(path))
    if "grade" not in parquet_columns(path):
        return query_ids, ids, np.ones(len(ids))
    grades = parquet_column(path, "grade").to_numpy(zero_copy_only=False)
    if grades.dtype.kind not in "iufb":
        raise FormatError(f"{path}: column grade holds {grades.dtype}", "store the grades as numbers")
    return query_ids, ids, np.asarray(grades, np.float64)


def _jsonl(path: Path) -> Pairs:
    query_ids, ids, grades = [], [], []
    for number, entry in json_lines(path):
        if "query_id" not in entry or "id" not in entry:
            raise FormatError(f"{path}: line {number} lacks query_id or id", 'write {"query_id": ..., "id": ...}')
        query_ids.append(entry["query_id"])
        ids.append(entry["id"])
        grades.append(_grade(entry.get("grade", 1), path, number))
    what = str(path)
    return ids_of_values(query_ids, what=what), ids_of_values(ids, what=what), np.array(grades, np.float64)


def _tsv(path: Path) -> Pairs:
    rows = [(number, line.split("\t")) for number, line in enumerate(text_lines(path), 1) if line.strip()][1:]
    for number, row in rows:
        if len(row) not in (2, 3):
            raise FormatError(f"{path}: line {number} has {len(row)} columns", "write query id, id and grade")
    grades = [_grade(row[2] if len(row) == 3 else 1, path, number) for number, row in rows]
    return texts([row[0] for _, row in rows]), texts([row[1] for _, row in rows]), np.array(grades, np.float64)


def _trec(path: Path) -> Pairs:
    rows = [(number, line.split()) for number, line in enumerate(text_lines(path), 1) if line.strip()]
    for number, row in rows:
        if len(row) != 4:
            raise FormatError(
                f"{path}: line {number} has {len(row)} columns and TREC qrels have 4", "write: query 0 document grade"
            )
    grades = [_grade(row[3], path, number) for number, row in rows]
    return texts([row[0] for _, row in rows]), texts([row[2] for _, row in rows]), np.array(grades, np.float64)


def _grade(value: Any, path: Path, number: int) -> float:
    try:
        grade = float(value)
    except (TypeError, ValueError):
        grade = np.nan
    if np.isnan(grade):
        raise FormatError(f"{path}: line {number} has the grade {value!r}", "write grades as numbers")
    return grade
