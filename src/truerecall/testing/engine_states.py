"""The laws of what an index says of itself, and of rows that change."""

from __future__ import annotations

import numpy as np

from truerecall.testing.subject import ROWS, DoesNotApply, K, Q, Subject, X, answers, nearest, plain, recall


def the_state_is_true(subject: Subject) -> None:
    """It says how many rows there are, and nothing that contradicts itself or changes by being asked."""
    index = subject.index()
    answers(index)
    for _ in range(2):
        state = index.state()
        assert state == index.state(), "asked twice it says two things"
        assert state.rows == ROWS, f"it holds {ROWS} rows and says {state.rows}"
        assert state.indexed_rows in (None, *range(ROWS + 1)), f"{state.indexed_rows} of {ROWS} rows are indexed"
        assert state.kind, "it does not say what it is"
        assert not state.exact_by_design or state.exhaustive, "it is exact and leaves rows out"
        assert state.path != "index" or not state.exact_by_design, "it is exact by design and goes through an index"
        assert index.server, "it does not say where it answers"
        subject.at_most(index)
        answers(index)


def an_attached_index_is_told_from_others(subject: Subject) -> None:
    """By its identity, which stays as it is while nobody writes to it."""
    if not subject.can("attach"):
        raise DoesNotApply("it offers no attaching")
    if subject.lay_out is None:
        raise DoesNotApply("nothing was given to lay rows out with (lay_out=)")
    seen = []
    for first in (0, 300):
        name = subject.lay_out(range(first, first + 300), X[first : first + 300], subject.distance)
        if name is None:
            raise DoesNotApply("rows cannot be laid out under numbers")
        identities = [subject.attached(name).identity for _ in range(2)]
        assert identities[0] == identities[1], "its identity changes though nobody writes to it"
        seen.append(identities[0])
    assert seen[0], "nothing tells it from others (identity)"
    assert seen[0] != seen[1], "another index has the same identity"


def costs_are_counted_from_zero(subject: Subject) -> None:
    index = subject.index()
    index.reset_cost()
    assert not any(index.cost().values()), "something was spent before the first search"
    answers(index)
    once = dict(index.cost())
    assert all(type(spent) is int and spent >= 0 for spent in once.values()), f"it counts {once}"
    index.reset_cost()
    assert not any(index.cost().values()), "the counters do not go back to zero"


def its_own_exact_search_is_exact(subject: Subject) -> None:
    if not subject.can("exact"):
        raise DoesNotApply("it offers no exhaustive search")
    index = subject.index()
    prepared = index.prepare(Q)
    found = [plain(index.exact(prepared[i : i + 1], K)) for i in range(len(Q))]
    share = recall(nearest(X, Q, subject.distance), found)
    assert share == 1, f"{share:.1%} of the true neighbours come"


def deletes_and_updates_are_seen(subject: Subject) -> None:
    if not {"delete", "update"} & subject.engine.capabilities:
        raise DoesNotApply("it offers neither to delete nor to update rows")
    index = subject.built()
    subject.at_most(index)
    gone = answers(index, Q[:1])[0][:3]
    if subject.can("delete"):
        index.delete(np.array(gone))
        assert not set(answers(index, Q[:1])[0]) & set(gone), "a row that was deleted comes back"
    if subject.can("update"):
        row = nearest(X, Q[:1], subject.distance, ROWS)[0][-1]  # the farthest
        index.update(np.array([row]), Q[:1])
        if subject.distance != "ip":
            assert answers(index, Q[:1])[0][0] == row, "a row that was given the query's values is not the nearest"
