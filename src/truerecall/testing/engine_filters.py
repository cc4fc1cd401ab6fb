"""The laws of an engine that can filter: what it answers passes, whatever the filter says."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from truerecall.errors import Incapable, InputError
from truerecall.model.arrays import texts
from truerecall.model.attributes import Attributes, Column
from truerecall.model.engine import Index
from truerecall.model.filter import AllOf, AnyOf, Compared, Condition, Filter, Missing, OneOf
from truerecall.testing.subject import DIMENSIONS, ROWS, DoesNotApply, K, Q, Subject, X, answers, nearest, plain, recall

PLACES = np.arange(ROWS)
WORDS = ("red", "Blue", 'o\'dd "word"', "ünder%_")
LARGE = 2**53 + 1
COLUMNS = Attributes(
    {
        "number": Column(PLACES % 7 - 3, PLACES % 11 == 0),
        "large": Column(np.where(PLACES % 2 == 0, LARGE, LARGE + 1), np.zeros(ROWS, np.bool_)),
        "real": Column(PLACES / 100, PLACES % 13 == 0),
        "word": Column(texts([WORDS[place % 4] for place in PLACES]), PLACES % 5 == 0),
        "flag": Column(PLACES % 3 == 0, PLACES % 17 == 0),
    }
)
"""A column of each kind, most with missing values, and one of whole numbers that no float holds."""
LEAVES: tuple[Condition, ...] = (
    *(Compared("number", sign, 1) for sign in ("=", "!=", "<", "<=", ">", ">=")),
    *(Compared("real", sign, 4.5) for sign in ("=", "!=", "<", "<=", ">", ">=")),
    *(Compared("word", sign, word) for sign in ("=", "!=") for word in WORDS[1:]),
    *(Compared("flag", "=", value) for value in (True, False)),
    Compared("flag", "!=", True),
    Compared("large", "=", LARGE),
    Compared("number", "<", -2),
    OneOf("number", (1, 3, -3)),
    OneOf("number", (1, 3), among=False),
    OneOf("word", WORDS[:2]),
    OneOf("word", WORDS[2:], among=False),
    OneOf("real", (0.01, 4.5)),
    Missing("number"),
    Missing("word", missing=False),
)
ORDERED_WORDS: tuple[Condition, ...] = (Compared("word", "<", "red"), Compared("word", ">=", "o"))
"""By code point; an engine may refuse these."""
JOINED: tuple[Condition, ...] = (
    AllOf((Compared("number", ">", 0), Compared("flag", "=", True))),
    AnyOf((Compared("real", "<", 1.0), Missing("word"))),
    AllOf((AnyOf((Compared("number", "!=", 2), Missing("number"))), Compared("real", ">=", 2.0))),
    AnyOf((AllOf((OneOf("word", WORDS[:1]), Compared("number", ">=", 0))), Compared("real", "<", 0.1))),
)
ALL = Filter(AnyOf((Missing("number"), Missing("number", missing=False))))
NONE = Filter(Compared("number", ">", 100))


def only_rows_that_pass_a_filter_answer(subject: Subject) -> None:
    """Of every kind of condition, also where values are missing; and at the greatest effort, where every row is said to
    be compared, they are the nearest of these."""
    _demand_narrowing(subject)
    index = subject.built(attributes=COLUMNS)
    for where in _sayable(subject, index):
        index.restrict(where)
        subject.at_most(index)
        passing = np.flatnonzero(where.holds(COLUMNS))
        found = answers(index, Q[:6])
        for own in found:
            foreign = sorted(set(own) - set(passing.tolist()))
            assert not foreign, f"under {where} rows came that do not pass: {foreign[:5]}"
            assert len(own) == len(set(own)) <= K, (
                f"under {where} {len(own)} answers came, {len(set(own))} of them once"
            )
        if len(passing) > ROWS / 2:
            assert all(found), f"under {where} most rows pass, and for some queries none comes"
        if index.state().exhaustive:
            truth = [passing[own].tolist() for own in nearest(X[passing], Q[:6], subject.distance)]
            share = recall(truth, found)
            assert share == 1, f"under {where} every row is compared and {share:.1%} of the true neighbours come"


def a_filter_is_lifted_and_lasts_over_settings(subject: Subject) -> None:
    """It holds until it is lifted, whatever is set meanwhile; one that all rows pass changes no answer, behind one that
    none passes nothing comes, and a batch is narrowed as single queries are."""
    _demand_narrowing(subject)
    index, half = subject.built(attributes=COLUMNS), Filter(Compared("flag", "=", True))
    subject.at_most(index)
    before = answers(index)
    index.restrict(half)
    narrowed = answers(index)
    assert narrowed != before, "a filter changes nothing"
    subject.at_least(index)
    subject.at_most(index)
    assert answers(index) == narrowed, "other settings in between change what a filter lets through"
    together = [set(plain(own)) for own in index.search_batch(index.prepare(Q[:5]), K)]
    passing = set(np.flatnonzero(half.holds(COLUMNS)).tolist())
    assert all(own <= passing for own in together), "in a batch rows come that do not pass"
    assert together == [set(own) for own in narrowed[:5]], "in a batch other rows come than one by one"
    index.restrict(ALL)
    share = recall(before, answers(index))
    assert share == 1, f"behind {ALL}, which all rows pass, {share:.1%} of the answers come that come without"
    index.restrict(NONE)
    assert not any(answers(index)), f"rows come under {NONE}, which none passes"
    if subject.can("exact"):
        index.restrict(half)
        exact = [plain(index.exact(index.prepare(Q[i : i + 1]), K)) for i in range(5)]
        assert all(set(own) <= passing for own in exact), "the exhaustive search does not heed the filter"
    index.restrict(None)
    assert answers(index) == before, "a filter lingers after it was lifted"


def a_saved_index_keeps_what_filters_look_at(subject: Subject) -> None:
    _demand_narrowing(subject)
    if not subject.can("save"):
        raise DoesNotApply("it offers no saving")
    index, half = subject.built(attributes=COLUMNS), Filter(Compared("flag", "=", True))
    subject.folder.mkdir(parents=True, exist_ok=True)
    path = subject.folder / "with-columns.index"
    index.save(path)
    loaded = subject.load(path, attributes=COLUMNS)
    for own in (index, loaded):
        subject.at_most(own)
        own.restrict(half)
    passing = set(np.flatnonzero(half.holds(COLUMNS)).tolist())
    found = answers(loaded)
    assert any(found), "in a loaded index nothing comes"
    assert all(set(own) <= passing for own in found), "in a loaded index rows come that do not pass"
    assert found == answers(index), "a loaded index answers otherwise behind a filter"


def a_filter_is_of_one_index_alone(subject: Subject) -> None:
    _demand_narrowing(subject)
    first, second = subject.built(attributes=COLUMNS), subject.built(attributes=COLUMNS)
    subject.at_most(second)
    before = answers(second)
    first.restrict(NONE)
    assert answers(second) == before, "a filter of one index narrows another"
    first.close()
    assert answers(second) == before, "closing an index behind a filter changed another"


def a_changed_row_keeps_its_attributes(subject: Subject) -> None:
    if not subject.can("update"):
        raise DoesNotApply("it offers no updates")
    _demand_narrowing(subject)
    index, half = subject.built(attributes=COLUMNS), Filter(Compared("flag", "=", True))
    subject.at_most(index)
    index.restrict(half)
    row = answers(index, Q[:1])[0][0]
    index.update(np.array([row]), Q[:1])
    assert row in answers(index, Q[:1])[0], f"a row that was changed is not found behind {half}, which it passes"


def what_no_filter_can_be_is_refused(subject: Subject) -> None:
    """A column that is not there, in one line; and without the capability every filter, by name."""
    where = Filter(Compared("nowhere", "=", 1))
    if subject.can("filter"):
        _demand_narrowing(subject)
        index = subject.built(attributes=COLUMNS)
        try:
            index.restrict(where)
            answers(index)
        except InputError:
            return
        raise AssertionError(f"{where} was taken, and there is no such column")
    uses: tuple[Callable[[], None], ...] = (
        lambda: subject.engine.demand_filter(where),
        lambda: subject.engine.demand_filterable(subject.build, distance="l2", dimensions=DIMENSIONS),
        lambda: subject.index().restrict(where),
    )
    for use in uses:
        try:
            use()
        except Incapable:
            continue
        raise AssertionError("a filter was not refused with Incapable, and filters are not offered")


def _demand_narrowing(subject: Subject) -> None:
    """Raises DoesNotApply where an index of this build cannot be searched behind a filter, and that is said before
    it is built."""
    if not subject.can("filter"):
        raise DoesNotApply("it offers no filters")
    try:
        subject.engine.demand_filterable(subject.build, distance="l2", dimensions=DIMENSIONS)
    except InputError as error:
        raise DoesNotApply(f"this build takes no filter: {error.problem}") from None


def _sayable(subject: Subject, index: Index) -> Iterator[Filter]:
    """All of the filters, but that texts in order may be refused, and whole numbers that no float holds."""
    for condition in (*LEAVES, *ORDERED_WORDS, *JOINED):
        where = Filter(condition)
        try:
            subject.engine.demand_filter(where)
        except InputError:
            may = condition in ORDERED_WORDS or (isinstance(condition, Compared) and condition.column == "large")
            assert may, f"{where} is refused"
            continue
        yield where
    yield ALL
