"""Digests of vectors: one per row, and one for the whole set.

A row's digest is BLAKE2b to 128 bits over the bytes of its vector (little-endian, as stored), so it says what the
vector is and nothing of where it stands. A set's digest is BLAKE2b over its ledger: the records (id, row digest) in
ascending order of id. It depends on every id and every byte, and not on the order or the blocks in which rows came.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROW_DIGEST_BYTES = 16
Digests = NDArray[np.void]
"""One 16-byte digest per row; they compare and sort as bytes."""


def row_digests(vectors: NDArray[Any]) -> Digests:
    """The digest of each row of an array of shape (rows, dimensions)."""
    little = np.ascontiguousarray(vectors, vectors.dtype.newbyteorder("<"))
    width = little.shape[1] * little.itemsize
    raw = little.tobytes()
    digests = b"".join(
        hashlib.blake2b(raw[start : start + width], digest_size=ROW_DIGEST_BYTES).digest()
        for start in range(0, len(little) * width, width)
    )
    return np.frombuffer(digests, np.dtype((np.void, ROW_DIGEST_BYTES)))


class SetDigest:
    """Takes the records of a set in ascending order of id and gives the digest of the set.

    What else belongs to the identity of a set: the kind of its ids, the number of dimensions, the element type.
    """

    def __init__(self, id_kind: str, dimensions: int, dtype: str) -> None:
        self._hash = hashlib.blake2b(f"{id_kind} {dimensions} {dtype}\n".encode(), digest_size=32)

    def add(self, ids: NDArray[Any], digests: Digests) -> None:
        """Append records; every id is larger than those before it."""
        if ids.dtype.kind == "T":
            self._hash.update(b"".join(_records(ids.tolist(), digests.tolist())))
            return
        records = np.empty(len(ids), np.dtype([("id", ids.dtype.newbyteorder("<")), ("row", digests.dtype)]))
        records["id"], records["row"] = ids, digests
        self._hash.update(records.tobytes())

    def hexdigest(self) -> str:
        return self._hash.hexdigest()


def _records(ids: Iterable[str], digests: Iterable[bytes]) -> Iterable[bytes]:
    for name, digest in zip(ids, digests, strict=True):
        encoded = name.encode()
        yield len(encoded).to_bytes(8, "little")
        yield encoded
        yield digest
