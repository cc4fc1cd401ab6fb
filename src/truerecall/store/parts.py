"""A part of a file, named after two colons: a data set of an HDF5 file, a column of a table."""

from __future__ import annotations

from pathlib import Path

from truerecall.errors import InputError


def parted(path: Path) -> tuple[Path, str | None]:
    """The file and the part of it; a file whose own name holds two colons is a file."""
    file, colons, part = str(path).rpartition("::")
    if not colons or path.exists():
        return path, None
    if not part or not file:
        raise InputError(f"{path} names no part", "write FILE::NAME")
    return Path(file), part


def demand_there(path: Path) -> None:
    """Raises InputError where nothing lies at ``path``."""
    if not path.exists():
        raise InputError(f"{path} does not exist", "check the path")


def refuse_part(path: Path, part: str | None) -> None:
    """Raises InputError where a part is named of a format that has none."""
    if part is not None:
        raise InputError(f"{path} names the part {part} of a file that has no parts", "name the file alone")
