"""NumPy's .npy format: vectors of shape (rows, dimensions), and neighbour lists of shape (queries, k).

NumPy saves an array of bfloat16 (of ``ml_dtypes``) as two bytes without a type, ``V2``. Nothing else of two bytes is
saved so in practice, hence such a file is read as bfloat16. Arrays of bool are packed, eight values to a byte.
"""

from __future__ import annotations

from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np

from truerecall.errors import FormatError, InputError
from truerecall.model.foreign import ForeignLists
from truerecall.store.readers._lists import PADDED, lists_of_matrix
from truerecall.store.readers._records import RecordSource, record_source, wrong_elements
from truerecall.store.readers._sniff import not_of_format
from truerecall.store.readers._types import ELEMENT_TYPES, bfloat16

NPY_MAGIC = b"\x93NUMPY"
UNREADABLE = (ValueError, TypeError, SyntaxError, TokenError)
"""What NumPy raises at a damaged header, which it reads as Python."""


def open_npy(path: Path) -> RecordSource:
    """The vectors in ``path``. Raises InputError or FormatError in one line for everything that is not such a file."""
    shape, dtype, start = _header(path)
    if dtype.kind == "V" and dtype.itemsize == 2 and dtype.names is None:
        dtype = bfloat16()
    elif dtype.newbyteorder("=").name not in (*ELEMENT_TYPES, "bool"):
        raise wrong_elements(path, dtype, ", ".join(ELEMENT_TYPES))
    return _matrix(path, shape, dtype, start, "give vectors of shape (rows, dimensions)")


def npy_lists(path: Path) -> ForeignLists:
    """The neighbour lists in ``path``: whole numbers padded with -1 at the end of a list, or strings."""
    shape, dtype, start = _header(path)
    if dtype.kind not in "iuU":
        raise wrong_elements(path, dtype, "whole numbers or strings: these are the ids of neighbours")
    matrix = _matrix(path, shape, dtype, start, "give neighbours of shape (queries, k)")
    return lists_of_matrix(matrix.take(np.arange(matrix.rows)), what=str(path), padding=PADDED)


def _matrix(path: Path, shape: tuple[int, ...], dtype: np.dtype[Any], start: int, remedy: str) -> RecordSource:
    if len(shape) != 2:
        raise InputError(f"{path} holds an array of shape {shape}", remedy)
    rows, width = (int(length) for length in shape)
    if rows == 0 or width == 0:
        raise InputError(f"{path} holds {rows} rows of {width} dimensions", "give at least one vector")
    return record_source(path, ".npy", rows, width, dtype, start=start)


def _header(path: Path) -> tuple[tuple[int, ...], np.dtype[Any], int]:
    """Shape, element type, and where the values start."""
    with path.open("rb") as file:
        magic = file.read(len(NPY_MAGIC))
        if magic != NPY_MAGIC:
            raise not_of_format(path, ".npy", f"it starts with {magic!r}")
        file.seek(0)
        try:
            version = np.lib.format.read_magic(file)
            read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, fortran, dtype = read(file)
        except UNREADABLE as error:
            raise FormatError(f"the header of {path} cannot be read ({error})", "save it with numpy.save") from None
        if fortran and min(shape, default=0) > 1:
            raise InputError(f"{path} is stored column by column", "save numpy.ascontiguousarray(vectors)")
        return shape, dtype, file.tell()
