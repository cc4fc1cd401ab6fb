"""The noun of a filter: which rows pass, by values that are easily got wrong, and how it is written."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerecall.errors import InputError, UnknownName
from truerecall.model.arrays import texts
from truerecall.model.attributes import Attributes, Column
from truerecall.model.filter import COMPARE, AllOf, AnyOf, Compared, Condition, Filter, Missing, OneOf, Scalar, Sign
from truerecall.model.settled import settled

WHOLE = [-(2**63), -(2**53) - 1, -3, 0, 1, 2, 2**53, 2**53 + 1, 2**63 - 1]
REAL = [-np.inf, -2.5, -0.0, 0.1, 1.0, 2.5, float(2**53), np.nan, np.inf]
WORDS = ["", "A", "a", "a ", "o'\"d", "é", "e\u0301", "\uffff", "\U00010000"]
NONE_MISSING = np.zeros(9, np.bool_)
ATTRIBUTES = Attributes(
    {
        "whole": Column(np.array(WHOLE), NONE_MISSING),
        "real": Column(np.array(REAL), NONE_MISSING),
        "word": Column(texts(WORDS), NONE_MISSING),
        "flag": Column(np.arange(9) % 2 == 0, np.arange(9) == 4),
        "empty": Column(np.zeros(9, np.int64), np.ones(9, np.bool_)),
    }
)
VALUES: dict[str, list[Any]] = {"whole": WHOLE, "real": REAL, "word": WORDS}


def passing(condition: Condition, attributes: Attributes = ATTRIBUTES) -> list[int]:
    return np.flatnonzero(Filter(condition).holds(attributes)).tolist()


numbers = st.one_of(
    st.sampled_from([*WHOLE, 10**20, -(10**20)]),
    st.integers(-4, 4).map(lambda halves: halves / 2),
    st.sampled_from([2.0**53, 2.0**63, -(2.0**63), 1e300, 0.1]),
)


@given(sign=st.sampled_from(list(COMPARE)), value=numbers)
def test_numbers_compare_by_value_however_large_and_whether_whole_or_not(sign: Sign, value: float) -> None:
    """The judge compares fractions, in which nothing is rounded."""
    whole = [row for row, own in enumerate(WHOLE) if COMPARE[sign](Fraction(own), Fraction(value))]
    assert passing(Compared("whole", sign, value)) == whole


@given(sign=st.sampled_from(list(COMPARE)), value=st.sampled_from([0.1, 2.5, -2.5, 1, 0, 2**53, 3.0]))
def test_real_numbers_compare_as_they_are_and_one_that_is_none_is_missing(sign: Sign, value: float) -> None:
    assert passing(Compared("real", sign, value)) == [
        row for row, own in enumerate(REAL) if own == own and COMPARE[sign](own, value)
    ]
    assert passing(Missing("real")) == [7]


@given(sign=st.sampled_from(list(COMPARE)), value=st.sampled_from([*WORDS, "b", "\ue000"]))
def test_texts_compare_by_code_point(sign: Sign, value: str) -> None:
    """Not by the units of UTF-16, in which U+10000 goes before U+FFFF, and with no two texts that look alike equal."""
    points = [[ord(character) for character in word] for word in WORDS]
    wanted = [ord(character) for character in value]
    assert passing(Compared("word", sign, value)) == [
        row for row, own in enumerate(points) if COMPARE[sign](own, wanted)
    ]


def test_truth_values() -> None:
    assert passing(Compared("flag", "=", True)) == passing(Compared("flag", "!=", False)) == [0, 2, 6, 8]
    assert passing(OneOf("flag", (True, False))) == [0, 1, 2, 3, 5, 6, 7, 8]
    assert passing(OneOf("flag", (True,), among=False)) == [1, 3, 5, 7]


def test_nothing_is_true_of_a_missing_value_but_that_it_is_missing() -> None:
    several: list[Condition] = [Compared("empty", sign, 0) for sign in COMPARE]
    several += [OneOf("empty", (0, 1)), OneOf("empty", (5,), among=False), Missing("empty", missing=False)]
    for condition in several:
        assert passing(condition) == [], condition
    assert passing(Missing("empty")) == list(range(9))
    either = AnyOf((Compared("empty", "=", 0), Compared("whole", "=", 1)))
    assert passing(either) == [4]
    assert passing(AllOf((Missing("empty"), Compared("whole", ">", 1)))) == [5, 6, 7, 8]


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (Compared("word", "=", 1), "word = 1 compares what does not compare: word holds texts; mend the filter"),
        (Compared("whole", "=", "1"), "whole = '1' compares what does not compare: whole holds numbers"),
        (Compared("real", "=", True), "real = true compares what does not compare: real holds numbers"),
        (Compared("flag", "=", 1), "flag = 1 compares what does not compare: flag holds true or false"),
        (Compared("flag", "<", True), "flag < true compares what does not compare: flag holds true or false"),
        (OneOf("word", ("a", 1)), "word = 1 compares what does not compare"),
    ],
)
def test_what_does_not_compare(condition: Condition, words: str) -> None:
    with pytest.raises(InputError) as refused:
        passing(condition)
    assert str(refused.value).startswith(words)
    assert "\n" not in str(refused.value)


def test_a_column_that_is_not_there_is_refused_with_one_that_is_near() -> None:
    with pytest.raises(UnknownName, match="unknown column wrd; did you mean word"):
        passing(Compared("wrd", "=", "a"))


def leaves() -> st.SearchStrategy[Condition]:
    def of(column: str, values: st.SearchStrategy[Any], signs: list[Sign]) -> st.SearchStrategy[Condition]:
        return st.one_of(
            st.builds(Compared, st.just(column), st.sampled_from(signs), values),
            st.builds(OneOf, st.just(column), st.lists(values, min_size=1, max_size=3).map(tuple), st.booleans()),
            st.builds(Missing, st.just(column), st.booleans()),
        )

    every = list(COMPARE)
    return st.one_of(
        of("whole", numbers, every),
        of("real", numbers, every),
        of("word", st.sampled_from([*WORDS, "b"]), every),
        of("flag", st.booleans(), ["=", "!="]),
        of("empty", numbers, every),
    )


def conditions() -> st.SearchStrategy[Condition]:
    def joined(parts: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
        several = st.lists(parts, min_size=2, max_size=3).map(tuple)
        return st.one_of(st.builds(AllOf, several), st.builds(AnyOf, several))

    return st.recursive(leaves(), joined, max_leaves=6)


@given(conditions())
def test_a_settled_filter_keeps_the_same_rows_and_has_numbers_of_the_type_of_their_column(condition: Condition) -> None:
    where = Filter(condition)
    own = settled(where, ATTRIBUTES)
    assert (own.holds(ATTRIBUTES) == where.holds(ATTRIBUTES)).all()
    assert settled(own, ATTRIBUTES) == own
    kinds = {"whole": int, "empty": int, "real": float, "word": str, "flag": bool}
    for column, value in values_in(own.condition):
        assert type(value) is kinds[column]
        assert type(value) is not int or -(2**63) <= value < 2**63


def values_in(condition: Condition) -> list[tuple[str, Scalar]]:
    if isinstance(condition, AllOf | AnyOf):
        return [pair for part in condition.parts for pair in values_in(part)]
    if isinstance(condition, OneOf):
        return [(condition.column, value) for value in condition.values]
    return [] if isinstance(condition, Missing) else [(condition.column, condition.value)]


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (Compared("whole", "<", 2.5), "whole <= 2"),
        (Compared("whole", ">", -2.5), "whole >= -2"),
        (Compared("whole", ">=", 2.0), "whole >= 2"),
        (Compared("whole", "=", 0.5), "whole IS NOT NULL AND whole IS NULL"),
        (Compared("whole", "!=", 10**19), "whole IS NOT NULL"),
        (Compared("whole", "<", 1e300), "whole IS NOT NULL"),
        (Compared("whole", ">=", 2**63), "whole IS NOT NULL AND whole IS NULL"),
        (Compared("whole", ">", -(10**19)), "whole IS NOT NULL"),
        (OneOf("whole", (1, 1.5, 3.0, 10**30)), "whole IN (1, 3)"),
        (OneOf("whole", (1.5,), among=False), "whole IS NOT NULL"),
        (Compared("real", "<", 3), "real < 3.0"),
    ],
)
def test_numbers_are_settled(condition: Condition, text: str) -> None:
    assert str(settled(Filter(condition), ATTRIBUTES)) == text


def test_the_text_of_a_filter() -> None:
    both = AllOf((AnyOf((Compared("a", "<", -1), Missing("b"))), OneOf("c d", ("it's", "x"), among=False)))
    assert str(Filter(both)) == "(a < -1 OR b IS NULL) AND \"c d\" NOT IN ('it''s', 'x')"
    assert Filter(both).columns == ("a", "b", "c d")
    quoted = AnyOf(
        (Compared('say "x"', "=", True), AllOf((Compared("Select", "!=", 0.5), Missing("é", missing=False))))
    )
    assert str(Filter(quoted)) == '"say ""x""" = true OR "Select" != 0.5 AND "é" IS NOT NULL'


@pytest.mark.parametrize("size", [1, 9])
def test_a_filter_holds_of_each_row_by_itself(size: int) -> None:
    rows = np.arange(9)[:size][::-1]
    condition: Callable[[Attributes], Any] = Filter(Compared("whole", ">", 0)).holds
    assert condition(ATTRIBUTES.take(rows)).tolist() == condition(ATTRIBUTES)[rows].tolist()
