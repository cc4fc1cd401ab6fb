"""Every engine that filters lets exactly those rows pass that pass, whatever the filter says and whatever the values
are: all rows are asked for, so that none can be lost unseen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engines.test_contract import CASES, told
from tests.engines.test_contract import subject as subject
from truerecall import shelf
from truerecall.errors import InputError
from truerecall.model.arrays import texts
from truerecall.model.attributes import Attributes, Column
from truerecall.model.engine import Index
from truerecall.model.filter import COMPARE, AllOf, AnyOf, Compared, Condition, Filter, Missing, OneOf
from truerecall.model.settled import settled
from truerecall.testing.subject import Subject, X, answers

ROWS = 60
FILTERING = [case for case in CASES if "filter" in shelf.engines.get(case[0]).capabilities and case[0] != "callable"]
"""What the function of a user makes of the text of a filter is the user's."""
pytestmark = pytest.mark.parametrize("subject", FILTERING, indirect=True, ids=told, scope="module")
WHOLE = [-(2**53) - 1, -3, 0, 1, 2, 2**53, 2**53 + 1, 2**63 - 1]
REAL = [0.1, 0.30000000000000004, 0.9007199254740993, 123456789.12345679, 1e-300, 5e-324, -0.0, 2.0**53, 1e16, -2.5]
WORDS = ["", "a", "A", "a\\b", "it's", '"', "%", "_", "\uffff", "\U00010000", "é", "e\u0301", "a ", "\\'", "--", "{x}"]


def spread(values: list[object], every: int) -> Column:
    """The values in turn, and none in a row out of ``every``."""
    places = np.arange(ROWS)
    held = [values[place % len(values)] for place in places]
    return Column(texts(held) if isinstance(values[0], str) else np.array(held), places % every == 0)


COLUMNS = Attributes(
    {
        "n": spread([*WHOLE], 11),
        "x": spread([*REAL], 13),
        "word": spread([*WORDS], 7),
        "flag": spread([True, False, False], 5),
    }
)


def conditions() -> st.SearchStrategy[Condition]:
    def of(name: str, values: st.SearchStrategy[object], signs: list[str]) -> st.SearchStrategy[Condition]:
        several = st.lists(values, min_size=1, max_size=3).map(tuple)
        return st.one_of(
            st.builds(Compared, st.just(name), st.sampled_from(signs), values),
            st.builds(OneOf, st.just(name), several, st.booleans()),
            st.builds(Missing, st.just(name), st.booleans()),
        )

    numbers = st.one_of(st.sampled_from([*WHOLE, 0.5, -2.5, 1e300, 10**20, -(10**20), 2.0**53]), st.integers(-4, 3))
    leaves = st.one_of(
        of("n", numbers, [*COMPARE]),
        of("x", st.sampled_from([*REAL, 1, 1e300]), [*COMPARE]),
        of("word", st.sampled_from([*WORDS, "b"]), [*COMPARE]),
        of("flag", st.booleans(), ["=", "!="]),
    )

    def joined(parts: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
        several = st.lists(parts, min_size=2, max_size=3).map(tuple)
        return st.one_of(st.builds(AllOf, several), st.builds(AnyOf, several))

    return st.recursive(leaves, joined, max_leaves=5)


def refusal(subject: Subject, columns: Attributes, where: Filter | None = None) -> str:
    """What the engine says against the filter or the columns before anything is built; nothing where it has an index
    of the rows with these columns, the last of those that are open."""
    try:
        if where is not None:
            subject.engine.demand_filter(where)
        subject.at_most(subject.built(X[:ROWS], attributes=columns))
    except InputError as error:
        return str(error)
    return ""


def passed(index: Index) -> list[int]:
    (found,) = answers(index, X[:1], ROWS)
    return sorted(found)


def passing(where: Filter, columns: Attributes) -> list[int]:
    return np.flatnonzero(where.holds(columns)).tolist()


@pytest.fixture
def narrowing(subject: Subject) -> Iterator[Subject]:
    """The engine with an index that is open."""
    assert not refusal(subject, COLUMNS)
    yield subject
    subject.close_all(subject.opened)


def test_exactly_those_rows_pass_that_pass(narrowing: Subject) -> None:
    index, engine, said = narrowing.opened[-1], narrowing.engine, []

    @settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
    @given(conditions())
    def ask(condition: Condition) -> None:
        where = settled(Filter(condition), COLUMNS)
        try:
            engine.demand_filter(where)
        except InputError:
            return
        index.restrict(where)
        said.append(where)
        assert passed(index) == passing(where, COLUMNS), str(where)

    ask()
    assert len(said) > 20, "nearly everything is refused"


def test_a_column_may_have_any_name_or_is_refused_before_anything_is_built(narrowing: Subject) -> None:
    number, flag = COLUMNS.column("n"), COLUMNS.column("flag")
    for name in ("select", "Größe", "a b", "it's", 'say "x"', "a`b", "a.b", "%s", "{x}", "[0]", "Name", "name"):
        columns = Attributes({name: number, "other": flag})
        where = Filter(AllOf((Compared(name, ">=", 0), Compared("other", "=", False))))
        told = refusal(narrowing, columns, where)
        if told:
            assert repr(name) in told
            continue
        narrowing.opened[-1].restrict(where)
        assert passed(narrowing.opened[-1]) == passing(where, columns), name
        narrowing.opened.pop().close()


@pytest.mark.parametrize("name", ["id", "ID", "vector"])
def test_a_column_that_is_called_as_ours_are_is_refused_or_kept_apart(narrowing: Subject, name: str) -> None:
    columns, where = Attributes({name: COLUMNS.column("n")}), Filter(Compared(name, ">=", 1))
    told = refusal(narrowing, columns, where)
    if told:
        assert f"a column is called {name}, as our own for the rows is; give it another name" in told
        return
    narrowing.opened[-1].restrict(where)
    assert passed(narrowing.opened[-1]) == passing(where, columns)
