"""The neighbour part of an ann-benchmarks HDF5 file: ``neighbors``, ``distances`` and the attribute ``distance``."""

from __future__ import annotations

from pathlib import Path

from truerecall.errors import InputError, MissingExtra
from truerecall.model.foreign import ForeignLists
from truerecall.store.readers.hdf5 import ATTRIBUTE_OF
from truerecall.store.writers._matrix import RAGGED, distance_matrix, id_matrix


def write_hdf5(path: Path, lists: ForeignLists) -> None:
    """Ids as int64 or uint64 and distances as float64; the distances are ours, unsquared for l2."""
    try:
        import h5py
    except ImportError:
        raise MissingExtra("h5py", "hdf5") from None
    ids = id_matrix(lists)
    if ids.dtype.kind not in "iu":
        raise InputError(".hdf5 holds whole numbers and these ids are strings", f"use --by row, or {RAGGED}")
    with h5py.File(path, "w") as file:
        file["neighbors"] = ids
        if lists.distances is not None:
            file["distances"] = distance_matrix(lists)
        if lists.distance is not None:
            file.attrs["distance"] = ATTRIBUTE_OF.get(lists.distance, lists.distance)
