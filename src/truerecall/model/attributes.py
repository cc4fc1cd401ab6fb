"""What is known of each row of a corpus beside its vector: named columns, by which a search can be narrowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, Protocol

import numpy as np

from truerecall.errors import InputError, UnknownName
from truerecall.model.arrays import Booleans, Integers, frozen

Kind = Literal["integers", "floats", "booleans", "texts"]
KINDS: Mapping[str, Kind] = MappingProxyType({"i": "integers", "f": "floats", "b": "booleans", "T": "texts"})


@dataclass(frozen=True, eq=False)
class Column:
    """A value for each row: int64, float64, bool, or texts (``numpy.dtypes.StringDType``). ``missing``: True where a
    row has none; what stands in ``values`` there means nothing. A float that is no number counts as missing."""

    values: Any
    missing: Booleans

    def __post_init__(self) -> None:
        missing = self.missing
        if self.values.dtype.kind == "f":
            missing = missing | np.isnan(self.values)
        object.__setattr__(self, "values", frozen(self.values))
        object.__setattr__(self, "missing", frozen(missing))

    @property
    def kind(self) -> Kind:
        return KINDS[self.values.dtype.kind]

    def of_rows(self, rows: Integers) -> list[Any]:
        """Plain values, None where a row has none."""
        pairs = zip(self.values[rows].tolist(), self.missing[rows].tolist(), strict=True)
        return [None if absent else value for value, absent in pairs]


def demand_numbers(values: Any, *, what: str) -> None:
    """Raises InputError where a float is no number: a database orders it above all others, and here it is missing."""
    count = int(np.isnan(values).sum()) if values.dtype.kind == "f" else 0
    if count:
        raise InputError(
            f"{what} holds NaN in {count:,} rows, which compares otherwise in a database", "make them NULL"
        )


@dataclass(frozen=True, eq=False)
class Attributes:
    """Columns over the same rows, by their names."""

    columns: Mapping[str, Column]

    def __len__(self) -> int:
        return next((len(column.missing) for column in self.columns.values()), 0)

    def column(self, name: str) -> Column:
        """Raises UnknownName."""
        if name not in self.columns:
            raise UnknownName("column", name, self.columns)
        return self.columns[name]

    def take(self, rows: Integers) -> Attributes:
        """Those of some rows, in this order."""
        return Attributes({name: Column(own.values[rows], own.missing[rows]) for name, own in self.columns.items()})


class AttributeSource(Protocol):
    """Where attributes are read from."""

    def read(self, names: Iterable[str]) -> Attributes:
        """These columns, a value for each row of the corpus, in the order of its rows. Raises InputError for a column
        that is not there and for values that are neither numbers, texts nor truth values."""
        ...
