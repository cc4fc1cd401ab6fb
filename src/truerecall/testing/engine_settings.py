"""The laws of settings: what is set is in force, or the engine says that it is not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from truerecall.errors import EngineFailed, InputError, UnknownName
from truerecall.model.engine import Index, Setting, Value
from truerecall.testing.subject import DoesNotApply, Subject, X, answers, refused


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
            refused(lambda own=own: index.configure({own.name: "three"}), InputError, f"{own.name}=three")  # type: ignore[misc]
        _suggested(lambda own=own: index.configure({own.name + "s": 1}), own.name)  # type: ignore[misc]
    for own in engine.build_settings:
        wrong = {**subject.build, own.name + "x": 1}
        _suggested(
            lambda wrong=wrong: engine.search_settings(wrong, distance=subject.distance, dimensions=X.shape[1]),  # type: ignore[misc]
            own.name,
        )
    refused(lambda: index.configure({"frobnicate": 1}), UnknownName, "the setting frobnicate")


def a_setting_that_was_not_taken_over_is_reported(subject: Subject) -> None:
    """At the ends of what it says that it takes, and in between: in force afterwards, or EngineFailed. Beyond the ends
    it is refused."""
    index = subject.index()
    if not index.searchable:
        raise DoesNotApply("a search can be told nothing")
    for own in index.searchable:
        if own.kind is str:
            continue
        for value in {own.minimum, own.maximum, _another(own)} - {None}:
            given = own.kind(value)
            held = _held(index, own.name, given)
            told = f"{own.name} was set to {given} and is {held}, and nothing was raised"
            assert held is None or bool(np.isclose(float(held), float(given), rtol=1e-6)), told
        for value, step in ((own.minimum, -1), (own.maximum, 1)):
            if value is not None:
                beyond = {own.name: own.kind(value + step)}
                refused(lambda beyond=beyond: index.configure(beyond), InputError, f"to set {beyond}")  # type: ignore[misc]
    index.configure({})


def _held(index: Index, name: str, given: Value) -> Value | None:
    """What is in force after it was set; None where the engine says that it failed."""
    try:
        return index.configure({name: given})[name]
    except EngineFailed:
        return None


def effort_is_spent(subject: Subject) -> None:
    """From the least effort to the greatest something changes: the answers, or what is told of the path to them."""
    index = subject.index()
    if not any(own.more_is_more_effort for own in index.searchable):
        raise DoesNotApply("no setting of it is one of effort")
    seen = []
    for effort in (subject.at_least, subject.at_most):
        effort(index)
        index.reset_cost()
        seen.append((answers(index), dict(index.cost()), index.state()))
    assert seen[0] != seen[1], "the settings of effort are read back and change nothing"


def _another(setting: Setting) -> Value:
    """A value that it can have and that is not its default."""
    least, most = setting.minimum or 0, setting.maximum or np.inf
    candidates = [setting.kind(value) for value in (3, 2, 5, least) if least <= value <= most]
    other: Value = next((own for own in candidates if own != setting.default), candidates[-1])
    return other


def _suggested(use: Callable[[], object], name: str) -> None:
    said = ""
    try:
        use()
    except UnknownName as error:
        said = str(error)
    assert said, f"a misspelt {name} was not refused with UnknownName"
    assert name in said, f"a misspelt {name} is refused without it: {said}"
