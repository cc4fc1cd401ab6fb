"""Ids from files, and ids brought to the kind that a corpus or a query set has.

Text files cannot say whether ``17`` is a number or a word. A file of ids in which every line is a whole number in
its usual spelling holds integers; any other holds strings. A file that *refers* to ids (texts, labels) takes
the kind of the ids that it refers to.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.errors import FormatError, InputError
from truerecall.model.arrays import Ids, frozen, texts
from truerecall.model.ids import as_ids
from truerecall.store.attributes.files import (
    demand_file,
    json_document,
    parquet_column,
    parquet_columns,
    refuse_suffix,
    text_lines,
)
from truerecall.store.columns import ids_from

ID_FILES = (".npy", ".txt", ".parquet", ".json")
WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]*")


def read_ids(path: Path) -> Ids:
    """The ids in a file, in its order: ``.npy``, ``.txt`` (one on a line), ``.parquet`` (the column ``id``, or the
    only one) or ``.json`` (a list). Whether they fit the vectors is for the caller to say.
    """
    demand_file(path)
    suffix = path.suffix.lower()
    if suffix == ".npy":
        return as_ids(_npy(path), what=str(path))
    if suffix == ".parquet":
        return ids_from(parquet_column(path, _id_column(path)), what=str(path))
    if suffix == ".json":
        document = json_document(path)
        if not isinstance(document, list):
            raise FormatError(f"{path} holds no JSON list", "write the ids as one list")
        return ids_of_values(document, what=str(path))
    if suffix == ".txt":
        return _spelt(text_lines(path), path)
    raise refuse_suffix(path, ID_FILES, holds="ids")


def ids_of_values(values: list[Any], *, what: str) -> Ids:
    """Python integers or strings as ids; anything else, or a mixture, is refused."""
    kinds = {type(value) for value in values}
    if kinds <= {str}:
        return texts(values)
    if kinds != {int}:
        named = ", ".join(sorted(kind.__name__ for kind in kinds))
        raise InputError(f"{what} holds ids of type {named}", "give whole numbers or strings, not both")
    return _integers(values, what=what)


def ids_of_kind(ids: Ids, kind: str, *, what: str) -> Ids:
    """``ids`` as they are written in ``what``, brought to the ``kind`` (see ``id_kind``) of the ids they refer to."""
    spelt = ids.dtype.kind == "T"
    if kind == "string":
        return ids if spelt else texts([str(value) for value in ids.tolist()])
    if not spelt:
        return ids
    strange = next((value for value in ids.tolist() if not WHOLE_NUMBER.fullmatch(value)), None)
    if strange is not None:
        raise InputError(
            f"{what} names the id {strange!r} where ids are {'row' if kind == 'row' else 'whole'} numbers",
            "use the ids that the vectors were given",
        )
    return _integers([int(value) for value in ids.tolist()], what=what)


def _integers(values: list[int], *, what: str) -> Ids:
    for dtype in (np.int64, np.uint64):
        try:
            return frozen(np.array(values, dtype=dtype))
        except OverflowError:
            continue
    raise InputError(f"{what} holds whole numbers that need more than 64 bits", "write them as strings")


def _spelt(lines: list[str], path: Path) -> Ids:
    blank = next((number for number, line in enumerate(lines, 1) if not line.strip()), None)
    if blank is not None:
        raise FormatError(f"{path}: line {blank} is empty", "write one id on every line")
    values = [line.strip() for line in lines]
    if values and all(WHOLE_NUMBER.fullmatch(value) for value in values):
        return _integers([int(value) for value in values], what=str(path))
    return texts(values)


def _id_column(path: Path) -> str:
    columns = parquet_columns(path)
    if "id" in columns:
        return "id"
    if len(columns) == 1:
        return columns[0]
    raise InputError(f"{path} has the columns {', '.join(columns)} and none is called id", "rename one to id")


def _npy(path: Path) -> Any:
    try:
        array = np.load(path, allow_pickle=False)
    except (ValueError, EOFError):
        raise FormatError(f"{path} is not a .npy file of numbers or strings", "write it with numpy.save") from None
    return array
