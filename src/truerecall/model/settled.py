"""Filters in which every number is of the type of its column: no engine has to compare the two kinds exactly."""

from __future__ import annotations

import math
from dataclasses import replace

from truerecall.model.attributes import Attributes, Kind
from truerecall.model.filter import WHOLE_NUMBERS, AllOf, AnyOf, Compared, Condition, Filter, Missing, OneOf, Scalar


def settled(where: Filter, attributes: Attributes) -> Filter:
    """The same filter: ``x < 2.5`` is ``x <= 2`` where x holds whole numbers, and ``x = 1e30`` no row."""
    return Filter(_settled(where.condition, attributes))


def _settled(condition: Condition, attributes: Attributes) -> Condition:
    if isinstance(condition, AllOf | AnyOf):
        return replace(condition, parts=tuple(_settled(part, attributes) for part in condition.parts))
    if isinstance(condition, Missing):
        return condition
    kind, name = attributes.column(condition.column).kind, condition.column
    if isinstance(condition, OneOf):
        values = [_number_of(kind, value) for value in condition.values]
        known = tuple(value for value in values if value is not None)
        return replace(condition, values=known) if known else _all_or_none(name, all_=not condition.among)
    whole = _number_of(kind, condition.value)
    if whole is not None:
        return replace(condition, value=whole)
    if condition.sign in ("=", "!="):
        return _all_or_none(name, all_=condition.sign == "!=")
    below = "<" in condition.sign
    bound = math.floor(condition.value) if below else math.ceil(condition.value)  # type: ignore[arg-type]
    if bound not in WHOLE_NUMBERS:
        return _all_or_none(name, all_=below == (bound > 0))
    return Compared(name, "<=" if below else ">=", bound)


def _number_of(kind: Kind, value: Scalar) -> Scalar | None:
    """The value as one of the column's; None where the column can hold none that equals it."""
    if kind == "floats" and type(value) is int:
        return float(value)
    if kind == "integers" and isinstance(value, int | float):
        whole = int(value)
        return whole if whole == value and whole in WHOLE_NUMBERS else None
    return value


def _all_or_none(column: str, *, all_: bool) -> Condition:
    """Every row that has a value, or no row."""
    present = Missing(column, missing=False)
    return present if all_ else AllOf((present, Missing(column)))
