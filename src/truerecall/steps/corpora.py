"""Corpora by their address: a file, or what lies in a live engine, as ``pgvector:TABLE?id=ID&vector=COLUMN``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir

from truerecall import shelf
from truerecall.errors import InputError
from truerecall.model.engine import Place
from truerecall.model.vectors import Corpus
from truerecall.store import vectors
from truerecall.store.attributes import FileAttributes
from truerecall.store.live import live_name
from truerecall.store.parts import demand_there


def open_corpus(
    path: Path | str,
    *,
    ids: Path | str | None = None,
    attributes: Path | None = None,
    dsn_file: Path | None = None,
) -> Corpus:
    """The corpus in a file or folder (see store/vectors.py), or what an engine holds, as ``ENGINE:NAME``. Columns for
    filters are its own, or those of the file ``attributes``.

    How a server is reached the environment says, or the connection string in ``dsn_file``. Nothing but the header of a
    file, or the ids of an engine, is read. Raises InputError, FormatError, EngineFailed.
    """
    corpus = _opened(path, ids, dsn_file)
    if attributes is None:
        return corpus
    demand_there(attributes)
    return replace(corpus, attributes=FileAttributes(attributes, corpus, beside=attributes))


def _opened(path: Path | str, ids: Path | str | None, dsn_file: Path | None) -> Corpus:
    named = live_name(path)
    if named is None:
        return vectors.open_corpus(path, ids=ids)
    if ids is not None:
        raise InputError(f"{path} has ids of its own", f"leave {ids} out")
    engine, name = named
    corpus: Corpus = shelf.engines.get(engine).source(name, place=Place(Path(gettempdir()), dsn_file))
    return corpus
