"""Filters as they are written. DuckDB is the judge: the same text as a condition of its own keeps the same rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.test_filter import conditions
from truerecall.errors import InputError
from truerecall.model.arrays import texts
from truerecall.model.attributes import Attributes, Column
from truerecall.model.filter import AllOf, AnyOf, Compared, Condition, Filter, Missing, OneOf
from truerecall.store.filter_text import parse_filter

ROWS = 48
PLACES = np.arange(ROWS)
WORDS = ["", "A", "a", "it's", 'say "x"', "é", "\uffff", "\U00010000", "a\\b", "%", "--", "\n"]
ATTRIBUTES = Attributes(
    {
        "n": Column(PLACES % 7 - 3, PLACES % 5 == 0),
        "big": Column(2**53 + PLACES % 3, PLACES % 7 == 0),
        "x": Column(PLACES / 16 - 1, PLACES % 6 == 0),
        'odd "name"': Column(texts([WORDS[place % len(WORDS)] for place in PLACES]), PLACES % 4 == 0),
        "flag": Column(PLACES % 3 == 0, PLACES % 8 == 0),
    }
)
TYPES = {"integers": "BIGINT", "floats": "DOUBLE", "booleans": "BOOLEAN", "texts": "VARCHAR"}


@pytest.fixture(scope="module")
def judge() -> Iterator[Any]:
    """A connection to a database with the attributes in the table ``t``."""
    duckdb = pytest.importorskip("duckdb", reason="needs duckdb")
    with duckdb.connect() as connection:
        held = ATTRIBUTES.columns
        columns = ", ".join(f'"{name.replace(chr(34), chr(34) * 2)}" {TYPES[own.kind]}' for name, own in held.items())
        connection.execute(f"CREATE TABLE t (place BIGINT, {columns})")
        records = zip(PLACES.tolist(), *(own.of_rows(PLACES) for own in held.values()), strict=True)
        connection.executemany(f"INSERT INTO t VALUES ({', '.join('?' * (len(held) + 1))})", list(records))
        yield connection


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def comparisons() -> st.SearchStrategy[str]:
    whole = st.sampled_from(["-4", "-3", "0", "1", "3", "+2"])
    fractions = st.sampled_from(["-0.5", "0.25", "1.0", ".5", "1e0", "-2.5E-1", "2."])
    large = st.sampled_from(["9007199254740992", "9007199254740993", "9007199254740994"])
    words = st.sampled_from([*WORDS, "b"]).map(quoted)
    flags = st.sampled_from(["true", "FALSE"])
    pairs = [("n", whole), ("n", fractions), ("big", large), ("x", fractions), ("x", whole), ('"odd ""name"""', words)]
    signs = st.sampled_from(["=", "!=", "<>", "<", "<=", ">", ">="])
    mirrored = st.booleans()
    both = [
        st.builds(
            lambda sign, value, turned, name=name: f"{value} {sign} {name}" if turned else f"{name} {sign} {value}",
            signs, values, mirrored,
        )
        for name, values in pairs
    ]  # fmt: skip
    among = [
        st.builds(
            lambda listed, no, name=name: f"{name} {no}IN ({', '.join(listed)})",
            st.lists(values, min_size=1, max_size=3), st.sampled_from(["", "NOT "]),
        )
        for name, values in [*pairs, ("flag", flags)]
    ]  # fmt: skip
    truths = st.builds(lambda sign, value: f"flag {sign} {value}", st.sampled_from(["=", "<>"]), flags)
    missing = st.builds(
        lambda name, no: f"{name} IS {no}NULL", st.sampled_from(["n", "x", "flag"]), st.sampled_from(["", "NOT "])
    )
    return st.one_of(*both, *among, truths, missing)


def filters() -> st.SearchStrategy[str]:
    """With NOT before anything, and AND and OR without parentheses, so that precedence is asked for too."""

    def joined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.one_of(
            st.builds(lambda part: f"NOT {part}", parts),
            st.builds(lambda part: f"not ({part})", parts),
            st.builds(lambda part: f"({part})", parts),
            st.builds(lambda one, word, other: f"{one} {word} {other}", parts, st.sampled_from(["AND", "or"]), parts),
        )

    return st.recursive(comparisons(), joined, max_leaves=8)


def judged(judge: Any, text: str) -> None:
    kept = [row for (row,) in judge.execute(f"SELECT place FROM t WHERE {text} ORDER BY place").fetchall()]
    assert np.flatnonzero(parse_filter(text).holds(ATTRIBUTES)).tolist() == kept, text


@settings(max_examples=300)
@given(text=filters())
def test_a_filter_keeps_the_rows_that_sql_keeps(judge: Any, text: str) -> None:
    judged(judge, text)


def test_every_comparison_either_way_round_and_its_opposite_keep_the_rows_that_sql_keeps(judge: Any) -> None:
    columns = {"n": "1", "x": "0.25", "big": "9007199254740993", '"odd ""name"""': "'A'"}
    for name, value in columns.items():
        for sign in ("=", "!=", "<", "<=", ">", ">="):
            for comparison in (f"{name} {sign} {value}", f"{value} {sign} {name}"):
                judged(judge, comparison)
                judged(judge, f"NOT {comparison}")
        for comparison in (f"{name} IN ({value})", f"{name} NOT IN ({value})", f"{name} IS NULL"):
            judged(judge, comparison)
            judged(judge, f"NOT {comparison}")


@given(text=filters())
def test_the_text_of_a_parsed_filter_parses_to_itself(text: str) -> None:
    where = parse_filter(text)
    assert parse_filter(str(where)) == where


def flattened(condition: Condition) -> Condition:
    """An AND within an AND is read as one."""
    if not isinstance(condition, AllOf | AnyOf):
        return condition
    parts: list[Condition] = []
    for part in map(flattened, condition.parts):
        parts += part.parts if isinstance(part, type(condition)) else [part]
    return type(condition)(tuple(parts))


@given(conditions())
def test_a_filter_that_was_made_by_hand_is_read_back_from_its_text(condition: Condition) -> None:
    assert parse_filter(str(Filter(condition))).condition == flattened(condition)


@given(
    st.one_of(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8),
        st.sampled_from(["a.b", "a--b", "/*", "';", '"', "`", "[x]", "{x}", "$1", "?", ":x", "@x", "%s"]),
    )
)
def test_any_name_and_any_text_can_be_said(name: str) -> None:
    where = Filter(AllOf((Compared(name, "<", name), OneOf(name, (name,), among=False), Missing(name))))
    assert parse_filter(str(where)) == where


def test_words_that_mean_something_in_sql_are_columns_in_quotes() -> None:
    tokens = pytest.importorskip("sqlglot.tokens", reason="needs sqlglot")
    parser = pytest.importorskip("sqlglot.parser").Parser
    words = {word for word in (*tokens.Tokenizer.KEYWORDS, *parser.FUNCTIONS) if word.isidentifier()}
    assert len(words) > 500
    for word in sorted(words):
        where = Filter(AnyOf((Compared(word, "=", 1), Missing(word))))
        assert parse_filter(str(where)) == where


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the filter is empty; write comparisons"),
        ("  \n", "the filter is empty"),
        ("price <", "'price <' is no condition; write comparisons"),
        ("price < 1 AND", "is no condition"),
        ("price < 1) OR (price > 2", "is no condition"),
        ("price", "'price' holds price, which is no part of a filter"),
        ("NOT flag", "holds flag, which is no part of a filter"),
        ("price LIKE 'a%'", "holds price LIKE 'a%', which is no part of a filter; write comparisons"),
        ("price BETWEEN 1 AND 2", "holds price BETWEEN 1 AND 2, which is no part"),
        ("price + 1 < 2", "holds price + 1, which is no part"),
        ("lower(name) = 'a'", "holds LOWER(name), which is no part"),
        ("price IN (SELECT 1)", "which is no part"),
        ("price IN ()", "which is no part"),
        ("1 = 1", "holds 1, which is no part"),
        ("t.price = 1", "holds t.price, which is no part"),
        ('colour = "red"', "compares two columns; write texts in single quotes"),
        ("price = NULL", "compares with NULL, which nothing equals; write IS NULL"),
        ("price IN (1, NULL)", "compares with NULL, which nothing equals"),
        ("price < 1e999", "holds 1e999, which is beyond every number"),
        ("price < 1" + "0" * 5000, "which is beyond every number"),
        ("price < 1e", "holds 1e, which is no number"),
        ("price < 1 LIMIT 3", "is more than a filter"),
        ("price < 1 ORDER BY price", "is more than a filter"),
        ("price < 1 UNION SELECT 2", "is more than a filter"),
        ("price < 1; DROP TABLE t", "is more than a filter"),
        ("word = '\udcff'", "holds bytes that are no text; write it in UTF-8"),
        ("(" * 4000 + "a = 1" + ")" * 4000, "is nested too deeply; write it with IN, or with fewer parentheses"),
    ],
)
def test_what_is_no_filter_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_filter(text)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_one_meaning_has_one_text() -> None:
    told = {str(parse_filter(text)) for text in ("NOT (a >= 3 OR b IS NULL)", "3 > a and (b is not null)")}
    assert told == {"a < 3 AND b IS NOT NULL"}
    assert str(parse_filter("NOT (a IN (1) AND NOT b = 'x')")) == "a NOT IN (1) OR b = 'x'"


@pytest.mark.parametrize("text", ["a = 1 -- AND b = 2", "/* b = 2 AND */ a = 1", "a = 1 /* AND b = 2 */", "a = 1;"])
def test_what_would_be_passed_over_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is more than a filter"):
        parse_filter(text)
