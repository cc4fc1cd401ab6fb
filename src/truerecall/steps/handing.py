"""How what an index is made from is handed to another process.

A source that reads files is handed over as it stands and opens them there again. An array in memory, and vectors that
this process alone can read, are written to a file once, and every process maps that file instead of getting a copy of
its own.
"""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.errors import InputError
from truerecall.model.source import ArraySource, CorpusSource, HereAlone

BYTES_AT_ONCE = 16 * 2**20


class Handing:
    """What has to be written lies in ``folder`` from when it is first handed over until ``clear``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.written: dict[int, tuple[CorpusSource, Path]] = {}

    def pickled(self, thing: Any) -> bytes:
        """Raises InputError for what has no life outside this process."""
        file = io.BytesIO()
        try:
            _Pickler(file, self).dump(thing)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise not_handed_over(error) from error
        return file.getvalue()

    def path_of(self, source: CorpusSource) -> Path:
        """The file that holds the vectors."""
        if id(source) not in self.written:
            path = self.folder / f"vectors-{len(self.written)}.raw"
            self.folder.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                for _, block in source.blocks(max(1, BYTES_AT_ONCE // (source.dimensions * source.dtype.itemsize))):
                    block.tofile(file)
            self.written[id(source)] = source, path
        return self.written[id(source)][1]

    def clear(self) -> None:
        """Remove the files, those of a process that was killed too, and the folder where nothing else lies there."""
        for path in self.folder.glob("vectors-*.raw"):
            path.unlink(missing_ok=True)
        if self.folder.exists() and not any(self.folder.iterdir()):
            self.folder.rmdir()


def not_handed_over(error: Exception) -> InputError:
    return InputError(
        f"the corpus or its engine has no life outside this process ({error})", "measure with isolation='none'"
    )


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, handing: Handing) -> None:
        super().__init__(file, protocol=pickle.HIGHEST_PROTOCOL)
        self.handing = handing

    def reducer_override(self, thing: Any) -> Any:
        to_write = type(thing) is ArraySource or isinstance(thing, HereAlone)
        if not to_write:
            return NotImplemented
        path = self.handing.path_of(thing)
        return _mapped, (path, thing.dtype, (thing.rows, thing.dimensions), thing.name, thing.bits)


def _mapped(path: Path, dtype: np.dtype[Any], shape: tuple[int, int], name: str, bits: int | None) -> ArraySource:
    return ArraySource(np.asarray(np.memmap(path, dtype, "r", shape=shape)), name, bits)
