"""What a pass over a corpus found, kept in the user's cache folder so that files that nobody touched are read once.

Kept are the digests of rows and which rows were unusable, never vectors. One file for each way in which files are
opened; it counts as long as path, size, times, inode and device of each of them are those of then.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa

from truerecall import __version__
from truerecall.errors import TruerecallError
from truerecall.kernels.fingerprint import Digests
from truerecall.model.arrays import Integers
from truerecall.model.vectors import FileStates
from truerecall.store.artefact import Artefact, attached, read_artefact, table_of, write_artefact
from truerecall.store.upkeep import digest_array, digests_from

KIND = "identity"
FORMAT = 1
"""1: digest, in the order of rows; in the content the state of the files; an attachment with rows for each reason."""


@dataclass(frozen=True, eq=False)
class RowFacts:
    """``digests`` in the order of rows; ``unusable``: the rows that no distance is defined for, by reason."""

    digests: Digests
    unusable: Mapping[str, Integers]


@dataclass(frozen=True)
class IdentityCache:
    """``policy``: whether what was kept is used, or all is read anew and kept."""

    folder: Path
    policy: Literal["use", "renew"] = "use"

    @classmethod
    def of_user(cls, policy: Literal["use", "renew"] = "use") -> IdentityCache:
        return cls(_cache_folder() / "truerecall" / "identities", policy)

    def kept(self, states: FileStates, looked_for: str) -> RowFacts | None:
        """What was found in these files when unusable rows of the kind ``looked_for`` were sought; None where nobody
        has looked since they were touched, and where what was kept is damaged."""
        if self.policy == "renew":
            return None
        try:
            artefact = read_artefact(self._path(states, looked_for), KIND, FORMAT)
        except (TruerecallError, OSError):
            return None
        if artefact.content != _content(states, looked_for):
            return None
        unusable = {
            name: np.asarray(table_of(rows).column("row").to_numpy(), np.int64)
            for name, rows in artefact.attachments.items()
        }
        return RowFacts(digests_from(artefact.table.column("digest")), unusable)

    def keep(self, states: FileStates, looked_for: str, facts: RowFacts) -> None:
        """Keep what was found. A folder that cannot be written to keeps nothing."""
        table = pa.table({"digest": digest_array(facts.digests)})
        unusable = {name: attached(pa.table({"row": rows})) for name, rows in facts.unusable.items() if len(rows)}
        artefact = Artefact(KIND, FORMAT, table, _content(states, looked_for), {}, unusable)
        path = self._path(states, looked_for)
        try:
            path.unlink(missing_ok=True)  # a damaged one would be taken for somebody else's
            write_artefact(path, artefact)
        except (TruerecallError, OSError):
            return

    def _path(self, states: FileStates, looked_for: str) -> Path:
        name = hashlib.blake2b(f"{looked_for}\n{states.opened_as}".encode("utf-8", "surrogateescape"), digest_size=16)
        return self.folder / f"{name.hexdigest()}.parquet"


def _content(states: FileStates, looked_for: str) -> dict[str, object]:
    files = [{**asdict(state), "path": _text(state.path)} for state in states.files]
    # Another version may read a file otherwise.
    return {"truerecall": __version__, "looked_for": looked_for, "opened_as": _text(states.opened_as), "files": files}


def _text(path: str) -> str:
    """A path as text, also where its bytes are none."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _cache_folder() -> Path:
    """Where programs keep what they can make again: XDG_CACHE_HOME, or the place of this system."""
    named = os.environ.get("XDG_CACHE_HOME") or (os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else None)
    if named and Path(named).is_absolute():  # a relative one is to be ignored, by the XDG specification
        return Path(named)
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
