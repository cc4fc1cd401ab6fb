"""Folders of engines that keep files: one made empty, packed into one file, unpacked, measured.

The file is an uncompressed tar whose bytes hang on the names and contents of the folder alone.
"""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path

from truerecall.errors import EngineFailed, InputError
from truerecall.model.engine import Place

BLOCK_BYTES = 512  # the unit of st_blocks, whatever the file system's own blocks


def emptied(folder: Path) -> Path:
    """The folder, there and empty."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    return folder


def fresh_file(place: Place, name: str) -> Path:
    """Where a file goes, and its folder is there; what a build that was broken off left of it is taken away."""
    place.folder.mkdir(parents=True, exist_ok=True)
    for left in place.folder.glob(f"{name}*"):
        left.unlink()
    return place.folder / name


def pack(folder: Path, path: Path) -> None:
    """Everything in the folder, in the order of names, without owners and times. Raises EngineFailed."""
    try:
        with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
            for member in sorted(folder.rglob("*")):
                archive.add(member, str(member.relative_to(folder)), recursive=False, filter=_plain)
    except OSError as error:
        raise EngineFailed(f"{path} could not be written: {error.strerror}", "free some space") from None


def unpack(path: Path, folder: Path, *, engine: str) -> Path:
    """What ``pack`` wrote, in a folder that holds nothing else. Raises InputError where it is no such file."""
    try:
        with tarfile.open(path, "r:") as archive:
            archive.extractall(emptied(folder), filter="data")
    except (OSError, EOFError, tarfile.TarError) as error:
        raise InputError(f"{path} is no saved index of {engine}: {error}", "build it again") from None
    return folder


def size_on_disk(folder: Path) -> int:
    """The bytes that the files take: holes in them take none."""
    return sum(BLOCK_BYTES * file.stat().st_blocks for file in folder.rglob("*") if file.is_file())


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.mtime = member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mode = 0o755 if member.isdir() else 0o644
    return member
