"""Answers of any system from files. The ending says the format; text may be gzipped (``.csv.gz``)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from truerecall.errors import FormatError, InputError
from truerecall.model.foreign import ForeignLists
from truerecall.store.parts import demand_there, parted, refuse_part
from truerecall.store.readers._table_answers import answers_of_table
from truerecall.store.readers.arrow import arrow_file
from truerecall.store.readers.bin import bin_lists
from truerecall.store.readers.csv import csv_answers
from truerecall.store.readers.hdf5 import hdf5_lists
from truerecall.store.readers.json_answers import json_answers, jsonl_answers
from truerecall.store.readers.npy import npy_lists
from truerecall.store.readers.parquet import parquet_file
from truerecall.store.readers.trec import trec_answers
from truerecall.store.readers.vecs import ivecs_lists


def _parquet(path: Path, column: str | None) -> ForeignLists:
    with parquet_file(path) as file:
        return answers_of_table(path, file.read(use_threads=False), column)


def _arrow(path: Path, column: str | None) -> ForeignLists:
    with arrow_file(path) as file:
        table = file.read_all()
        table.validate(full=True)
        return answers_of_table(path, table, column)


Reader = Callable[[Path], ForeignLists]
TEXT: dict[str, Reader] = {
    **dict.fromkeys((".csv", ".tsv"), csv_answers),
    **dict.fromkeys((".jsonl", ".ndjson"), jsonl_answers),
    ".json": json_answers,
    **dict.fromkeys((".trec", ".run", ".txt"), trec_answers),
}
BINARY: dict[str, Reader] = {
    ".npy": npy_lists,
    ".ivecs": ivecs_lists,
    **dict.fromkeys((".ibin", ".bin", ".knn"), bin_lists),
}
PARTED: dict[str, Callable[[Path, str | None], ForeignLists]] = {
    **dict.fromkeys((".hdf5", ".h5"), hdf5_lists),
    ".parquet": _parquet,
    **dict.fromkeys((".arrow", ".feather"), _arrow),
}
ANSWER_FILES = (*BINARY, *PARTED, *TEXT)


def read_answers(path: Path | str) -> ForeignLists:
    """The answers in a file, one list for each query. Raises InputError and FormatError.

    A data set of an HDF5 file or a column of a table is named after two colons: ``answers.parquet::top``.
    """
    file, part = parted(Path(path))
    demand_there(file)
    if file.is_dir():
        raise InputError(f"{file} is a folder", "name a file of answers")
    ending = file.suffix.lower()
    if ending == ".gz" and Path(file.stem).suffix.lower() in TEXT:
        ending = Path(file.stem).suffix.lower()
    if ending in PARTED:
        lists = PARTED[ending](file, part)
    elif reader := BINARY.get(ending) or TEXT.get(ending):
        refuse_part(file, part)
        lists = reader(file)
    else:
        raise InputError(
            f"{file} ({ending or 'without an ending'}) is not a kind of file that answers are read from",
            f"give {', '.join(ANSWER_FILES)}; text may be gzipped",
        )
    if not len(lists):
        raise FormatError(f"{file} holds no answer at all", "write the answers again")
    return lists
