"""Neighbour lists from and to the files of other tools. The ending says the format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from truerecall.errors import InputError
from truerecall.model.foreign import ForeignLists
from truerecall.store.parts import demand_there, parted, refuse_part
from truerecall.store.places import demand_new_file, put_in_place
from truerecall.store.readers._lists import refuse_holes
from truerecall.store.readers.arrow import arrow_lists
from truerecall.store.readers.bin import bin_lists
from truerecall.store.readers.hdf5 import hdf5_lists
from truerecall.store.readers.json import json_lists
from truerecall.store.readers.npy import npy_lists
from truerecall.store.readers.parquet import parquet_lists
from truerecall.store.readers.vecs import ivecs_lists
from truerecall.store.writers.bin import write_ibin
from truerecall.store.writers.hdf5 import write_hdf5
from truerecall.store.writers.json import write_json
from truerecall.store.writers.npy import write_npy
from truerecall.store.writers.parquet import write_parquet
from truerecall.store.writers.vecs import write_ivecs

READERS: dict[str, Callable[[Path], ForeignLists]] = {
    ".npy": npy_lists,
    ".ivecs": ivecs_lists,
    ".ibin": bin_lists,
    ".bin": bin_lists,
    ".knn": bin_lists,
    "": bin_lists,
    ".json": json_lists,
}
READERS_OF_PARTS: dict[str, Callable[[Path, str | None], ForeignLists]] = {
    ".hdf5": hdf5_lists,
    ".h5": hdf5_lists,
    ".parquet": parquet_lists,
    ".arrow": arrow_lists,
    ".feather": arrow_lists,
}
WRITERS: dict[str, Callable[[Path, ForeignLists], None]] = {
    ".npy": write_npy,
    ".ivecs": write_ivecs,
    ".ibin": write_ibin,
    ".hdf5": write_hdf5,
    ".parquet": write_parquet,
    ".json": write_json,
}


def read_lists(path: Path) -> ForeignLists:
    """The neighbour lists in a file, padded at their ends alone. Raises InputError and FormatError."""
    lists = _read(path)
    refuse_holes(lists, what=str(path))
    return lists


def write_lists(path: Path, lists: ForeignLists) -> None:
    """Write the lists in one step. Raises InputError where the format cannot hold these ids or lists, and where a file
    is there already."""
    demand_new_file(path)
    ending = path.suffix.lower()
    if ending not in WRITERS:
        raise InputError(
            f"{path} ({ending or 'without an ending'}) is not a kind of file that neighbours are written to",
            f"name one that ends in {', '.join(WRITERS)}",
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    with put_in_place(path) as partial:
        WRITERS[ending](partial, lists)


def _read(path: Path) -> ForeignLists:
    file, part = parted(path)
    demand_there(file)
    ending = file.suffix.lower()
    if file.is_dir():
        raise InputError(f"{file} is a folder", "name a file of neighbours")
    if ending in READERS_OF_PARTS:
        return READERS_OF_PARTS[ending](file, part)
    refuse_part(path, part)
    if ending not in READERS:
        known = ", ".join(ending for ending in (*READERS, *READERS_OF_PARTS) if ending)
        raise InputError(f"{file} ({ending}) is not a kind of file that neighbours are read from", f"give {known}")
    return READERS[ending](file)
