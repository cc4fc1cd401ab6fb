"""Filters as SQL: a condition for a WHERE clause, with its values written out.

The logic of three values is SQL's own, and a filter holds no negation but at its comparisons, so that each part is said
as it stands. Names and texts are quoted; nothing of the user's is read as SQL.
"""

from __future__ import annotations

from collections.abc import Callable

from truerecall.errors import InputError
from truerecall.model.filter import AllOf, AnyOf, Compared, Condition, Filter, Missing, OneOf, Scalar

Quote = Callable[[str], str]


def quoted_name(name: str) -> str:
    """As the standard has it."""
    return '"' + name.replace('"', '""') + '"'


def quoted_text(text: str) -> str:
    """Raises InputError for a text that would end a statement early."""
    if "\0" in text:
        raise InputError(f"the filter holds the text {text!r}, and SQL cannot say U+0000", "mend the filter")
    return "'" + text.replace("'", "''") + "'"


def sql_of(where: Filter, name: Quote = quoted_name, *, collation: str = "", float_type: str = "") -> str:
    """The condition. ``name`` quotes a column; ``collation`` stands after a column that is ordered as text, where the
    database would not go by code points. Raises InputError for what SQL cannot say."""
    return _of(where.condition, name, collation, float_type)


def _of(condition: Condition, name: Quote, collation: str, float_type: str) -> str:
    if isinstance(condition, AllOf | AnyOf):
        word = " AND " if isinstance(condition, AllOf) else " OR "
        return "(" + word.join(_of(part, name, collation, float_type) for part in condition.parts) + ")"
    column = name(condition.column)
    if isinstance(condition, Missing):
        return f"{column} IS {'NULL' if condition.missing else 'NOT NULL'}"
    if isinstance(condition, OneOf):
        listed = ", ".join(_literal(value, float_type) for value in condition.values)
        return f"{column} {'IN' if condition.among else 'NOT IN'} ({listed})"
    ordered = collation if _orders_texts(condition) else ""
    sign = "<>" if condition.sign == "!=" else condition.sign
    return f"{column}{ordered} {sign} {_literal(condition.value, float_type)}"


def _orders_texts(condition: Compared) -> bool:
    return isinstance(condition.value, str) and condition.sign not in ("=", "!=")


def _literal(value: Scalar, float_type: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        # Without an exponent DuckDB reads a decimal fraction, and rounds that to another float.
        return f"{value:.16e}{float_type}"
    return quoted_text(value) if isinstance(value, str) else repr(value)
