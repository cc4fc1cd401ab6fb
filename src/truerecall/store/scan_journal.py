"""Where an unfinished scan stands, in the folder ``OUT.part`` beside the truth that it will become.

The file is written under another name, forced to the disk and renamed: at every moment it is the last whole state.
A state is taken up again only by the scan with the same key.
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

State = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class ScanJournal:
    """``folder`` is ``OUT.part``; it is made when the first state is kept."""

    folder: Path

    @classmethod
    def beside(cls, out: Path) -> ScanJournal:
        return cls(out.with_name(out.name + ".part"))

    def keep(self, key: str, state: State) -> None:
        """Keep the state under ``key``, in place of an earlier one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        buffer = io.BytesIO()
        np.savez(buffer, allow_pickle=False, **state)
        partial = self._path(key).with_suffix(".writing")
        with partial.open("wb") as file:
            file.write(buffer.getbuffer())
            file.flush()
            os.fsync(file.fileno())
        partial.replace(self._path(key))

    def kept(self, key: str) -> State | None:
        """The state that was kept under ``key``; None where there is none, or none that can be read."""
        try:
            with np.load(self._path(key), allow_pickle=False) as state:
                return {name: state[name] for name in state.files}
        except (OSError, ValueError, EOFError, BadZipFile):
            return None

    def forget(self) -> None:
        """Remove all that lies here, once it is not needed."""
        if self.folder.exists():
            for path in self.folder.glob("scan-*"):
                path.unlink(missing_ok=True)
            if not any(self.folder.iterdir()):
                self.folder.rmdir()

    def _path(self, key: str) -> Path:
        return self.folder / f"scan-{key}.npz"
