"""Which rows may answer, from files: a mask or a list of ids for all queries, and lists of ids by query."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from truerecall.errors import FormatError, InputError
from truerecall.model.arrays import Booleans, Ids, Integers
from truerecall.model.eligibility import RowLists
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.neighbors import offsets_of
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.store.attributes.files import (
    demand_file,
    json_lines,
    parquet_column,
    parquet_columns,
    refuse_suffix,
)
from truerecall.store.attributes.ids import ids_of_kind, ids_of_values, read_ids
from truerecall.store.columns import ids_from

ALLOWED_FILES = (".parquet", ".jsonl")


def read_row_mask(path: Path, corpus: Corpus) -> Booleans:
    """The rows that a file keeps: a ``.npy`` of one boolean per row, or a file of ids (see ``read_ids``).

    Raises InputError for a mask of another length and for ids that no row bears.
    """
    demand_file(path)
    rows = corpus.source.rows
    if path.suffix.lower() == ".npy" and (mask := _boolean(path)) is not None:
        if mask.shape != (rows,):
            raise InputError(
                f"{path} holds a mask of shape {mask.shape} and {corpus.source.name} has {rows} rows",
                "give one boolean for each row",
            )
        return mask
    mask = np.zeros(rows, np.bool_)
    mask[_rows(read_ids(path), corpus, path)] = True
    return mask


def read_allowed(path: Path, corpus: Corpus, queries: QuerySet) -> RowLists:
    """For each query the only rows that may answer it, from ``.parquet`` or ``.jsonl`` with ``query_id`` and either
    ``id`` (one row on a line) or ``ids`` (a list, which may be empty).

    Every query has to be named, for an absent list could mean all rows or none. Raises InputError for unknown ids.
    """
    demand_file(path)
    readers = {".parquet": _parquet, ".jsonl": _jsonl}
    if path.suffix.lower() not in readers:
        raise refuse_suffix(path, ALLOWED_FILES, holds="allowed ids")
    query_ids, lengths, ids = readers[path.suffix.lower()](path)
    named = rows_of(ids_of_kind(query_ids, queries.id_kind, what=str(path)), queries.ids)
    if bool((named == NO_ROW).any()):
        strange = query_ids[named == NO_ROW]
        raise InputError(
            f"{path} names queries that there are not (first: {strange[0]})", "give the ids of the queries"
        )
    absent = np.setdiff1d(np.arange(len(queries)), named)
    if len(absent):
        raise InputError(
            f"{path} has no entry for {len(absent)} of {len(queries)} queries (first: {queries.ids[absent[0]]})",
            'write {"query_id": ..., "ids": []} for a query that no row may answer',
        )
    rows = _rows(ids, corpus, path)
    pairs = np.unique(np.stack([np.repeat(named, lengths), rows], axis=1), axis=0)
    counts = np.bincount(pairs[:, 0], minlength=len(queries)).astype(np.int64)
    return RowLists(np.ascontiguousarray(pairs[:, 1]), offsets_of(counts))


def _rows(ids: Ids, corpus: Corpus, path: Path) -> Integers:
    rows = rows_of(ids_of_kind(ids, corpus.id_kind, what=str(path)), corpus.ids) if len(ids) else np.empty(0, np.int64)
    unknown = rows == NO_ROW
    if bool(unknown.any()):
        raise InputError(
            f"{path} names {int(unknown.sum())} ids that no row of {corpus.source.name} bears"
            f" (first: {ids[unknown][0]})",
            "give ids of this corpus",
        )
    return rows


def _boolean(path: Path) -> Booleans | None:
    try:
        array = np.load(path, allow_pickle=False)
    except (ValueError, EOFError):
        return None
    return array if array.dtype == np.bool_ else None


def _parquet(path: Path) -> tuple[Ids, Integers, Ids]:
    query_ids = ids_from(parquet_column(path, "query_id"), what=str(path))
    column = parquet_column(path, "ids" if "ids" in parquet_columns(path) else "id")
    if not (pa.types.is_list(column.type) or pa.types.is_large_list(column.type)):
        return query_ids, np.ones(len(query_ids), np.int64), ids_from(column, what=str(path))
    flat = column.flatten()
    if flat.null_count:
        raise FormatError(f"{path}: {flat.null_count} ids are missing", "fill or drop them")
    return query_ids, column.value_lengths().to_numpy().astype(np.int64), ids_from(flat, what=str(path))


def _jsonl(path: Path) -> tuple[Ids, Integers, Ids]:
    query_ids: list[Any] = []
    lists: list[list[Any]] = []
    for number, entry in json_lines(path):
        ids = entry.get("ids", [entry["id"]] if "id" in entry else None)
        if "query_id" not in entry or not isinstance(ids, list):
            raise FormatError(f"{path}: line {number} lacks query_id or ids", 'write {"query_id": ..., "ids": [...]}')
        query_ids.append(entry["query_id"])
        lists.append(ids)
    what = str(path)
    flat = [value for ids in lists for value in ids]
    named = ids_of_values(flat, what=what) if flat else np.empty(0, np.int64)
    return ids_of_values(query_ids, what=what), np.array([len(ids) for ids in lists], np.int64), named
