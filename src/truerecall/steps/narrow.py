"""The filters of a plan as they fall out on a corpus: the columns that they look at, and the rows that they keep."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from truerecall.errors import InputError
from truerecall.model.arrays import Booleans
from truerecall.model.attributes import Attributes, Column
from truerecall.model.eligibility import Eligibility
from truerecall.model.filter import Filter, Narrowed
from truerecall.model.selectivity import DRAWN, drawn_column
from truerecall.model.settled import settled
from truerecall.model.vectors import Corpus
from truerecall.steps.choice import kept_words


@dataclass(frozen=True, eq=False)
class Behind:
    """One filter, the ``rows`` that it keeps (True), and the same in words."""

    where: Filter
    rows: Booleans
    narrowed: Narrowed

    @property
    def eligibility(self) -> Eligibility:
        return Eligibility(self.rows, reasons=self.narrowed.reasons)


@dataclass(frozen=True, eq=False)
class Narrows:
    """All filters of a plan, with the columns that they look at; None where there is no filter."""

    each: tuple[Behind, ...] = ()
    attributes: Attributes | None = None

    @property
    def digest(self) -> str:
        """Of the columns: an index that holds other ones is another index."""
        digest = hashlib.blake2b(digest_size=16)
        for name, column in ({} if self.attributes is None else self.attributes.columns).items():
            parts = [name.encode(), column.kind.encode(), column.missing.tobytes(), _bytes_of(column)]
            for part in parts:
                digest.update(len(part).to_bytes(8, "little") + part)
        return digest.hexdigest()


NO_FILTERS = Narrows()


def narrowed(filters: Iterable[Filter], corpus: Corpus, *, seed: int) -> Narrows:
    """What the filters keep of the corpus; equal ones count once. ``seed``: that of the column DRAWN.

    Raises InputError for a column that is not there, a comparison that means nothing, and a filter that keeps no row.
    """
    filters = tuple(dict.fromkeys(filters))
    if not filters:
        return NO_FILTERS
    names = dict.fromkeys(name for where in filters for name in where.columns)
    attributes = _read(corpus, tuple(names), seed)
    each = []
    for where in filters:
        rows = where.holds(attributes)
        kept = int(rows.sum())
        if not kept:
            raise InputError(f"no row of {corpus.source.name} passes {where}", "widen the filter")
        told = Narrowed(str(where), kept, len(rows), kept_words(rows, corpus))
        each.append(Behind(settled(where, attributes), rows, told))
    return Narrows(tuple(each), attributes)


def truth_file(own: Narrowed) -> str:
    """What the truth behind a filter is called beside that of all rows."""
    return f"truth-{hashlib.blake2b(own.told.encode(), digest_size=4).hexdigest()}.parquet"


def _read(corpus: Corpus, names: tuple[str, ...], seed: int) -> Attributes:
    own = tuple(name for name in names if name != DRAWN)
    if own and corpus.attributes is None:
        raise InputError(f"{corpus.source.name} has no columns beside its vectors", "give --attributes FILE")
    read = {} if not own or corpus.attributes is None else dict(corpus.attributes.read(own).columns)
    if DRAWN in names:
        read[DRAWN] = drawn_column(corpus.source.rows, seed)
    return Attributes({name: read[name] for name in names})


def _bytes_of(column: Column) -> bytes:
    if column.kind == "texts":
        return b"".join(len(own := text.encode()).to_bytes(8, "little") + own for text in column.values.tolist())
    return bytes(column.values.tobytes())
