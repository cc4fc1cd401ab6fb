"""The state of the files that a corpus was opened from: by it a file that was touched is told from one that was not.

Its *stamps* are what one file records of another. They are the whole state but for where the file lies: the time of
change of the content alone can be set, and a copy of another file may bring that one's along.
"""

from __future__ import annotations

from pathlib import Path

from truerecall.model.vectors import FileState, FileStates
from truerecall.store.parts import parted


def file_states(corpus: Path, ids: Path | None) -> FileStates:
    """Of the file or folder that vectors are opened as, and of the file of their ids. Raises OSError."""
    file, part = parted(corpus)
    files = _files(file)
    opened_as = f"{file.resolve()}::{part or ''} ids {'' if ids is None else ids.resolve()}"
    return FileStates(opened_as, tuple(_state(path) for path in (*files, *(() if ids is None else (ids,)))))


def stamps_of(path: Path) -> list[list[int | str]]:
    """Name, size in bytes, times of change of content and of state in nanoseconds and inode of the file, or files, that
    ``path`` is opened as. Raises OSError."""
    states = [(file.name, _state(file)) for file in _files(parted(path)[0])]
    return [[name, state.size_bytes, state.modified_ns, state.changed_ns, state.inode] for name, state in states]


def unchanged(states: FileStates) -> bool:
    """Whether every file is still as it was."""
    try:
        return all(_state(Path(state.path)) == state for state in states.files)
    except OSError:
        return False


def _files(opened: Path) -> list[Path]:
    return sorted(opened.glob("*.parquet")) if opened.is_dir() else [opened]


def _state(path: Path) -> FileState:
    real = path.resolve()
    found = real.stat()
    return FileState(str(real), found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev)
