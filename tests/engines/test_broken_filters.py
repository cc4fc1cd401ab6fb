"""Engines that filter wrongly break the law that is meant for it, for the right reason; one that only filters late does
not: its answers are short, and that is measured."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engines.broken import Broken
from truerecall.engines._base import BareEngine
from truerecall.engines.hnswlib import engine as hnswlib_engine
from truerecall.engines.numpy_flat import engine as flat_engine
from truerecall.engines.sqlite_vec import engine as sqlite_vec_engine
from truerecall.errors import InputError
from truerecall.model.attributes import Attributes, Column
from truerecall.model.filter import Compared, Filter, Missing
from truerecall.testing import LAWS, check_law
from truerecall.testing.engine_filters import COLUMNS
from truerecall.testing.subject import K, Q, Subject, answers

FILTERS = sorted(name for name, law in LAWS.items() if law.__module__.endswith("engine_filters"))


def ignoring(index: Any) -> Any:
    """What it is told it forgets."""
    index.restrict = lambda where: None
    return index


def of_missing_values(index: Any) -> Any:
    """What stands in a column where a value is missing counts for one."""
    if index.attributes is not None:
        held = index.attributes.columns.items()
        index.attributes = Attributes({name: Column(own.values, np.zeros_like(own.missing)) for name, own in held})
    return index


def late(index: Any) -> Any:
    """Finds k rows among all, and only then looks which of them pass."""
    search, restrict = index.search, index.restrict
    kept: list[Any] = []

    def narrow(where: Filter | None) -> None:
        kept[:] = [] if where is None else [where.holds(index.attributes)]

    def found(query: Any, k: int) -> Any:
        own = search(query, k)
        return own[kept[0][own]] if kept else own

    restrict(None)
    index.restrict, index.search = narrow, found
    index.search_batch = lambda queries, k: [found(queries[i : i + 1], k) for i in range(len(queries))]
    index.exact = found
    return index


def late_and_unaware(index: Any) -> Any:
    """The same, and it says that every row is compared."""
    state = late(index).state
    index.state = lambda: type(state())(**{**vars(state()), "exhaustive": True})
    return index


def lingering(index: Any) -> Any:
    restrict = index.restrict
    index.restrict = lambda where: None if where is None else restrict(where)
    return index


def lifted_by_settings(index: Any) -> Any:
    configure = index.configure

    def configured(settings: Any) -> Any:
        index.restrict(None)
        return configure(settings)

    index.configure = configured
    return index


def one_by_one(index: Any) -> Any:
    """In a batch it searches all rows."""
    batch, restrict = index.search_batch, index.restrict
    told: list[Filter | None] = [None]

    def narrow(where: Filter | None) -> None:
        told[0] = where
        restrict(where)

    def together(queries: Any, k: int) -> Any:
        restrict(None)
        found = batch(queries, k)
        restrict(told[0])
        return found

    index.restrict, index.search_batch = narrow, together
    return index


def exact_of_all(index: Any) -> Any:
    search = index.search

    def exact(query: Any, k: int) -> Any:
        kept, index.kept = index.kept, None
        found = search(query, k)
        index.kept = kept
        return found

    index.exact = exact
    return index


def of_the_opposite(index: Any) -> Any:
    """Not equal it takes for equal."""
    restrict = index.restrict

    def narrow(where: Filter | None) -> None:
        own = None if where is None else where.condition
        if isinstance(own, Compared) and own.sign == "!=":
            own = Compared(own.column, "=", own.value)
        restrict(None if own is None else Filter(own))

    index.restrict = narrow
    return index


def any_column(index: Any) -> Any:
    """A column that is not there it takes for one without values."""
    restrict = index.restrict

    def narrow(where: Filter | None) -> None:
        known = COLUMNS.columns if where is not None else {}
        restrict(Filter(Missing("word")) if where and not set(where.columns) <= set(known) else where)

    index.restrict = narrow
    return index


def refusing(index: Any) -> Any:
    """It was said that it can be searched behind filters."""

    def narrow(where: Filter | None) -> None:
        raise InputError("not this index", "build another")

    index.restrict = narrow
    return index


class Shared:
    """What one index is told to let through, all do."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def __call__(self, index: Any) -> Any:
        self.told.append(index)
        restrict = type(index).restrict
        index.restrict = lambda where: [restrict(own, where) for own in self.told if own.index is not None]
        return index


def losing(index: Any) -> Any:
    """A row that was changed has no attributes any more."""
    update, restrict, search = index.update, index.restrict, index.search
    changed: set[int] = set()
    narrowed = [False]

    def updated(rows: Any, vectors: Any) -> None:
        update(rows, vectors)
        changed.update(np.asarray(rows).tolist())

    def narrow(where: Filter | None) -> None:
        narrowed[0] = where is not None
        restrict(where)

    index.update, index.restrict = updated, narrow
    index.search = lambda query, k: [own for own in search(query, k) if not (narrowed[0] and own in changed)]
    return index


ONLY, LASTS = "only_rows_that_pass_a_filter_answer", "a_filter_is_lifted_and_lasts_over_settings"


FILTERING: list[tuple[Callable[[Any], Any], Any, str, str]] = [
    (refusing, hnswlib_engine, ONLY, "InputError: not this index"),
    (ignoring, hnswlib_engine, ONLY, r"under number = 1 rows came that do not pass"),
    (ignoring, hnswlib_engine, LASTS, "a filter changes nothing"),
    (of_missing_values, flat_engine, ONLY, r"under number = 1 rows came that do not pass"),
    (of_the_opposite, flat_engine, ONLY, r"under number != 1 rows came that do not pass"),
    (late_and_unaware, flat_engine, ONLY, r"under number = 1 every row is compared and .* of the true neighbours"),
    (lingering, flat_engine, LASTS, "a filter lingers after it was lifted"),
    (lifted_by_settings, hnswlib_engine, LASTS, "other settings in between change what a filter lets through"),
    (one_by_one, hnswlib_engine, LASTS, "in a batch rows come that do not pass"),
    (exact_of_all, flat_engine, LASTS, "the exhaustive search does not heed the filter"),
    (any_column, flat_engine, "what_no_filter_can_be_is_refused", "nowhere = 1 was taken, and there is no such"),
    (Shared(), hnswlib_engine, "a_filter_is_of_one_index_alone", "a filter of one index narrows another"),
    (losing, sqlite_vec_engine, "a_changed_row_keeps_its_attributes", "a row that was changed is not found behind"),
]


@pytest.mark.parametrize(
    ("spoil", "engine", "law", "words"), FILTERING, ids=[f"{number}-{own[2]}" for number, own in enumerate(FILTERING)]
)
def test_what_filters_wrongly_breaks_the_law_that_is_meant_for_it(
    spoil: Callable[[Any], Any], engine: Any, law: str, words: str, tmp_path: Path
) -> None:
    with Subject(Broken(spoil, engine), tmp_path) as subject, pytest.raises(AssertionError, match=f"^{law}: .*{words}"):
        check_law(subject, law)


@pytest.mark.parametrize("law", FILTERS)
def test_what_filters_late_breaks_no_law_and_answers_short(law: str, tmp_path: Path) -> None:
    engine = Broken(late, hnswlib_engine)
    with Subject(engine, tmp_path) as subject:
        check_law(subject, law)
        index = subject.built(attributes=COLUMNS)
        subject.at_most(index)
        index.restrict(Filter(Compared("number", "=", 1)))
        counts = [len(own) for own in answers(index)]
        assert max(counts) < K
        assert 0.5 < sum(counts) / len(Q) < 2.5  # of ten rows a seventh passes


def test_a_filter_that_is_not_offered_is_refused_by_name_and_a_law_says_where_it_is_not(tmp_path: Path) -> None:
    class Silent(BareEngine):
        """Does not offer filters, and takes them."""

        def __getattr__(self, name: str) -> Any:
            return getattr(hnswlib_engine, name)

        name, capabilities = "silent", frozenset({"build", "save"})
        build, load = hnswlib_engine.build, hnswlib_engine.load

        def demand_filter(self, where: Filter) -> None:
            """Nothing is refused."""

    with Subject(Silent(), tmp_path) as subject, pytest.raises(AssertionError, match="was not refused with Incapable"):
        check_law(subject, "what_no_filter_can_be_is_refused")
    narrow = Broken(lambda index: index, capabilities=frozenset({"build", "save"}))
    with Subject(narrow, tmp_path) as subject, pytest.raises(AssertionError, match="was not refused with Incapable"):
        check_law(subject, "what_no_filter_can_be_is_refused")


def test_a_filter_that_most_engines_say_may_not_be_refused(tmp_path: Path) -> None:
    def refuse(where: Filter) -> None:
        if where.columns == ("flag",):
            raise InputError("no truth values here", "mend the filter")

    engine = Broken(lambda index: index, flat_engine, demand_filter=refuse)
    with Subject(engine, tmp_path) as subject, pytest.raises(AssertionError, match="flag = true is refused"):
        check_law(subject, ONLY)
