"""Corpora by their address: a file, or what lies in a live engine, as ``pgvector:TABLE?id=ID&vector=COLUMN``."""

from __future__ import annotations

from pathlib import Path

from truerecall import shelf
from truerecall.errors import InputError, plain_name
from truerecall.model.engine import Place
from truerecall.model.vectors import Corpus
from truerecall.store import vectors


def open_corpus(path: Path | str, *, ids: Path | str | None = None, dsn_file: Path | None = None) -> Corpus:
    """The corpus in a file or folder (see store/vectors.py), or what an engine holds, as ``ENGINE:NAME``.

    How a server is reached the environment says, or the connection string in ``dsn_file``. Nothing but the header of a
    file, or the ids of an engine, is read. Raises InputError, FormatError, EngineFailed.
    """
    named = live_name(path)
    if named is None:
        return vectors.open_corpus(path, ids=ids)
    if ids is not None:
        raise InputError(f"{path} has ids of its own", f"leave {ids} out")
    engine, name = named
    corpus: Corpus = shelf.engines.get(engine).source(name, place=Place(Path.cwd(), dsn_file))
    return corpus


def live_name(path: Path | str) -> tuple[str, str] | None:
    """The engine and the name in it that an address stands for; None for a file, also one that bears such a name."""
    engine, colon, name = str(path).partition(":")
    if not colon or Path(path).exists():
        return None
    known = {plain_name(own): own for own in shelf.engines.names()}
    own = known.get(plain_name(engine))
    return None if own is None else (own, name)
