"""Filters as Milvus writes them, which is much as Python does."""

from __future__ import annotations

import json

from truerecall.errors import InputError
from truerecall.model.filter import PLAIN_NAME, WHOLE_NUMBERS, AllOf, AnyOf, Condition, Filter, Missing, OneOf, Scalar


def expression(where: Filter) -> str:
    """The condition; as in SQL it holds for no missing value. Raises InputError for what Milvus cannot say."""
    return _of(where.condition)


def _of(condition: Condition) -> str:
    if isinstance(condition, AllOf | AnyOf):
        word = " and " if isinstance(condition, AllOf) else " or "
        return "(" + word.join(map(_of, condition.parts)) + ")"
    column = condition.column
    if not PLAIN_NAME.fullmatch(column):
        raise InputError(f"Milvus cannot name the column {column!r}", "call it by letters, digits and _")
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
    if isinstance(value, int) and value not in WHOLE_NUMBERS:
        raise InputError(f"Milvus has no whole number {value}", "mend the filter")
    if not isinstance(value, str):
        return repr(value)
    said = json.dumps(value, ensure_ascii=False)
    if "\\u00" in said.replace("\\\\", ""):
        raise InputError(f"Milvus cannot say the control characters in {value!r}", "mend the filter")
    return said
