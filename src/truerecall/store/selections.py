"""Some rows of a corpus, on disk: a file that stands for them wherever a corpus is asked for.

It holds row numbers, not vectors: those that were left out (``held out``) or those that were kept (``sampled corpus``),
the place of the corpus seen from the file itself, and the corpus's fingerprint. Whether the corpus is still the same is
told by sizes, times and inodes where these agree, and else by reading it again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from truerecall.errors import InputError
from truerecall.model.arrays import Integers
from truerecall.model.selected import SelectedSource
from truerecall.model.vectors import Corpus, Fingerprint
from truerecall.store.artefact import Artefact, kind_of, read_artefact, write_artefact
from truerecall.store.contents import contents_of
from truerecall.store.file_states import stamps_of
from truerecall.store.parts import parted

KIND = "rows"
FORMAT = 1
"""1: row; the content has purpose, corpus and drawing, the provenance where the corpus and its ids lie."""

Purpose = Literal["held out", "sampled corpus"]
DRAW_AGAIN = "put the corpus back as it was, or draw again"


@dataclass(frozen=True, eq=False)
class Selection:
    """``rows``: ascending; left out of the corpus where the purpose is ``held out``, else all that is kept of it.
    ``corpus`` and ``ids``: where the vectors and the ids beside them were read from."""

    purpose: Purpose
    rows: Integers
    corpus: Path
    ids: Path | None
    fingerprint: Fingerprint
    drawing: Mapping[str, Any]


def save_selection(selection: Selection, path: Path, provenance: Mapping[str, Any]) -> None:
    """Write the selection in one step; one that was there is replaced, unless this one is drawn from it."""
    _refuse_circle(selection.corpus, path)
    content = {
        "purpose": selection.purpose,
        "corpus": asdict(selection.fingerprint),
        "drawing": dict(selection.drawing),
    }
    places = {
        name: None if own is None else {"path": _seen_from(path, own), "stamps": stamps_of(own)}
        for name, own in (("corpus", selection.corpus), ("ids", selection.ids))
    }
    table = pa.table({"row": pa.array(selection.rows)})
    write_artefact(path, Artefact(KIND, FORMAT, table, content, {**provenance, **places}))


def is_selection(path: Path) -> bool:
    """Whether a row selection lies there."""
    return path.is_file() and path.suffix.lower() == ".parquet" and kind_of(path) == KIND


def open_selection(path: Path, open_corpus: Callable[[Path, Path | None], Corpus]) -> Corpus:
    """The rows that are kept, under their own ids: where a row was called by its number, it keeps that number.

    Raises InputError where the corpus is not there, or is another one now.
    """
    artefact = read_artefact(path, KIND, FORMAT)
    places = {name: _place(path, artefact.provenance[name]) for name in ("corpus", "ids")}
    for own in places.values():
        if own is not None and not parted(own)[0].exists():
            raise InputError(f"{own}, which {path} selects rows of, does not exist", DRAW_AGAIN)
    corpus_place, was = places["corpus"], Fingerprint(**artefact.content["corpus"])
    assert corpus_place is not None
    whole = open_corpus(corpus_place, places["ids"])
    touched = any(
        stamps_of(own) != artefact.provenance[name]["stamps"] for name, own in places.items() if own is not None
    )
    _demand_same(whole, was, path, corpus_place, read=touched)
    rows = artefact.table.column("row").to_numpy().astype(np.int64)
    sampled = artefact.content["purpose"] == "sampled corpus"
    kept = rows if sampled else np.setdiff1d(np.arange(was.rows), rows, assume_unique=True)
    drawn_from = whole.drawn_from or (was.rows if sampled else None)
    return Corpus(SelectedSource(whole.source, kept, str(path)), whole.ids[kept], drawn_from)


def _demand_same(corpus: Corpus, was: Fingerprint, path: Path, place: Path, *, read: bool) -> None:
    source = corpus.source
    facts = {"rows": source.rows, "dimensions": source.dimensions, "dtype": source.dtype.name, "ids": corpus.id_kind}
    for fact, now in facts.items():
        before = getattr(was, fact)
        if before != now:
            raise InputError(f"{path} selects rows of {place}, which had {fact} {before} and has {now} now", DRAW_AGAIN)
    if read and (now_is := contents_of(corpus).fingerprint) != was:
        raise InputError(
            f"{path} selects rows of {place}, which has the same shape and other content now"
            f" (digest {was.digest[:12]}, now {now_is.digest[:12]})",
            DRAW_AGAIN,
        )


def _refuse_circle(corpus: Path, path: Path) -> None:
    """Raises InputError where the file to be written is one that it would itself be read from."""
    while is_selection(corpus):
        if corpus.resolve() == path.resolve():
            raise InputError(f"{path} is drawn from itself and would be replaced", "name another file")
        recorded = read_artefact(corpus, KIND, FORMAT).provenance["corpus"]
        corpus = _place(corpus, recorded) or corpus


def _seen_from(path: Path, own: Path) -> str:
    # Folders are followed to where they really lie: a way through a link and back would end elsewhere.
    seen = Path(os.path.relpath(own.parent.resolve() / own.name, path.parent.resolve())).as_posix()
    try:
        seen.encode()
    except UnicodeEncodeError:
        raise InputError(f"the path {own} is no text", "give the file a name in UTF-8") from None
    return seen


def _place(path: Path, recorded: Mapping[str, Any] | None) -> Path | None:
    return None if recorded is None else Path(os.path.normpath(path.parent.resolve() / recorded["path"]))
