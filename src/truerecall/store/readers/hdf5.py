"""HDF5 files laid out as those of ann-benchmarks: ``train``, ``test``, ``neighbors``, ``distances``.

The attribute ``distance`` names the geometry. Data sets of bool are packed bits, eight values to a byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.errors import FormatError, InputError, MissingExtra
from truerecall.model.arrays import Vectors
from truerecall.model.foreign import ForeignLists
from truerecall.store.readers._filled import FilledSource, packed_bytes
from truerecall.store.readers._lists import PADDED, lists_of_matrix
from truerecall.store.readers._records import wrong_elements
from truerecall.store.readers._sniff import not_of_format
from truerecall.store.readers._types import ELEMENT_TYPES

DISTANCE_NAMES = {"euclidean": "l2", "angular": "cosine", "hamming": "hamming", "ip": "ip", "dot": "ip"}
"""The words of ann-benchmarks -> our own."""

ATTRIBUTE_OF = {"l2": "euclidean", "cosine": "angular"}
"""Our own words -> those of ann-benchmarks, where they differ."""

DAMAGE = (OSError, RuntimeError, KeyError, TypeError, ValueError)
"""What h5py raises at a file whose structure does not hold."""


@dataclass(frozen=True)
class Hdf5Source(FilledSource):
    """One data set of a file."""

    inside: str

    @property
    def name(self) -> str:
        return f"{self.path}::{self.inside}"

    @contextmanager
    def opened(self) -> Iterator[Any]:
        with hdf5_file(self.path) as file:
            yield file[self.inside]

    def fill(self, opened: Any, first: int, block: Vectors) -> None:
        wanted = np.s_[first : first + len(block)]
        if self.bits is None:
            opened.read_direct(block, wanted)
        else:
            block[:] = np.packbits(opened[wanted], axis=1)


def open_hdf5(path: Path, inside: str) -> Hdf5Source:
    """The vectors in the data set ``inside`` of a file."""
    with hdf5_file(path) as file:
        dataset = _matrix(path, file, inside)
        (rows, width), dtype = (int(length) for length in dataset.shape), dataset.dtype
    if dtype.kind == "b":
        return Hdf5Source(path, rows, packed_bytes(width), np.dtype(np.uint8), width, inside)
    if dtype.newbyteorder("=").name not in ELEMENT_TYPES:
        raise wrong_elements(path, dtype, ", ".join(ELEMENT_TYPES))
    return Hdf5Source(path, rows, width, dtype.newbyteorder("="), None, inside)


def hdf5_lists(path: Path, inside: str | None = None) -> ForeignLists:
    """The data set ``neighbors``, or the one named; ``distances`` go with ``neighbors`` where the file has them."""
    with hdf5_file(path) as file:
        ids = _matrix(path, file, inside or "neighbors")[:]
        distances = file["distances"][:] if inside is None and "distances" in file else None
        named = file.attrs.get("distance")
    if ids.dtype.kind == "O":
        ids = np.array([[value.decode() for value in row] for row in ids], str)
    if ids.dtype.kind not in "iuU":
        raise wrong_elements(path, ids.dtype, "whole numbers or strings: these are the ids of neighbours")
    distance = DISTANCE_NAMES.get(str(named), str(named)) if named is not None else None
    return lists_of_matrix(ids, what=str(path), padding=PADDED, distances=distances, distance=distance)


@contextmanager
def hdf5_file(path: Path) -> Iterator[Any]:
    """The file, open for reading. Raises MissingExtra without h5py, FormatError for another file and for damage
    found while it is read."""
    try:
        import h5py
    except ImportError:
        raise MissingExtra("h5py", "hdf5") from None
    try:
        file = h5py.File(path, "r")
    except OSError:
        raise not_of_format(path, path.suffix.lower(), "HDF5 cannot open it, or it is damaged") from None
    with file:
        try:
            yield file
        except DAMAGE as error:
            raise FormatError(f"{path} is damaged ({error})", "restore it, or make it again") from None


def _matrix(path: Path, file: Any, inside: str) -> Any:
    held = ", ".join(sorted(map(str, file))) or "nothing"
    if inside not in file or not hasattr(file[inside], "shape"):
        raise InputError(f"{path} has no data set {inside}, only {held}", f"name one: {path}::NAME")
    dataset = file[inside]
    if len(dataset.shape) != 2 or not all(dataset.shape):
        raise InputError(f"{path}::{inside} has the shape {dataset.shape}", "name a data set of shape (rows, values)")
    return dataset
