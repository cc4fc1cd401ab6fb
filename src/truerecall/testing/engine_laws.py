"""The laws of an engine, each a function that raises AssertionError where it does not hold."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import numpy as np

from truerecall.errors import Incapable, InputError, UnknownName
from truerecall.kernels.distances import order_keys
from truerecall.model.engine import Setting, Value
from truerecall.testing.subject import ROWS, K, Q, Reused, Subject, X, answers, nearest, plain, recall, stretched

MOST_LOST = 0.1
"""Of the true neighbours, by an approximate index at its greatest effort on a thousand rows."""


def answers_are_rows_once_each_and_sorted(subject: Subject) -> None:
    """Row numbers of the corpus, none twice, at most k, never padded; at the greatest effort the nearest first, as far
    as codes can tell."""
    index = subject.index()
    ascending: list[bool] = []
    for effort in (lambda _: None, subject.at_most):
        effort(index)
        for k in (1, K, 50):
            for query, found in zip(Q, answers(index, k=k), strict=True):
                assert 0 < len(found) <= k, f"{len(found)} answers came where k is {k}"
                assert len(found) == len(set(found)), f"a row came twice: {found}"
                assert set(found) <= set(range(ROWS)), f"there are rows beyond the corpus: {sorted(found)}"
                keys = order_keys(subject.distance, query, X[found])
                if effort == subject.at_most:
                    ascending += (np.diff(keys) >= -1e-5 * np.abs(keys[1:])).tolist()
    share = float(np.mean(ascending))
    assert share > 1 - MOST_LOST, f"only {share:.1%} of the answers are farther than the one before them"


def a_small_corpus_gives_a_short_answer(subject: Subject) -> None:
    index = subject.built(X[:40])
    subject.at_most(index)
    for found in answers(index, k=60):
        assert sorted(found) == list(range(40)), f"of 40 rows {len(set(found))} came, {len(found)} in all"
    prepared = index.prepare(Q)
    for count in (1, 2, len(Q)):
        for own in index.search_batch(prepared[:count], 60):
            assert sorted(plain(own)) == list(range(40)), f"of 40 rows {len(set(own))} came in a batch"


def what_is_given_stays_as_it_is(subject: Subject) -> None:
    for distance in _of_vectors(subject):
        rows, queries = X.copy(), Q.copy()
        index = subject.built(rows, distance)
        answers(index, queries)
        index.search_batch(index.prepare(queries), K)
        assert (rows == X).all(), f"under {distance} the rows were changed"
        assert (queries == Q).all(), f"under {distance} the queries were changed"


def a_batch_answers_as_single_queries_do(subject: Subject) -> None:
    index = subject.built(threads=2)
    prepared, alone = index.prepare(Q), answers(index)
    for count in (1, 2, 5, len(Q)):
        together = [plain(own) for own in index.search_batch(prepared[:count], K)]
        share = recall(alone[:count], together)
        assert share == 1, f"{share:.1%} of the answers of single queries come in a batch of {count}"


def settings_are_read_back(subject: Subject) -> None:
    """What is not given is at its default, what is given is in force, and what is unknown is refused."""
    index, engine = subject.index(), subject.engine
    offered = engine.search_settings(subject.build, distance=subject.distance, dimensions=X.shape[1])
    assert [own.name for own in offered] == [own.name for own in index.searchable], "other settings than were offered"
    defaults = dict(index.configure({}))
    assert set(defaults) == {own.name for own in offered}, f"read back were {sorted(defaults)}"
    for own in offered:
        if own.kind is not str:
            given = _another(own)
            held = index.configure({own.name.upper(): given})
            assert held == {**defaults, own.name: given}, f"{own.name}={given} was set, and in force is {held}"
            assert index.configure({}) == defaults, f"{own.name} lingers"
            _refused(lambda own=own: index.configure({own.name: "three"}), InputError, f"{own.name}=three")  # type: ignore[misc]
        _suggested(lambda own=own: index.configure({own.name + "s": 1}), own.name)  # type: ignore[misc]
    for own in engine.build_settings:
        wrong = {**subject.build, own.name + "x": 1}
        _suggested(
            lambda wrong=wrong: engine.search_settings(wrong, distance=subject.distance, dimensions=X.shape[1]),  # type: ignore[misc]
            own.name,
        )
    _refused(lambda: index.configure({"frobnicate": 1}), UnknownName, "the setting frobnicate")


def effort_is_spent(subject: Subject) -> None:
    """From the least effort to the greatest something changes: the answers, or what is told of the path to them."""
    index = subject.index()
    if not any(own.more_is_more_effort for own in index.searchable):
        return
    seen = []
    for effort in (subject.at_least, subject.at_most):
        effort(index)
        index.reset_cost()
        seen.append((answers(index), dict(index.cost()), index.state()))
    assert seen[0] != seen[1], "the settings of effort are read back and change nothing"


def each_distance_is_the_one_that_it_is_called(subject: Subject) -> None:
    """Rows of many lengths, at the greatest effort: nearly the true neighbours; exactly these where every row is said
    to be compared. Every element type is taken, and a cast is told."""
    tried = [(distance, "float32") for distance in _of_vectors(subject)]
    tried += [(subject.distance, dtype) for dtype in ("float16", "float64", "int8", "uint8")]
    for distance, dtype in tried:
        rows, queries = stretched(dtype)
        index = subject.built(rows, distance)
        subject.at_most(index)
        found, truth, state = answers(index, queries), nearest(rows, queries, distance), index.state()
        share = recall(truth, found)
        if not state.exhaustive:
            assert share > 1 - MOST_LOST, f"under {distance} {share:.1%} of the true neighbours come, of {dtype}"
        elif dtype.startswith("float"):
            assert share == 1, f"under {distance} every row is compared and {share:.1%} come, of {dtype}"
        told = dtype == "float32" or state.exact_by_design or dtype in state.transform or state.transform == "none"
        assert told, f"{dtype} was cast and the state says {state.transform!r}"


def rows_are_called_by_their_place(subject: Subject) -> None:
    """Also where a source uses one buffer for all its blocks."""
    order = np.random.default_rng(5).permutation(ROWS)
    for rows, places in ((X, np.arange(ROWS)), (Reused(X[order]), order)):
        index = subject.built(rows)
        subject.at_most(index)
        found = [places[own].tolist() for own in answers(index)]
        share = recall(nearest(X, Q, subject.distance), found)
        assert share > 1 - MOST_LOST, f"{share:.1%} of the true neighbours come under their own number"


def a_loaded_index_behaves_like_the_one_saved(subject: Subject) -> None:
    if not subject.can("save"):
        return
    index = subject.index()
    subject.folder.mkdir(parents=True, exist_ok=True)
    path = subject.folder / "an.index"
    index.save(path)
    for threads in (1, 2):
        loaded = subject.load(path, threads=threads)
        assert loaded.configure({}) == index.configure({}), "other settings are in force"
        assert loaded.answers == index.answers, "other names of rows come"
        assert answers(loaded) == answers(index), "it answers otherwise"
    torn = subject.folder / "torn"
    torn.write_bytes(path.read_bytes()[: min(40, path.stat().st_size // 2)])
    _refused(lambda: subject.load(torn), InputError, "a torn file")
    for rows in (X[:-1], X[:, :-1]):
        _refused(lambda rows=rows: subject.load(path, rows), InputError, "an index of another corpus")  # type: ignore[misc]


def two_indexes_live_side_by_side(subject: Subject) -> None:
    first, second = subject.built(), subject.built(X[::-1].copy())
    before = answers(first), answers(second)
    subject.at_most(second)
    assert answers(first) == before[0], "what one was told changed the other"
    second.configure({})
    assert answers(second) == before[1], "a setting lingers"
    first.close()
    assert answers(second) == before[1], "closing one changed the other"


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
    if subject.can("exact"):
        index = subject.index()
        prepared = index.prepare(Q)
        found = [plain(index.exact(prepared[i : i + 1], K)) for i in range(len(Q))]
        share = recall(nearest(X, Q, subject.distance), found)
        assert share == 1, f"{share:.1%} of the true neighbours come"


def deletes_and_updates_are_seen(subject: Subject) -> None:
    if not {"delete", "update"} & subject.engine.capabilities:
        return
    index = subject.built()
    subject.at_most(index)
    gone = answers(index, Q[:1])[0][:3]
    if subject.can("delete"):
        index.delete(np.array(gone))
        assert not set(answers(index, Q[:1])[0]) & set(gone), "a row that was deleted comes back"
    if subject.can("update"):
        row = next(own for own in range(ROWS) if own not in gone)
        index.update(np.array([row]), Q[:1])
        if subject.distance != "ip":
            assert answers(index, Q[:1])[0][0] == row, "a row that was given the query's values is not the nearest"


def what_is_not_offered_is_refused_by_name(subject: Subject) -> None:
    engine, index, place = subject.engine, subject.index(), subject.place()
    uses: dict[str, Callable[[], object]] = {
        "attach": lambda: engine.attach("x", subject.distance, place=place),
        "source": lambda: engine.source("x", place=place),
        "save": lambda: index.save(subject.folder / "unsaved"),
        "exact": lambda: index.exact(index.prepare(Q[:1]), 1),
        "delete": lambda: index.delete(np.array([0])),
        "update": lambda: index.update(np.array([0]), X[:1]),
    }
    for capability, use in uses.items():
        if not subject.can(capability):
            _refused(use, Incapable, f"to {capability}, which it does not offer,")


def closing_lets_go(subject: Subject) -> None:
    """No file in the place of an index stays open. Closing twice does nothing."""
    index = subject.built()
    answers(index)
    index.close()
    index.close()
    place = f"{subject.places[-1].folder.resolve()}{os.sep}"
    left = [name for name in _open_files() if name.startswith(place)]
    assert not left, f"still open: {left}"


def _open_files() -> Iterable[str]:
    """Of this process, where the system tells."""
    for number in Path("/proc/self/fd").glob("*"):
        with suppress(OSError):
            yield str(number.readlink())


def _of_vectors(subject: Subject) -> Iterable[str]:
    """The distances that an index of the build can be made for."""
    for distance in subject.engine.distances:
        with suppress(InputError):
            subject.engine.search_settings(subject.build, distance=distance, dimensions=X.shape[1])
            if distance != "hamming":
                yield distance


def _another(setting: Setting) -> Value:
    """A value that it can have and that is not its default."""
    least, most = setting.minimum or 0, setting.maximum or np.inf
    candidates = [setting.kind(value) for value in (3, 2, 5, least) if least <= value <= most]
    other: Value = next((own for own in candidates if own != setting.default), candidates[-1])
    return other


def _refused(use: Callable[[], object], error: type[Exception], what: str) -> None:
    try:
        use()
    except error:
        return
    raise AssertionError(f"{what} was not refused with {error.__name__}")


def _suggested(use: Callable[[], object], name: str) -> None:
    said = ""
    try:
        use()
    except UnknownName as error:
        said = str(error)
    assert said, f"a misspelt {name} was not refused with UnknownName"
    assert name in said, f"a misspelt {name} is refused without it: {said}"
