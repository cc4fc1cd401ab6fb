"""Filters as Milvus writes them, which is much as Python does."""

from __future__ import annotations

import json

from truerecall.errors import InputError
from truerecall.model.filter import PLAIN_NAME, AllOf, AnyOf, Condition, Filter, Missing, OneOf, Scalar


def demand_sayable(where: Filter) -> None:
    """Raises InputError for a column that Milvus has no way to name."""
    for name in where.columns:
        if not PLAIN_NAME.fullmatch(name):
            raise InputError(f"Milvus cannot name the column {name!r}", "call it by letters, digits and _")


def expression(where: Filter) -> str:
    """The condition; as in SQL it holds for no missing value."""
    demand_sayable(where)
    return _of(where.condition)


def _of(condition: Condition) -> str:
    if isinstance(condition, AllOf | AnyOf):
        word = " and " if isinstance(condition, AllOf) else " or "
        return "(" + word.join(map(_of, condition.parts)) + ")"
    column = condition.column
    if isinstance(condition, Missing):
        return f"{column} is {'null' if condition.missing else 'not null'}"
    if isinstance(condition, OneOf):
        listed = ", ".join(map(_literal, condition.values))
        # Milvus Lite lets missing values pass a "not in".
        return (
            f"{column} in [{listed}]" if condition.among else f"({column} is not null and {column} not in [{listed}])"
        )
    return f"{column} {'==' if condition.sign == '=' else condition.sign} {_literal(condition.value)}"


def _literal(value: Scalar) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
