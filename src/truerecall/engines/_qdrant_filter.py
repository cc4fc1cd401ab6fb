"""Filters, and what points carry for them, as Qdrant has them in JSON, which its server and its embedded form share.

Qdrant's "must not" also takes points that lack the field, and SQL's "not equal" does not: so it goes together with the
demand that there is a value. A point without a value lacks the field. Numbers with a fraction can only be in a range,
and a range is held against numbers as float64; texts have no order. Qdrant keeps what points carry as JSON, and reads
numbers of many digits back with another last one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from decimal import Decimal
from typing import Any

from truerecall.engines._attribute_tables import records
from truerecall.errors import InputError, UnknownName
from truerecall.model.attributes import Attributes, Column
from truerecall.model.filter import (
    WHOLE_NUMBERS,
    AllOf,
    AnyOf,
    Compared,
    Condition,
    Filter,
    Missing,
    OneOf,
    Scalar,
    Sign,
)

RANGES: Mapping[Sign, str] = {"<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}
WHOLE_FLOATS = 2**53
"""Up to here every whole number is a float64."""
DIGITS, LARGEST_POWER = 15, 22
"""So many digits and such a power of ten are float64 both, and so is what they make together."""

Json = dict[str, Any]


def conditions(where: Filter) -> Json:
    """The filter. Raises InputError for what Qdrant cannot say."""
    return {"must": [_of(where.condition)]}


def _of(condition: Condition) -> Json:
    if isinstance(condition, AllOf | AnyOf):
        return {"must" if isinstance(condition, AllOf) else "should": [_of(part) for part in condition.parts]}
    key = path(condition.column)
    empty = {"is_empty": {"key": key}}
    if isinstance(condition, Missing):
        return empty if condition.missing else {"must_not": [empty]}
    if isinstance(condition, OneOf):
        among = {"should": [_equal(key, value) for value in condition.values]}
        return among if condition.among else {"must_not": [among, empty]}
    if condition.sign in ("=", "!="):
        equal = _equal(key, condition.value)
        return equal if condition.sign == "=" else {"must_not": [equal, empty]}
    return _ordered(key, condition)


def _equal(key: str, value: Scalar) -> Json:
    if isinstance(value, float):
        return {"key": key, "range": {"gte": _kept(value), "lte": value}}
    if isinstance(value, int) and value not in WHOLE_NUMBERS:
        raise InputError(f"Qdrant has no whole number {value}", "mend the filter")
    return {"key": key, "match": {"value": value}}


def _ordered(key: str, condition: Compared) -> Json:
    value = condition.value
    if isinstance(value, str):
        raise InputError(f"Qdrant has no order of texts, and the filter holds {condition}", "compare by = or IN")
    if isinstance(value, int) and abs(value) >= WHOLE_FLOATS:
        raise InputError(f"Qdrant orders numbers as float64, and {value} may be none", "compare by = or IN")
    return {"key": key, "range": {RANGES[condition.sign]: _kept(float(value))}}


def _kept(value: float) -> float:
    """One that comes back as it was: what JSON's fast way of reading numbers makes no error in."""
    _, digits, power = Decimal(repr(value)).as_tuple()
    if len(digits) > DIGITS or abs(int(power)) > LARGEST_POWER:
        raise InputError(f"Qdrant may keep {value!r} with another last digit", "compare with fewer digits")
    return value


def payloads(columns: Mapping[str, Column], start: int, stop: int) -> Iterator[dict[str, Any]]:
    """What the points of these rows carry: their values, those that are missing left out. Raises InputError for
    infinite ones, which JSON lacks."""
    for own in records(columns, start, stop):
        if any(isinstance(value, float) and math.isinf(value) for value in own):
            raise InputError("Qdrant holds no infinite numbers, and a column has some", "take them out")
        yield {name: value for name, value in zip(columns, own, strict=True) if value is not None}


def named(attributes: Attributes | None) -> Collection[str]:
    """The columns that the points of an index carry."""
    return () if attributes is None else tuple(attributes.columns)


def demand_columns(where: Filter | None, columns: Collection[str] | None, count: Callable[[Filter], int]) -> None:
    """Raises UnknownName for a column that is none of these; where they are not known InputError for one that no point
    has, by ``count`` of those that pass a filter: Qdrant takes any name, and finds nothing under it."""
    for name in () if where is None else where.columns:
        if columns is not None and name not in columns:
            raise UnknownName("column", name, columns)
        if columns is None and not count(Filter(Missing(name, missing=False))):
            raise InputError(f"no point has the field {name}, and {where} asks for it", "mend the filter")


def path(column: str) -> str:
    """The column as a path into a payload: quoted, for a dot would lead into an object. Raises InputError."""
    if '"' in column:
        raise InputError(f"Qdrant cannot name the column {column!r}", "give it a name without double quotes")
    return f'"{column}"'
