"""The built indexes of a sweep that is not finished, in the folder ``OUT.part`` beside ``OUT``.

An index counts as kept when its record lies beside it and the record's digest is that of the file's bytes; the record
is written last, and both under another name first. So a save that was cut short is never taken for a whole one.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from truerecall.errors import FormatError
from truerecall.model.run import Build
from truerecall.store.artefact import canonical_json
from truerecall.store.runs import build_document, build_from


@dataclass(frozen=True)
class Journal:
    """``folder`` is ``OUT.part``. Builds go by a key that says what they were built from."""

    folder: Path

    def index_path(self, key: str) -> Path:
        return self.folder / f"{key}.index"

    def keep(self, key: str, save: Callable[[Path], None]) -> str:
        """Let ``save`` write the index; returns the digest of its bytes. It counts once ``record`` has been called."""
        self.folder.mkdir(parents=True, exist_ok=True)
        partial = self.folder / f"{key}.index.writing"
        save(partial)
        partial.replace(self.index_path(key))
        return file_digest(self.index_path(key))

    def record(self, key: str, build: Build) -> None:
        partial = self.folder / f"{key}.json.writing"
        partial.write_bytes(canonical_json(build_document(build)))
        partial.replace(self._record_path(key))

    def kept(self, key: str) -> Build | None:
        """The record of a build whose index lies here whole, or None."""
        try:
            build = build_from(json.loads(self._record_path(key).read_text()))
            return build if file_digest(self.index_path(key)) == build.id else None
        except (FileNotFoundError, ValueError, FormatError):
            return None

    def forget(self, key: str) -> None:
        """Remove what lies here of one build, and the folder once it is empty."""
        if not self.folder.exists():
            return
        for path in (self._record_path(key), *self.folder.glob(f"{key}.*")):
            if path.is_dir():  # the place of an index that keeps files
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        if not any(self.folder.iterdir()):
            self.folder.rmdir()

    def _record_path(self, key: str) -> Path:
        return self.folder / f"{key}.json"


def file_digest(path: Path) -> str:
    """A digest of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
