"""A stored artefact: one Parquet file that carries its own checksum.

The file has a table (the columns) and two JSON documents in its metadata: ``content``, which together with the
columns is what the artefact says, and ``provenance``: when, where and how it came to be. Two artefacts with the same
columns and content are the same, whatever their provenance; ``content_digest`` compares them.

It may carry attachments: tables of another shape that belong to the artefact and not to what it says. They lie between
the rows and the footer, where no reader of Parquet looks, each a Parquet file of its own; the manifest says where.

Parquet's page checksums let some damage through, so the metadata also holds a digest of the whole file, taken with
the digest's own place filled with zeros. Loading refuses a file of which any byte has changed.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from truerecall.errors import FormatError, InputError
from truerecall.model.ids import IDS_AT_ONCE
from truerecall.store.places import demand_file_place, put_in_place

CHECKSUM_KEY = b"truerecall.checksum"
MANIFEST_KEY = b"truerecall.manifest"
BLANK = b"0" * 64
# In the footer (Thrift, compact protocol) a key is followed by one byte for "next field, binary" and one for the
# length 64 of the value.
VALUE_OFFSET = len(CHECKSUM_KEY) + 2


@dataclass(frozen=True, eq=False)
class Artefact:
    """``kind`` says what it is (``truth``, ``run``), ``format`` the number of its layout.

    ``attachments``: by name, as ``attached`` makes them and ``table_of`` reads them.
    """

    kind: str
    format: int
    table: pa.Table
    content: Mapping[str, Any]
    provenance: Mapping[str, Any]
    attachments: Mapping[str, pa.Buffer] = field(default_factory=dict)

    @property
    def content_digest(self) -> str:
        """A digest of the columns and the content, independent of compression and of the Parquet library."""
        digest = hashlib.blake2b(digest_size=32)
        digest.update(canonical_json([self.kind, self.format, self.content]))
        for name in self.table.column_names:
            digest.update(f"\n{name}:".encode())
            _digest_column(digest, self.table.column(name))
        return digest.hexdigest()


# Here and wherever else Parquet is read PyArrow starts no thread: one that is still starting when a short process ends
# can abort it, with an exit status that is none of ours.
def attached(table: pa.Table) -> pa.Buffer:
    """A table as an attachment."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue()


def table_of(attachment: pa.Buffer) -> pa.Table:
    """The inverse of ``attached``."""
    with pq.ParquetFile(pa.BufferReader(attachment), pre_buffer=False) as file:
        return file.read(use_threads=False)


def canonical_json(document: Any) -> bytes:
    """JSON with sorted keys, no spare white space and no NaN: equal documents give equal bytes."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def demand_artefact_place(path: Path, kind: str) -> None:
    """Raises InputError where no file can be written, or where it would replace anything but its own kind."""
    demand_file_place(path)
    if path.exists() and (found := kind_of(path)) != kind:
        held = f"a {found} file" if found else f"no {kind} file"
        raise InputError(f"{path} is {held} and would be replaced", "name another file, or take that one away")


def write_artefact(path: Path, artefact: Artefact) -> None:
    """Write the file in one step: at every moment ``path`` is either absent, the old file or the new one.

    Nothing but an artefact of the same kind is ever replaced; see ``demand_artefact_place``.
    """
    demand_artefact_place(path, artefact.kind)
    path.parent.mkdir(parents=True, exist_ok=True)
    manifest: dict[str, Any] = {
        "kind": artefact.kind,
        "format": artefact.format,
        "content": artefact.content,
        "provenance": artefact.provenance,
    }
    with put_in_place(path) as partial:
        with (
            pa.OSFile(str(partial), "wb") as sink,
            pq.ParquetWriter(sink, artefact.table.schema, compression="zstd") as writer,
        ):
            writer.write_table(artefact.table)
            places = {}
            for name, attachment in artefact.attachments.items():
                places[name] = [sink.tell(), attachment.size]
                sink.write(attachment)
            if places:
                manifest["attachments"] = places
            writer.add_key_value_metadata({MANIFEST_KEY: canonical_json(manifest), CHECKSUM_KEY: BLANK})
        with partial.open("r+b") as file:
            blank = file.read()
            file.seek(blank.rindex(CHECKSUM_KEY) + VALUE_OFFSET)
            file.write(hashlib.blake2b(blank, digest_size=32).hexdigest().encode())
            file.flush()
            os.fsync(file.fileno())


def read_artefact(path: Path, kind: str, newest_format: int) -> Artefact:
    """The artefact at ``path``, its checksum verified.

    Raises InputError where there is no file, FormatError where it is another file, of another kind or damaged.
    """
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path} does not exist", "check the path") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder", f"name the {kind} file in it") from None
    _verify_checksum(path, raw, kind)
    whole = pa.py_buffer(raw)
    with pq.ParquetFile(pa.BufferReader(whole), pre_buffer=False) as file:
        manifest = json.loads(file.metadata.metadata[MANIFEST_KEY])
        if manifest["kind"] != kind:
            raise FormatError(f"{path} is a {manifest['kind']} file", f"give a {kind} file")
        if manifest["format"] > newest_format:
            raise FormatError(
                f"{path} has format {manifest['format']} and this truerecall reads up to {newest_format}",
                "upgrade truerecall",
            )
        table = file.read(use_threads=False)
    attachments = {name: whole.slice(*place) for name, place in manifest.get("attachments", {}).items()}
    return Artefact(kind, manifest["format"], table, manifest["content"], manifest["provenance"], attachments)


def kind_of(path: Path) -> str | None:
    """What kind of artefact lies at ``path``, or None where it is none of ours. Reads the footer alone."""
    try:
        metadata = pq.read_metadata(path).metadata or {}
        return str(json.loads(metadata[MANIFEST_KEY])["kind"])
    except (OSError, pa.ArrowException, KeyError, ValueError):
        return None


def is_ours(path: Path) -> bool:
    """Whether a Parquet file bears a mark of ours. Either will do: of a file that bears one and fails its checksum, the
    other was damaged."""
    try:
        return bool({MANIFEST_KEY, CHECKSUM_KEY} & set(pq.read_metadata(path).metadata or {}))
    except (OSError, pa.ArrowException, ValueError):
        return False


def refuse_unreadable(folder: Path) -> None:
    """Raises FormatError where a Parquet file in the folder cannot be opened: nobody can tell what it was."""
    for path in sorted(folder.glob("*.parquet")):
        try:
            pq.read_metadata(path)
        except (OSError, pa.ArrowException):
            raise FormatError(f"{path} is damaged", "restore it, make it again, or take it away") from None


def artefacts_in(folder: Path, kind: str) -> list[Path]:
    """The artefacts of one kind directly in a folder, by name."""
    return [path for path in sorted(folder.glob("*.parquet")) if kind_of(path) == kind]


def _verify_checksum(path: Path, raw: bytes, kind: str) -> None:
    start = raw.rfind(CHECKSUM_KEY) + VALUE_OFFSET
    if start < VALUE_OFFSET:
        if raw[:4] == b"PAR1" == raw[-4:]:
            raise FormatError(f"{path} is a Parquet file that truerecall did not write", f"give a {kind} file")
        raise FormatError(
            f"{path} is not a {kind} file of truerecall, or it is damaged", "give the file as it was written"
        )
    digest = hashlib.blake2b(digest_size=32)
    digest.update(raw[:start])
    digest.update(BLANK)
    digest.update(memoryview(raw)[start + len(BLANK) :])
    if digest.hexdigest().encode() != raw[start : start + len(BLANK)]:
        raise FormatError(f"{path} is damaged: its checksum does not hold", "restore it, or make it again")


def _digest_column(digest: Any, column: pa.ChunkedArray) -> None:
    """Feed a column's type and values: every buffer of its one-chunk form, copied so that offsets start at zero."""
    array = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    _digest_array(digest, array)


def _digest_array(digest: Any, array: pa.Array) -> None:
    # A list's type is not asked for its spelling: Parquet renames the field of its items.
    is_list = pa.types.is_list(array.type) or pa.types.is_large_list(array.type)
    digest.update(f"{'list' if is_list else array.type}|{len(array)}|{array.null_count}|".encode())
    if array.null_count:
        digest.update(array.is_null().to_numpy(zero_copy_only=False).tobytes())
    if is_list:
        digest.update(array.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).astype("<i8").tobytes())
        _digest_array(digest, array.flatten())
    elif pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
        array = array.fill_null("")
        digest.update(json.dumps(pc.binary_length(array).to_pylist()).encode())
        for start in range(0, len(array), IDS_AT_ONCE):
            digest.update("".join(array.slice(start, IDS_AT_ONCE).to_pylist()).encode())
    else:
        filled = array.fill_null(0) if array.null_count else array
        digest.update(filled.to_numpy(zero_copy_only=False).tobytes())
