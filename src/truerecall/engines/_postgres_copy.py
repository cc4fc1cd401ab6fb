"""Rows as COPY takes them in binary: a count of fields, then each behind its length, -1 where it is missing."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from truerecall.engines._attribute_tables import records
from truerecall.engines._postgres_wire import Element
from truerecall.errors import InputError
from truerecall.model.attributes import Column, Kind
from truerecall.model.source import CorpusSource

BLOCK_BYTES = 4 * 2**20
COPY_HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
COPY_END = b"\xff\xff"
MISSING = struct.pack(">i", -1)
ID, NUMBER, TRUTH = struct.Struct(">hiq"), struct.Struct(">iq"), struct.Struct(">ib")
REAL, LENGTH = struct.Struct(">id"), struct.Struct(">i")


def tuples_of(element: Element, source: CorpusSource) -> Iterator[bytes]:
    """The rows of the corpus, each its number and its vector, many at a time."""
    record = np.dtype([("fields", ">i2"), ("wide", ">i4"), ("id", ">i8"), ("long", ">i4"), ("vector", element.record)])
    for start, block in source.blocks(max(1, BLOCK_BYTES // record.itemsize)):
        rows = np.empty(len(block), record)
        rows["fields"], rows["wide"], rows["long"] = 2, 8, element.record.itemsize
        rows["id"] = np.arange(start, start + len(block))
        rows["vector"] = element.pack(element.cast(block))
        yield rows.tobytes()


def wide_tuples(element: Element, source: CorpusSource, columns: Mapping[str, Column]) -> Iterator[bytes]:
    """The same with the values of the columns behind the vector."""
    writers = [WRITERS[column.kind] for column in columns.values()]
    long = LENGTH.pack(element.record.itemsize)
    for start, block in source.blocks(max(1, BLOCK_BYTES // element.record.itemsize)):
        packed, pieces = element.pack(element.cast(block)), []
        for row, own in enumerate(records(columns, start, start + len(block))):
            fields = [MISSING if value is None else write(value) for write, value in zip(writers, own, strict=True)]
            pieces += [ID.pack(2 + len(fields), 8, start + row), long, packed[row].tobytes(), *fields]
        yield b"".join(pieces)


def _text(value: str) -> bytes:
    if "\0" in value:
        raise InputError("a text holds the character U+0000, which PostgreSQL cannot hold", "take it out")
    encoded = value.encode()
    return LENGTH.pack(len(encoded)) + encoded


WRITERS: Mapping[Kind, Callable[[Any], bytes]] = MappingProxyType(
    {
        "integers": lambda value: NUMBER.pack(8, value),
        "floats": lambda value: REAL.pack(8, value),
        "booleans": lambda value: TRUTH.pack(1, value),
        "texts": _text,
    }
)
