"""Attributes of the rows of a corpus, by which a search can be narrowed, from files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from truerecall.errors import InputError
from truerecall.model.arrays import texts
from truerecall.model.attributes import Attributes, Column
from truerecall.model.vectors import Corpus
from truerecall.store.attributes.columns import column_beside, own_column


@dataclass(frozen=True, eq=False)
class FileAttributes:
    """Columns of the file of the vectors at ``path`` or, where ``beside`` is given, of that file: by its column id, or
    in the order of the rows."""

    path: Path
    corpus: Corpus
    beside: Path | None = None

    def read(self, names: Iterable[str]) -> Attributes:
        """See AttributeSource."""
        return Attributes({name: self._column(name) for name in names})

    def _column(self, name: str) -> Column:
        if self.beside is not None:
            return column_from(column_beside(self.beside, name, self.corpus), what=f"{self.beside} column {name}")
        return column_from(own_column(name, self.path, self.corpus.source), what=f"{self.path} column {name}")


def column_of_values(values: list[Any], *, what: str) -> Column:
    """Plain values, None where there is none, as a column; whole numbers among floats count as floats. Raises
    InputError where they are of several kinds, and as ``column_from``."""
    try:
        found = pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        raise InputError(f"{what} holds values of several kinds", "name a column of one kind") from None
    return column_from(pa.chunked_array([found]), what=what)


def column_from(values: pa.ChunkedArray, *, what: str) -> Column:
    """Values of Arrow as a column; ``what`` they are called in a refusal. Raises InputError for a type of values that
    nothing compares with, and for whole numbers beyond int64."""
    kind = values.type
    if pa.types.is_dictionary(kind):
        values, kind = values.cast(kind.value_type), kind.value_type
    missing = np.asarray(pc.is_null(values).to_numpy(), np.bool_)
    if pa.types.is_boolean(kind):
        return Column(np.asarray(pc.fill_null(values, False).to_numpy(), np.bool_), missing)
    if pa.types.is_integer(kind):
        try:
            whole = values.cast(pa.int64())
        except pa.ArrowInvalid:
            raise InputError(f"{what} holds whole numbers beyond 2^63", "give smaller ones, or texts") from None
        return Column(np.asarray(pc.fill_null(whole, 0).to_numpy(), np.int64), missing)
    if pa.types.is_floating(kind):
        return Column(np.asarray(pc.fill_null(values.cast(pa.float64()), 0.0).to_numpy(), np.float64), missing)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return Column(texts(pc.fill_null(values.cast(pa.large_string()), "").to_pylist()), missing)
    if pa.types.is_null(kind):
        return Column(np.zeros(len(values), np.float64), np.ones(len(values), np.bool_))
    raise InputError(f"{what} holds {kind}", "name a column of numbers, texts or truth values")
