"""The two sides of a measurement: the corpus that is searched and the queries that search it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Ids, Vectors, frozen
from truerecall.model.attributes import AttributeSource
from truerecall.model.ids import id_kind, row_numbers
from truerecall.model.source import CorpusSource


@dataclass(frozen=True)
class Fingerprint:
    """Which vectors something was computed from.

    ``digest`` depends on the ids and the bytes of the vectors, not on file, path or chunking; where ids are given
    it does not depend on the order of rows either. ``ids`` is the kind of the ids, ``row`` where they are row numbers.
    """

    digest: str
    rows: int
    dimensions: int
    dtype: str
    ids: str


@dataclass(frozen=True)
class FileState:
    """By what a file that was touched is told from one that was not. Times in nanoseconds."""

    path: str
    size_bytes: int
    modified_ns: int
    changed_ns: int
    inode: int
    device: int


@dataclass(frozen=True)
class FileStates:
    """The files behind a corpus when it was opened. ``opened_as``: what they were opened as, part and order of ids
    included: the same files opened otherwise are other vectors."""

    opened_as: str
    files: tuple[FileState, ...]


@dataclass(frozen=True, eq=False)
class Corpus:
    """The vectors that an index holds, and what each row is called. ``given_ids`` is None for row numbers.

    ``drawn_from``: of how many rows these are a sample, None where they are all there are. ``files``: the state of
    the files that vectors and ids were opened from, None where nobody can say that they are still the same.
    ``attributes``: where columns of its rows are read from, None where there are none. ``moving``: why its rows may
    change while they are read, empty where all passes see one state.
    """

    source: CorpusSource
    given_ids: Ids | None = None
    drawn_from: int | None = None
    files: FileStates | None = None
    attributes: AttributeSource | None = None
    moving: str = ""

    @property
    def ids(self) -> Ids:
        return row_numbers(self.source.rows) if self.given_ids is None else self.given_ids

    @property
    def id_kind(self) -> str:
        return id_kind(self.given_ids)


@dataclass(frozen=True, eq=False)
class QuerySet:
    """The vectors that are asked for, in memory: shape (queries, dimensions). ``bits`` as in CorpusSource.

    ``drawing``: the record of how they were drawn (see model/drawing.py), None where they bring none.
    """

    vectors: Vectors
    given_ids: Ids | None = None
    name: str = "queries"
    bits: int | None = None
    drawing: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "vectors", frozen(np.ascontiguousarray(self.vectors)))

    def __len__(self) -> int:
        return int(self.vectors.shape[0])

    @property
    def dimensions(self) -> int:
        return int(self.vectors.shape[1])

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.vectors.dtype

    @property
    def ids(self) -> Ids:
        return row_numbers(len(self)) if self.given_ids is None else self.given_ids

    @property
    def id_kind(self) -> str:
        return id_kind(self.given_ids)


def demand_fit(corpus: Corpus, queries: QuerySet, k: int) -> None:
    """Raises InputError where the two sides differ in dimensions, or where k neighbours cannot be had."""
    source = corpus.source
    if not len(queries):
        raise InputError(f"{queries.name} holds no query", "give at least one")
    if queries.dimensions != source.dimensions:
        raise InputError(
            f"{queries.name} has {queries.dimensions} dimensions and {source.name} has {source.dimensions}",
            "embed both with the same model",
        )
    if None not in (queries.bits, source.bits) and queries.bits != source.bits:
        raise InputError(
            f"{queries.name} has {queries.bits} bits and {source.name} has {source.bits}", "code both the same way"
        )
    if k < 1:
        raise InputError(f"k is {k}", "ask for at least one neighbour")
    if k > source.rows:
        raise InputError(f"k is {k} and {source.name} holds {source.rows} rows", f"ask for k <= {source.rows}")
