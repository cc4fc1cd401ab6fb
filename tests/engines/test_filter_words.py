"""Filters in the words of engines, and what is refused: in one line, and before there is an index."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from truerecall import shelf
from truerecall.engines._attribute_tables import kept_rows
from truerecall.engines._filter_sql import sql_of
from truerecall.engines._lancedb_words import in_backticks
from truerecall.engines._milvus_filter import expression
from truerecall.engines._qdrant_filter import conditions, payloads
from truerecall.errors import Incapable, InputError
from truerecall.model.attributes import Column
from truerecall.model.filter import AllOf, AnyOf, Compared, Filter, Missing, OneOf
from truerecall.store.filter_text import parse_filter

BOTH = "(a = 1 OR \"b c\" IS NULL) AND w NOT IN ('it''s', '\\') AND x < 0.1 AND f != true AND w >= 'é'"


def test_in_sql_names_and_texts_are_quoted_and_fractions_are_no_decimals() -> None:
    """DuckDB rounds a decimal fraction of many digits to another float."""
    said = sql_of(parse_filter(BOTH), collation=' COLLATE "C"')
    assert said == (
        '(("a" = 1 OR "b c" IS NULL) AND "w" NOT IN (\'it\'\'s\', \'\\\') AND "x" < 1.0000000000000001e-01'
        ' AND "f" <> true AND "w" COLLATE "C" >= \'é\')'
    )
    for value in (0.1, 1 / 3, 0.9007199254740993, 1e-300, 5e-324, 1.7976931348623157e308, -0.0, -2.5):
        written = sql_of(Filter(Compared("x", "=", value))).rpartition(" ")[2]
        assert float(written) == value
        assert "e" in written
    assert sql_of(parse_filter("a = 1 AND b IN (2)"), in_backticks) == "(`a` = 1 AND `b` IN (2))"


def test_in_the_words_of_milvus() -> None:
    where = parse_filter("(a = 1 OR b IS NULL) AND w NOT IN ('it''s', '\"\\') AND f != true")
    assert expression(where) == (
        '((a == 1 or b is null) and (w is not null and w not in ["it\'s", "\\"\\\\"]) and f != true)'
    )


def test_in_the_words_of_qdrant_a_missing_value_is_never_other_than_something() -> None:
    empty = {"is_empty": {"key": '"a.b"'}}
    assert conditions(parse_filter('"a.b" != 3')) == {
        "must": [{"must_not": [{"key": '"a.b"', "match": {"value": 3}}, empty]}]
    }
    assert conditions(parse_filter('"a.b" NOT IN (2.5)')) == {
        "must": [{"must_not": [{"should": [{"key": '"a.b"', "range": {"gte": 2.5, "lte": 2.5}}]}, empty]}]
    }
    assert conditions(parse_filter("a < 3 OR a IS NOT NULL")) == {
        "must": [
            {"should": [{"key": '"a"', "range": {"lt": 3.0}}, {"must_not": [{"is_empty": {"key": '"a"'}}]}]},
        ]
    }


@pytest.mark.parametrize(
    ("say", "text", "words"),
    [
        (sql_of, "w = 'a\0'", "the filter holds the text 'a\\x00', and SQL cannot say U+0000; mend the filter"),
        (expression, "w = 'a\x01'", "Milvus cannot say the control characters in 'a\\x01'; mend the filter"),
        (expression, "a = 9223372036854775808", "Milvus has no whole number 9223372036854775808"),
        (expression, '"a b" = 1', "Milvus cannot name the column 'a b'; call it by letters, digits and _"),
        (expression, '"a b" IS NULL', "Milvus cannot name the column 'a b'"),
        (conditions, "w < 'a'", "Qdrant has no order of texts, and the filter holds w < 'a'; compare by = or IN"),
        (conditions, "a > 9007199254740992", "Qdrant orders numbers as float64, and 9007199254740992 may be none"),
        (conditions, "a = 9223372036854775808", "Qdrant has no whole number 9223372036854775808; mend the filter"),
        (conditions, "x = 0.30000000000000004", "Qdrant may keep 0.30000000000000004 with another last digit"),
        (conditions, "x IN (1, 1e-30)", "Qdrant may keep 1e-30 with another last digit; compare with fewer digits"),
        (conditions, '"a""b" = 1', "Qdrant cannot name the column 'a\"b'; give it a name without double quotes"),
    ],
)
def test_what_cannot_be_said(say: Callable[[Filter], object], text: str, words: str) -> None:
    for where in (parse_filter(text), parse_filter(f"other = 1 OR NOT ({text})")):
        with pytest.raises(InputError) as refused:
            say(where)
        assert words.split(" and the filter")[0] in str(refused.value)
        assert "\n" not in str(refused.value)
    assert words in _refusal(say, text)


def _refusal(say: Callable[[Filter], object], text: str) -> str:
    with pytest.raises(InputError) as refused:
        say(parse_filter(text))
    return str(refused.value)


def test_a_backslash_before_a_control_character_is_said() -> None:
    assert expression(Filter(Compared("w", "=", "\\u0001\n"))) == 'w == "\\\\u0001\\n"'


def test_points_carry_what_is_there_and_no_infinite_number() -> None:
    columns = {
        "x": Column(np.array([1.5, np.nan]), np.zeros(2, np.bool_)),
        "n": Column(np.array([3, 4]), np.array([False, True])),
    }
    assert list(payloads(columns, 0, 2)) == [{"x": 1.5, "n": 3}, {}]
    with pytest.raises(InputError, match="Qdrant holds no infinite numbers, and a column has some; take them out"):
        list(payloads({"x": Column(np.array([-np.inf]), np.zeros(1, np.bool_))}, 0, 1))


def test_an_index_that_was_built_without_columns_says_so() -> None:
    where = Filter(AllOf((AnyOf((Missing("a"), Compared("a", "<", 1))), OneOf("b", (1,)))))
    with pytest.raises(InputError, match=r"knows no attributes, and \(a IS NULL OR a < 1\) AND b IN \(1\) asks for"):
        kept_rows(where, None)
    assert kept_rows(None, None) is None


@pytest.mark.parametrize("name", shelf.engines.names())
def test_an_engine_offers_filters_or_refuses_them_by_name(name: str) -> None:
    engine, where = shelf.engines.get(name), parse_filter("price < 3 AND w IN ('a')")
    if "filter" in engine.capabilities:
        engine.demand_filter(where)
        return
    with pytest.raises(Incapable, match=f"^{name} cannot"):
        engine.demand_filter(where)
