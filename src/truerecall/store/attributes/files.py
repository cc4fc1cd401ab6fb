"""Reading the common formats of small files, with every failure told in one plain line."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from truerecall.errors import FormatError, InputError

GZIP = b"\x1f\x8b"
"""How a gzip archive begins."""


def demand_file(path: Path) -> None:
    """Raises InputError where ``path`` is no file."""
    if path.is_dir():
        raise InputError(f"{path} is a folder", "name a file in it")
    if not path.exists():
        raise InputError(f"{path} does not exist", "check the path")


def refuse_suffix(path: Path, known: tuple[str, ...], *, holds: str) -> InputError:
    """The error for a file whose name does not end in one of the ``known`` ways."""
    ending = path.suffix or "without an ending"
    return InputError(f"{path} ({ending}) is not a kind of file that {holds} are read from", f"give {', '.join(known)}")


def plain_text(path: Path) -> str:
    """A UTF-8 text file, plain or gzipped, without byte order mark."""
    demand_file(path)
    raw = path.read_bytes()
    try:
        return (gzip.decompress(raw) if raw.startswith(GZIP) else raw).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} is not UTF-8 text (byte {error.start})", "save it as UTF-8") from None
    except (OSError, EOFError, zlib.error):
        raise FormatError(f"{path} is a damaged gzip archive", "write it again, or fetch it again") from None


def text_lines(path: Path) -> list[str]:
    """The lines of a UTF-8 text file, plain or gzipped, without line ends and byte order mark. Lines end at line feeds
    alone."""
    lines = plain_text(path).split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def json_document(path: Path) -> Any:
    """The JSON document in a file."""
    try:
        return _parsed("\n".join(text_lines(path)), str(path))
    except json.JSONDecodeError as error:
        problem = f"{path} is not JSON: line {error.lineno}, column {error.colno}: {error.msg}"
        raise FormatError(problem, "mend the file") from None


def _parsed(text: str, what: str) -> Any:
    """The value that a text spells. JSONDecodeError, or FormatError for what JSON allows and cannot be read."""
    try:
        return json.loads(text, object_pairs_hook=_each_once)
    except (json.JSONDecodeError, FormatError):
        raise
    except RecursionError:
        raise FormatError(
            f"{what} is nested too deep", "write lists and objects as the documentation has them"
        ) from None
    except ValueError:
        raise FormatError(f"{what} holds a whole number of thousands of digits", "write it as a string") from None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise FormatError(f"the name {twice!r} stands twice in one JSON object", "give each name once")
    return found


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON lines file, each with its line number from 1; blank lines are skipped."""
    for number, line in enumerate(text_lines(path), 1):
        if not line.strip():
            continue
        try:
            entry = _parsed(line, f"{path}: line {number}")
        except json.JSONDecodeError as error:
            raise FormatError(f"{path}: line {number} is not JSON: {error.msg}", "mend the line") from None
        if not isinstance(entry, dict):
            raise FormatError(f"{path}: line {number} is not a JSON object", 'write {"id": ..., ...} on every line')
        yield number, entry


def parquet_columns(path: Path) -> list[str]:
    """The names of the columns of a Parquet file."""
    demand_file(path)
    try:
        return list(pq.read_schema(path).names)
    except pa.ArrowException:
        raise FormatError(
            f"{path} is not a Parquet file, or it is damaged", "give the file as it was written"
        ) from None


def parquet_column(path: Path, name: str) -> pa.Array:
    """One column in one piece, dictionaries and string views resolved. Raises FormatError where a value is missing."""
    if name not in (columns := parquet_columns(path)):
        raise InputError(f"{path} has no column {name}, only {', '.join(columns)}", f"name a column {name}")
    try:
        with pq.ParquetFile(path, pre_buffer=False) as file:
            column = file.read([name], use_threads=False).column(0)
    except pa.ArrowException:
        raise FormatError(f"{path} is damaged", "restore it, or make it again") from None
    if column.null_count:
        raise FormatError(f"{path}: {column.null_count} values of column {name} are missing", "fill or drop those rows")
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_string_view(column.type):
        column = column.cast(pa.large_string())
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
