"""Corpora and query sets from files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Ids
from truerecall.model.ids import refuse_repeated
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.store.attributes import read_ids
from truerecall.store.readers.npy import open_npy


def open_corpus(path: Path, *, ids: Path | None = None) -> Corpus:
    """The corpus in a file, its rows called by ``ids`` where given. Nothing but the header is read of the vectors."""
    _demand_file(path)
    source = open_npy(path)
    return Corpus(source, _ids_for(ids, source.rows, path))


def open_queries(path: Path, *, ids: Path | None = None) -> QuerySet:
    """The queries in a file, all of them in memory."""
    _demand_file(path)
    source = open_npy(path)
    vectors = source.take(np.arange(source.rows))
    return QuerySet(vectors, _ids_for(ids, source.rows, path), name=str(path))


def _demand_file(path: Path) -> None:
    if not path.exists():
        raise InputError(f"{path} does not exist", "check the path")
    if path.is_dir():
        raise InputError(f"{path} is a folder", "name a file of vectors")


def _ids_for(path: Path | None, rows: int, vectors: Path) -> Ids | None:
    if path is None:
        return None
    ids = read_ids(path)
    if len(ids) != rows:
        raise InputError(f"{path} holds {len(ids)} ids and {vectors} holds {rows} vectors", "give one id for each row")
    refuse_repeated(ids, what=str(path))
    return ids
