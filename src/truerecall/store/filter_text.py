"""Filters as they are written: a small part of SQL.

filter      comparisons with AND, OR, NOT and parentheses
comparison  COLUMN = != < <= > >= VALUE, or the two the other way round
            COLUMN [NOT] IN (VALUE, ...), COLUMN IS [NOT] NULL
VALUE       a number, a text in single quotes, true or false
COLUMN      a name, in double quotes where it is no plain one
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

from truerecall.errors import InputError, MissingExtra
from truerecall.model.filter import AllOf, AnyOf, Compared, Condition, Filter, Missing, OneOf, Scalar, Sign

SIGNS: Mapping[str, Sign] = MappingProxyType({"EQ": "=", "NEQ": "!=", "LT": "<", "LTE": "<=", "GT": ">", "GTE": ">="})
OPPOSITE: Mapping[Sign, Sign] = MappingProxyType({"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"})
MIRRORED: Mapping[Sign, Sign] = MappingProxyType({"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="})
OFFERED = "write comparisons (=, !=, <, <=, >, >=, IN, IS NULL) with AND, OR and NOT"


def parse_filter(text: str) -> Filter:
    """Raises InputError for what is no such filter, MissingExtra where sqlglot is not installed."""
    try:
        sqlglot = import_module("sqlglot")
    except ModuleNotFoundError:
        raise MissingExtra("sqlglot", "filter") from None
    if not text.strip():
        raise InputError("the filter is empty", OFFERED)
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise InputError(f"{text!r} holds bytes that are no text", "write it in UTF-8")
    try:
        parsed = sqlglot.parse_one(f"SELECT 1 WHERE {text}").args
        tokens = sqlglot.tokenize(text)
    except sqlglot.errors.SqlglotError:
        raise InputError(f"{text!r} is no condition", OFFERED) from None
    except RecursionError:
        raise _too_deep(text) from None
    aside = any(own.comments or own.token_type.name == "SEMICOLON" for own in tokens)
    if aside or {name for name, own in parsed.items() if own} != {"expressions", "where"}:
        raise InputError(f"{text!r} is more than a filter", OFFERED)
    try:
        return Filter(_condition(parsed["where"].this, text, negated=False))
    except RecursionError:
        raise _too_deep(text) from None


def _condition(node: Any, text: str, *, negated: bool) -> Condition:
    """What a node of the parsed text says; its opposite where it is ``negated``."""
    kind = type(node).__name__
    if kind == "Paren":
        return _condition(node.this, text, negated=negated)
    if kind == "Not":
        return _condition(node.this, text, negated=not negated)
    if kind in ("And", "Or"):
        joined = AllOf if (kind == "And") != negated else AnyOf
        parts: list[Condition] = []
        for side in (node.this, node.expression):
            part = _condition(side, text, negated=negated)
            parts += part.parts if isinstance(part, joined) else [part]
        return joined(tuple(parts))
    if kind in SIGNS:
        return _comparison(node, SIGNS[kind], text, negated=negated)
    if kind == "In" and node.args.get("expressions"):
        values = tuple(_value(own, text) for own in node.expressions)
        return OneOf(_column(node.this, text), values, among=not negated)
    if kind == "Is" and type(node.expression).__name__ == "Null":
        return Missing(_column(node.this, text), missing=not negated)
    raise _refusal(node, text)


def _comparison(node: Any, sign: Sign, text: str, *, negated: bool) -> Compared:
    sign = OPPOSITE[sign] if negated else sign
    if type(node.expression).__name__ != "Column":
        return Compared(_column(node.this, text), sign, _value(node.expression, text))
    return Compared(_column(node.expression, text), MIRRORED[sign], _value(node.this, text))


def _column(node: Any, text: str) -> str:
    if type(node).__name__ != "Column" or node.table:
        raise _refusal(node, text)
    return str(node.name)


def _value(node: Any, text: str) -> Scalar:
    kind = type(node).__name__
    if kind == "Boolean":
        return bool(node.this)
    if kind == "Literal" and node.is_string:
        return str(node.this)
    if kind == "Literal":
        return _number(node.this, text)
    if kind == "Neg" and type(node.this).__name__ == "Literal" and not node.this.is_string:
        return -_number(node.this.this, text)
    if kind == "Column":
        raise InputError(f"{text!r} compares two columns", "write texts in single quotes")
    if kind == "Null":
        raise InputError(f"{text!r} compares with NULL, which nothing equals", "write IS NULL, or IS NOT NULL")
    raise _refusal(node, text)


def _number(written: str, text: str) -> int | float:
    try:
        value = float(written)
    except ValueError:
        raise InputError(f"{text!r} holds {written}, which is no number", "mend the filter") from None
    if not math.isfinite(value):
        raise InputError(f"{text!r} holds {written[:20]}, which is beyond every number", "mend the filter")
    return int(written) if written.isdecimal() else value


def _refusal(node: Any, text: str) -> InputError:
    return InputError(f"{text!r} holds {node.sql()}, which is no part of a filter", OFFERED)


def _too_deep(text: str) -> InputError:
    return InputError(f"{text[:60]!r}... is nested too deeply", "write it with IN, or with fewer parentheses")
