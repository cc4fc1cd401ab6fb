"""The laws of what is refused."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from truerecall.errors import Incapable, InputError
from truerecall.model.distance import DISTANCES
from truerecall.model.source import ArraySource
from truerecall.testing.subject import DoesNotApply, Q, Subject, X, refused


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
            refused(use, Incapable, f"to {capability}, which it does not offer,")
    if set(uses) <= subject.engine.capabilities:
        raise DoesNotApply("it offers everything")


def a_distance_that_it_does_not_serve_is_refused(subject: Subject) -> None:
    """Before anything is built or opened, and those that it serves are named."""
    engine, build, place = subject.engine, subject.build, subject.place()
    unserved = [own for own in (*DISTANCES, "chebyshev") if own not in engine.distances]
    for distance in unserved:
        uses: dict[str, Callable[[], object]] = {
            "its settings": lambda own=distance: engine.search_settings(build, distance=own, dimensions=X.shape[1]),  # type: ignore[misc]
            "a build": lambda own=distance: engine.build(  # type: ignore[misc]
                ArraySource(X), own, build, seed=0, threads=1, place=place
            ),
        }
        if subject.can("attach"):
            uses["attaching"] = lambda own=distance: engine.attach("x", own, place=place)  # type: ignore[misc]
        for what, use in uses.items():
            said = refused(use, InputError, f"under {distance} {what}")
            missing = [own for own in engine.distances if own not in said]
            assert not missing, f"under {distance} {what} is refused without naming {missing}: {said}"
