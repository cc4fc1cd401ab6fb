"""Whether a file was touched, told without reading it: sizes, times and inodes."""

from __future__ import annotations

from pathlib import Path


def stamps_of(path: Path) -> list[list[int | str]]:
    """Name, size in bytes, times of change of content and of state in nanoseconds, and inode: of a file, or of each
    Parquet file of a folder. The time of change of content alone can be set, and copying keeps it."""
    files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    return [
        [file.name, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]
        for file in files
        for found in (file.stat(),)
    ]
