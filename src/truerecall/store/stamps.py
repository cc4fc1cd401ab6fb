"""Whether a file was touched, told without reading it: sizes and times of change."""

from __future__ import annotations

from pathlib import Path


def stamps_of(path: Path) -> list[list[int | str]]:
    """Name, size in bytes and time of change in nanoseconds of a file, or of each Parquet file of a folder."""
    files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    return [[file.name, file.stat().st_size, file.stat().st_mtime_ns] for file in files]
