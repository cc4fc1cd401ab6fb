"""Corpora and query sets from files. The ending of a file says its format; a folder holds Parquet files.

A data set inside an HDF5 file and a column of a Parquet or Arrow file are named after two colons:
``glove.hdf5::train``, ``base.parquet::embedding``. A row selection (store/selections.py) stands for some rows of a
corpus.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Ids
from truerecall.model.ids import refuse_repeated
from truerecall.model.source import CorpusSource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.store.attributes import FileAttributes, read_ids
from truerecall.store.file_states import file_states
from truerecall.store.parts import demand_there, parted, refuse_part
from truerecall.store.query_files import drawing_in
from truerecall.store.readers._columns import ColumnSource
from truerecall.store.readers.arrow import arrow_columns, open_arrow
from truerecall.store.readers.bin import open_bin
from truerecall.store.readers.hdf5 import open_hdf5
from truerecall.store.readers.jsonl import open_jsonl
from truerecall.store.readers.npy import open_npy
from truerecall.store.readers.parquet import open_parquet, parquet_columns
from truerecall.store.readers.vecs import open_vecs
from truerecall.store.selections import is_selection, open_selection

PLAIN: dict[str, Callable[[Path], CorpusSource]] = {
    ".npy": open_npy,
    ".fvecs": open_vecs,
    ".bvecs": open_vecs,
    ".fbin": open_bin,
    ".hbin": open_bin,
    ".u8bin": open_bin,
    ".i8bin": open_bin,
}
HDF5 = (".hdf5", ".h5")
TABLES: dict[str, tuple[Callable[[Path, str | None], ColumnSource], Callable[[Path], list[str]]]] = {
    ".parquet": (open_parquet, parquet_columns),
    ".arrow": (open_arrow, arrow_columns),
    ".feather": (open_arrow, arrow_columns),
}
JSON_LINES = ".jsonl"
VECTOR_FILES = (*PLAIN, *HDF5, *TABLES, JSON_LINES)


def open_corpus(path: Path | str, *, ids: Path | str | None = None) -> Corpus:
    """The corpus in a file or folder, its rows called by ``ids`` or else by the column ``id`` where it has one; or the
    rows that a row selection keeps.

    Nothing but the header is read of the vectors. Raises InputError and FormatError.
    """
    path, ids = Path(path), None if ids is None else Path(ids)
    demand_there(parted(path)[0])
    if is_selection(path):
        if ids is not None:
            raise InputError(f"{path} selects rows of a corpus and knows their ids", f"leave {ids} out")
        selected = open_selection(path, lambda corpus, own: open_corpus(corpus, ids=own))
        return replace(selected, attributes=FileAttributes(path, selected))
    states = file_states(path, None if ids is None or not ids.exists() else ids)  # before the first byte is read
    drawing_in(path)  # of a query file the checksum
    opened = open_log(path, ids=ids, part="train", unique=True)
    return replace(opened, files=states, attributes=FileAttributes(parted(path)[0], opened))


def open_queries(path: Path | str, *, ids: Path | str | None = None) -> QuerySet:
    """The queries in a file or folder, all of them in memory; with the record of how they were drawn, where it has
    one."""
    path, ids = Path(path), None if ids is None else Path(ids)
    drawing = None if is_selection(path) else drawing_in(path)
    asked = open_corpus(path) if is_selection(path) else open_log(path, ids=ids, part="test", unique=True)
    source = asked.source
    vectors = source.take(np.arange(source.rows))
    return QuerySet(vectors, asked.given_ids, str(path), source.bits, drawing)


def open_log(path: Path, *, ids: Path | None = None, part: str = "test", unique: bool = False) -> Corpus:
    """The vectors in a file or folder as they stand, without looking whether ids repeat unless ``unique``: a log of
    queries may hold one many times. ``part``: what is read of an HDF5 file where nothing is named."""
    source, own = _open(path, hdf5_default=part, with_ids=ids is None)
    if ids is not None:
        own = read_ids(ids)
        if len(own) != source.rows:
            problem = f"{ids} holds {len(own)} ids and {path} holds {source.rows} vectors"
            raise InputError(problem, "give one id for each row")
    if unique and own is not None:
        refuse_repeated(own, what=str(parted(path)[0] if ids is None else ids))
    return Corpus(source, own)


def _open(path: Path, *, hdf5_default: str, with_ids: bool) -> tuple[CorpusSource, Ids | None]:
    file, part = parted(path)
    demand_there(file)
    ending = ".parquet" if file.is_dir() else file.suffix.lower()
    if ending in TABLES:
        open_table, columns = TABLES[ending]
        source = open_table(file, part)
        return source, source.own_ids() if with_ids and "id" in columns(file) else None
    if ending == JSON_LINES:
        lines, own = open_jsonl(file, part)
        return lines, own if with_ids else None
    if ending in HDF5:
        return open_hdf5(file, part or hdf5_default), None
    if ending not in PLAIN:
        raise InputError(
            f"{file} ({ending or 'without an ending'}) is not a kind of file that vectors are read from",
            f"give {', '.join(VECTOR_FILES)} or a folder of .parquet files",
        )
    refuse_part(path, part)
    return PLAIN[ending](file), None
