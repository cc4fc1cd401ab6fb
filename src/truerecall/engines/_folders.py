"""Folders of engines that keep files: one made empty, packed into one file, unpacked, measured."""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path

from truerecall.errors import InputError

BLOCK_BYTES = 512  # the unit of st_blocks, whatever the file system's own blocks


def emptied(folder: Path) -> Path:
    """The folder, there and empty."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    return folder


def pack(folder: Path, path: Path) -> None:
    """Everything in the folder as one uncompressed tar file."""
    with tarfile.open(path, "w") as tar:
        for entry in sorted(folder.iterdir()):
            tar.add(entry, entry.name)


def unpack(path: Path, folder: Path, *, engine: str) -> Path:
    """What ``pack`` wrote, in a folder that holds nothing else. Raises InputError where it is no such file."""
    try:
        with tarfile.open(path, "r:") as tar:
            tar.extractall(emptied(folder), filter="data")
    except (OSError, tarfile.TarError) as error:
        raise InputError(f"{path} is no saved index of {engine}: {error}", "build it again") from None
    return folder


def size_on_disk(folder: Path) -> int:
    """The bytes that the files take: holes in them take none."""
    return sum(BLOCK_BYTES * file.stat().st_blocks for file in folder.rglob("*") if file.is_file())
