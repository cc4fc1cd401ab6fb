"""Engines that are broken on purpose break the law that is meant for it; an honest one keeps all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from truerecall.engines.faiss import engine as faiss_engine
from truerecall.engines.hnswlib import engine as hnswlib_engine
from truerecall.errors import InputError
from truerecall.model.engine import Settings
from truerecall.testing import LAWS, check_engine, check_law
from truerecall.testing.subject import Subject


class Broken:
    """An engine whose indexes go through ``spoil``."""

    def __init__(self, spoil: Any, engine: Any = hnswlib_engine, **changed: Any) -> None:
        self.spoil, self.engine, self.changed = spoil, engine, changed

    def __getattr__(self, name: str) -> Any:
        return self.changed[name] if name in self.changed else getattr(self.engine, name)

    def build(self, source: Any, distance: str, settings: Settings, **named: Any) -> Any:
        return self.spoil(self.engine.build(source, self._meant(distance), settings, **named))

    def load(self, path: Path, source: Any, distance: str, settings: Settings, **named: Any) -> Any:
        return self.spoil(self.engine.load(path, source, self._meant(distance), settings, **named))

    def _meant(self, distance: str) -> str:
        return str(self.changed.get("map", {}).get(distance, distance))


def honest(index: Any) -> Any:
    return index


def off_by_one(index: Any) -> Any:
    search, batch = index.search, index.search_batch
    index.search = lambda query, k: (search(query, k) + 1) % index.rows
    index.search_batch = lambda queries, k: [(own + 1) % index.rows for own in batch(queries, k)]
    return index


def padded(index: Any) -> Any:
    search = index.search
    index.search = lambda query, k: np.resize(search(query, k), k)
    return index


def minus_one(index: Any) -> Any:
    search = index.search
    index.search = lambda query, k: np.concatenate([search(query, k), -np.ones(k, np.int64)])[:k]
    return index


def reversed_answers(index: Any) -> Any:
    search = index.search
    index.search = lambda query, k: search(query, k)[::-1]
    return index


def deaf(index: Any) -> Any:
    """What it is told it repeats, and searches as before."""
    index.configure = lambda settings: {"ef": settings.get("EF", settings.get("ef", 10))}
    return index


def lingering(index: Any) -> Any:
    configure, held = index.configure, {}

    def configured(settings: Settings) -> Any:
        held.update({name.lower(): value for name, value in settings.items()})
        return configure(held)

    index.configure = configured
    return index


def guessing(index: Any) -> Any:
    state = index.state
    index.state = lambda: type(state())(**{**vars(state()), "rows": 1000})
    return index


def silent_about_effort(index: Any) -> Any:
    configure = index.configure

    def configured(settings: Settings) -> Any:
        try:
            return configure(settings)
        except InputError:
            return configure({})

    index.configure = configured
    return index


def writing(index: Any) -> Any:
    prepare = index.prepare

    def prepared(queries: Any) -> Any:
        queries /= np.linalg.norm(queries, axis=1, keepdims=True)
        return prepare(queries)

    index.prepare = prepared
    return index


@pytest.mark.parametrize(
    ("engine", "law", "words"),
    [
        (Broken(off_by_one), "rows_are_called_by_their_place", "true neighbours come under their own number"),
        (Broken(honest, map={"l2": "ip"}), "each_distance_is_the_one_that_it_is_called", "under l2"),
        (Broken(honest, map={"ip": "cosine"}), "each_distance_is_the_one_that_it_is_called", "under ip"),
        (Broken(padded), "a_small_corpus_gives_a_short_answer", "of 40 rows 40 came, 60 in all"),
        (Broken(minus_one), "a_small_corpus_gives_a_short_answer", "of 40 rows 41 came"),
        (Broken(reversed_answers), "answers_are_rows_once_each_and_sorted", "farther than the one before"),
        (Broken(deaf), "effort_is_spent", "read back and change nothing"),
        (Broken(lingering), "settings_are_read_back", "lingers"),
        (Broken(silent_about_effort), "settings_are_read_back", "ef=three was not refused"),
        (Broken(guessing), "the_state_is_true", "it holds 1200 rows and says 1000"),
        (Broken(writing), "what_is_given_stays_as_it_is", "the queries were changed"),
        (
            Broken(honest, capabilities=frozenset({"build", "save", "exact"})),
            "its_own_exact_search_is_exact",
            "cannot search exhaustively",
        ),
        (
            Broken(honest, capabilities=frozenset({"build"})),
            "what_is_not_offered_is_refused_by_name",
            "to save, which it does not offer, was not refused with Incapable",
        ),
    ],
    ids=lambda value: value.spoil.__name__ if isinstance(value, Broken) else str(value)[:20],
)
def test_a_broken_engine_breaks_the_law_that_is_meant_for_it(engine: Any, law: str, words: str, tmp_path: Path) -> None:
    with Subject(engine, tmp_path) as subject, pytest.raises(AssertionError, match=f"^{law}: .*{words}"):
        check_law(subject, law)


def test_an_honest_engine_keeps_all_laws_and_what_holds_is_no_exception(tmp_path: Path) -> None:
    check_engine(hnswlib_engine, folder=tmp_path)
    with pytest.raises(AssertionError, match=r"^effort_is_spent: it holds, and is excepted because it was slow once"):
        check_engine(hnswlib_engine, folder=tmp_path, excepted={"effort_is_spent": "it was slow once"})
    with pytest.raises(AssertionError, match=r"rows_are_called_by_their_place: 0"):
        check_engine(Broken(off_by_one), folder=tmp_path)
    with pytest.raises(AssertionError, match=r"what_is_given_stays_as_it_is: "):
        check_engine(Broken(writing, faiss_engine), folder=tmp_path, build={"factory": "Flat"})
    assert len(LAWS) >= 15
