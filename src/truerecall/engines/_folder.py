"""A folder as one file, and back: an uncompressed tar whose bytes depend on the names and contents in it alone."""

from __future__ import annotations

import tarfile
from pathlib import Path

from truerecall.errors import EngineFailed, InputError


def pack(folder: Path, path: Path) -> None:
    """Everything in ``folder``, in the order of names, without owners and times. Raises EngineFailed."""
    try:
        with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
            for member in sorted(folder.rglob("*")):
                archive.add(member, str(member.relative_to(folder)), recursive=False, filter=_plain)
    except OSError as error:
        raise EngineFailed(f"{path} could not be written: {error.strerror}", "free some space") from None


def unpack(path: Path, folder: Path) -> None:
    """What ``pack`` wrote, into a folder that is made where it is missing. Raises InputError for another file."""
    try:
        with tarfile.open(path, "r:") as archive:
            archive.extractall(folder, filter="data")
    except (tarfile.TarError, EOFError) as error:
        raise InputError(f"{path} is no saved index: {error}", "build it again") from None


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.mtime = member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mode = 0o755 if member.isdir() else 0o644
    return member
