"""Corpora and query sets from files. The ending of a file says its format; a folder holds Parquet files.

A data set inside an HDF5 file and a column of a Parquet or Arrow file are named after two colons:
``glove.hdf5::train``, ``base.parquet::embedding``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Ids
from truerecall.model.ids import refuse_repeated
from truerecall.model.source import CorpusSource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.store.attributes import read_ids
from truerecall.store.file_states import file_states
from truerecall.store.parts import demand_there, parted, refuse_part
from truerecall.store.readers._columns import ColumnSource
from truerecall.store.readers.arrow import arrow_columns, open_arrow
from truerecall.store.readers.bin import open_bin
from truerecall.store.readers.hdf5 import open_hdf5
from truerecall.store.readers.npy import open_npy
from truerecall.store.readers.parquet import open_parquet, parquet_columns
from truerecall.store.readers.vecs import open_vecs

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
VECTOR_FILES = (*PLAIN, *HDF5, *TABLES)


def open_corpus(path: Path, *, ids: Path | None = None) -> Corpus:
    """The corpus in a file or folder, its rows called by ``ids`` or else by the column ``id`` where it has one.

    Nothing but the header is read of the vectors. Raises InputError and FormatError.
    """
    demand_there(parted(path)[0])
    states = file_states(path, None if ids is None or not ids.exists() else ids)  # before the first byte is read
    source, own = _open(path, hdf5_default="train", with_ids=ids is None)
    return Corpus(source, _ids_for(ids, source.rows, path) if own is None else own, files=states)


def open_queries(path: Path, *, ids: Path | None = None) -> QuerySet:
    """The queries in a file or folder, all of them in memory."""
    source, own = _open(path, hdf5_default="test", with_ids=ids is None)
    vectors = source.take(np.arange(source.rows))
    return QuerySet(vectors, _ids_for(ids, source.rows, path) if own is None else own, str(path), source.bits)


def _open(path: Path, *, hdf5_default: str, with_ids: bool) -> tuple[CorpusSource, Ids | None]:
    file, part = parted(path)
    demand_there(file)
    ending = ".parquet" if file.is_dir() else file.suffix.lower()
    if ending in TABLES:
        open_table, columns = TABLES[ending]
        source = open_table(file, part)
        if not with_ids or "id" not in columns(file):
            return source, None
        own = source.own_ids()
        refuse_repeated(own, what=str(file))
        return source, own
    if ending in HDF5:
        return open_hdf5(file, part or hdf5_default), None
    if ending not in PLAIN:
        raise InputError(
            f"{file} ({ending or 'without an ending'}) is not a kind of file that vectors are read from",
            f"give {', '.join(VECTOR_FILES)} or a folder of .parquet files",
        )
    refuse_part(path, part)
    return PLAIN[ending](file), None


def _ids_for(path: Path | None, rows: int, vectors: Path) -> Ids | None:
    if path is None:
        return None
    ids = read_ids(path)
    if len(ids) != rows:
        raise InputError(f"{path} holds {len(ids)} ids and {vectors} holds {rows} vectors", "give one id for each row")
    refuse_repeated(ids, what=str(path))
    return ids
