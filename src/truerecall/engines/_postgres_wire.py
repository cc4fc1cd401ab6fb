"""Vectors as PostgreSQL sends and receives them: binary, big-endian, each behind a head with its length.

vector: int16 dimensions, int16 zero, float32 values. halfvec: the same with float16. bit: int32 number of bits, then
the bits, eight to a byte, the first one highest, the last byte filled up with zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Vectors


class Wire(bytes):
    """A value as it travels; each type has a class of its own, by which psycopg knows the type."""

    @staticmethod
    def of(name: str) -> type[Wire]:
        kinds: dict[str, type[Wire]] = {"vector": VectorWire, "halfvec": HalfvecWire, "bit": BitWire}
        return kinds[name]


class VectorWire(Wire):
    """A value of the type vector."""


class HalfvecWire(Wire):
    """A value of the type halfvec."""


class BitWire(Wire):
    """A value of the type bit."""


@dataclass(frozen=True)
class Element:
    """The type of a column of vectors. ``width``: its dimensions, or its bits."""

    name: str
    width: int

    @property
    def bits(self) -> int | None:
        return self.width if self.name == "bit" else None

    @property
    def dtype(self) -> np.dtype[Any]:
        """The element type of ours that it holds without loss."""
        return np.dtype({"vector": np.float32, "halfvec": np.float16, "bit": np.uint8}[self.name])

    @property
    def dimensions(self) -> int:
        """How many values of ``dtype`` a row has."""
        return -(-self.width // 8) if self.name == "bit" else self.width

    @property
    def record(self) -> np.dtype[Any]:
        """A value on the wire, head and all."""
        values = ("values", self.dtype.newbyteorder(">"), (self.dimensions,))
        if self.name == "bit":
            return np.dtype([("width", ">i4"), values])
        return np.dtype([("width", ">i2"), ("zero", ">i2"), values])

    def cast(self, vectors: Vectors) -> Vectors:
        """Vectors in the element type of the column. Raises InputError for values that become infinite in it."""
        with np.errstate(over="ignore"):
            narrow = np.ascontiguousarray(vectors, self.dtype)
        if self.name != "bit" and not np.isfinite(narrow).all() and np.isfinite(vectors.astype(np.float64)).all():
            largest = float(np.finfo(self.dtype).max)
            raise InputError(
                f"there are values beyond {largest:.3g}, the largest of {self.name}", "scale the vectors down"
            )
        return narrow

    def pack(self, vectors: Vectors) -> np.ndarray[Any, np.dtype[Any]]:
        """Cast vectors on the wire, a record each."""
        records = np.zeros(len(vectors), self.record)
        records["width"] = self.width
        records["values"] = vectors
        return records

    def wire(self, vector: Vectors) -> Wire:
        """One cast vector, of shape (1, dimensions), as a parameter."""
        return Wire.of(self.name)(self.pack(vector).tobytes())

    def unpack(self, values: Sequence[bytes], *, name: str) -> Vectors:
        """Vectors off the wire, in ``dtype``. Raises InputError for one of another length."""
        together = b"".join(values)
        if len(together) != len(values) * self.record.itemsize or any(len(v) != self.record.itemsize for v in values):
            raise InputError(f"{name} holds vectors that have not all {self.width} dimensions", "give one length")
        records = np.frombuffer(together, self.record)
        return np.ascontiguousarray(records["values"], self.dtype)
