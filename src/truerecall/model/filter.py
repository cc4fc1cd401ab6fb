"""A condition on the attributes of a row: which rows may answer at all.

SQL's logic of three values: a comparison with a missing value is neither true nor false, and a row may answer only
where the condition is true. A negation is carried to the comparisons when a filter is read, which that logic allows:
NOT (a < 3) is a >= 3, in both a missing value is left out. So what stands here has none, and "unknown" and "false" need
not be told apart.

Numbers compare with numbers, by value; texts with texts, by code point; truth values only by = and !=.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Booleans
from truerecall.model.attributes import Attributes, Column
from truerecall.model.eligibility import FILTER

Scalar = bool | int | float | str
Sign = Literal["=", "!=", "<", "<=", ">", ">="]
COMPARE: Mapping[Sign, Callable[[Any, Any], Any]] = MappingProxyType(
    {
        "=": operator.eq,
        "!=": operator.ne,
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
    }
)
PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
SQL_WORDS = """
ALTER AND ANY ARRAY AS BETWEEN CASE CONNECT_BY_ROOT CREATE CROSS CURRENT_CATALOG CURRENT_DATE CURRENT_TIME
CURRENT_TIMESTAMP CURRENT_USER DISTINCT DROP ELSE EXCEPT FALSE FETCH FOR FROM GLOB GRANT HAVING IF ILIKE IN INNER INSERT
INTERSECT INTO IS JOIN LATERAL LIKE LIST LOCALTIME LOCALTIMESTAMP MAP NOT NOTNULL NULL NULLABLE OBJECT ON OR OUTER
PARTITIONED_BY QUALIFY RANGE REGEXP RETURNING REVOKE RLIKE ROLLBACK SELECT SESSION_USER STRAIGHT_JOIN STRUCT TABLESAMPLE
THEN TRUE UNCACHE UNION USING WHEN WHERE WITH XOR
"""
WORDS = frozenset(SQL_WORDS.split())
"""What is no column unless it stands in quotes."""
WHOLE_NUMBERS = range(-(2**63), 2**63)
"""What a column of whole numbers can hold."""


@dataclass(frozen=True)
class Compared:
    """``price < 10``."""

    column: str
    sign: Sign
    value: Scalar

    def holds(self, attributes: Attributes) -> Booleans:
        column = attributes.column(self.column)
        return _compared(self.column, column, self.sign, self.value) & ~column.missing

    def __str__(self) -> str:
        return f"{_name(self.column)} {self.sign} {_literal(self.value)}"


@dataclass(frozen=True)
class OneOf:
    """``colour IN ('red', 'blue')``; with ``among`` False NOT IN."""

    column: str
    values: tuple[Scalar, ...]
    among: bool = True

    def holds(self, attributes: Attributes) -> Booleans:
        column = attributes.column(self.column)
        found = reduce(operator.or_, (_compared(self.column, column, "=", value) for value in self.values))
        return (found if self.among else ~found) & ~column.missing

    def __str__(self) -> str:
        listed = ", ".join(map(_literal, self.values))
        return f"{_name(self.column)} {'IN' if self.among else 'NOT IN'} ({listed})"


@dataclass(frozen=True)
class Missing:
    """``price IS NULL``; with ``missing`` False IS NOT NULL."""

    column: str
    missing: bool = True

    def holds(self, attributes: Attributes) -> Booleans:
        absent = attributes.column(self.column).missing
        return absent if self.missing else ~absent

    def __str__(self) -> str:
        return f"{_name(self.column)} IS {'NULL' if self.missing else 'NOT NULL'}"


@dataclass(frozen=True)
class AllOf:
    """Conditions with AND between them, two at least."""

    parts: tuple[Condition, ...]

    def holds(self, attributes: Attributes) -> Booleans:
        return reduce(operator.and_, (part.holds(attributes) for part in self.parts))

    def __str__(self) -> str:
        return " AND ".join(f"({part})" if isinstance(part, AnyOf) else str(part) for part in self.parts)


@dataclass(frozen=True)
class AnyOf:
    """Conditions with OR between them, two at least."""

    parts: tuple[Condition, ...]

    def holds(self, attributes: Attributes) -> Booleans:
        return reduce(operator.or_, (part.holds(attributes) for part in self.parts))

    def __str__(self) -> str:
        return " OR ".join(map(str, self.parts))


Condition = Compared | OneOf | Missing | AllOf | AnyOf


@dataclass(frozen=True)
class Filter:
    """Which rows may answer, as a condition on their attributes. Its text is the same however it was spelt."""

    condition: Condition

    def __str__(self) -> str:
        return str(self.condition)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it looks at, each once, in the order of the text."""
        return tuple(dict.fromkeys(_columns(self.condition)))

    def holds(self, attributes: Attributes) -> Booleans:
        """True for each row that may answer. Raises UnknownName for a column that is not there, InputError for a
        comparison that means nothing."""
        return self.condition.holds(attributes)


@dataclass(frozen=True)
class Narrowed:
    """A filter as it falls out on a corpus: its text, for how many of the rows it holds, and how a truth says that it
    leaves out the others, which tells two filters apart that keep as many."""

    text: str
    kept: int
    rows: int
    told: str

    @property
    def selectivity(self) -> float:
        """Of all rows the share that may answer."""
        return self.kept / self.rows

    @property
    def reasons(self) -> Mapping[str, str]:
        """What a truth behind this filter says of the rows that it leaves out."""
        return {FILTER: self.told}


def _columns(condition: Condition) -> list[str]:
    if isinstance(condition, AllOf | AnyOf):
        return [name for part in condition.parts for name in _columns(part)]
    return [condition.column]


def _compared(name: str, column: Column, sign: Sign, value: Scalar) -> Booleans:
    """Of every row, also of those that have no value."""
    kind = column.kind
    if kind == "booleans":
        fits = isinstance(value, bool) and sign in ("=", "!=")
    elif kind == "texts":
        fits = isinstance(value, str)
    else:
        fits = isinstance(value, int | float) and not isinstance(value, bool)
    if not fits:
        said = {"booleans": "true or false, which can only be equal or not", "texts": "texts"}.get(kind, "numbers")
        raise InputError(
            f"{name} {sign} {_literal(value)} compares what does not compare: {name} holds {said}", "mend the filter"
        )
    if kind == "integers" and isinstance(value, float):
        return _compared_with_fraction(column, sign, value)
    return np.asarray(COMPARE[sign](column.values, value), np.bool_)


def _compared_with_fraction(column: Column, sign: Sign, value: float) -> Booleans:
    """Whole numbers beside one that may lie between two of them, without making floats of them."""
    if value.is_integer():
        return np.asarray(COMPARE[sign](column.values, int(value)), np.bool_)
    if sign in ("=", "!="):
        return np.full(len(column.values), sign == "!=")
    return np.asarray(column.values <= math.floor(value) if "<" in sign else column.values >= math.ceil(value))


def _name(column: str) -> str:
    if PLAIN_NAME.fullmatch(column) and column.upper() not in WORDS:
        return column
    doubled = column.replace('"', '""')
    return f'"{doubled}"'


def _literal(value: Scalar) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        doubled = value.replace("'", "''")
        return f"'{doubled}'"
    return repr(value)
