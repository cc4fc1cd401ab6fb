"""Engines that are broken on purpose break the law that is meant for it; an honest one keeps all."""

from __future__ import annotations

import re
import subprocess
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from tests.engines import broken
from tests.engines.broken import Bare, Broken, Careless, Leaving, Mixing, OneFilter, Shared, honest
from tests.engines.laid import way_to_lay_out
from truerecall.engines.faiss import engine as faiss_engine
from truerecall.engines.hnswlib import engine as hnswlib_engine
from truerecall.engines.lancedb import engine as lancedb_engine
from truerecall.engines.numpy_flat import engine as numpy_flat_engine
from truerecall.engines.sqlite_vec import engine as sqlite_vec_engine
from truerecall.testing import LAWS, check_engine, check_law
from truerecall.testing.subject import Subject

MAPPED = "each_distance_is_the_one_that_it_is_called"
CASES: list[tuple[Any, str, str]] = [
    (Broken(broken.off_by_one), "rows_are_called_by_their_place", "true neighbours come under their own number"),
    *(
        (Broken(broken.modest, numpy_flat_engine, map={one: other}), MAPPED, f"under {one} .*neighbours come")
        for one, other in permutations(("l2", "ip", "cosine", "l1"), 2)
    ),
    (Broken(broken.modest, numpy_flat_engine, map={"hamming": "l1"}), "bits_are_compared_by_hamming", "as near as"),
    (Broken(honest, sqlite_vec_engine, map={"l1": "l2"}), MAPPED, "under l1"),
    (Broken(broken.boastful), MAPPED, "under l2 every row is compared and"),
    (Broken(broken.padded), "a_small_corpus_gives_a_short_answer", "of 40 rows 40 came, 60 in all"),
    (Broken(broken.minus_one), "a_small_corpus_gives_a_short_answer", "of 40 rows 41 came"),
    (Broken(broken.reversed_answers), "answers_are_rows_once_each_and_sorted", "farther than the one before"),
    (Broken(broken.alone_only), "a_batch_answers_as_single_queries_do", "of single queries come in a batch of 2"),
    (Broken(broken.deaf), "effort_is_spent", "read back and change nothing"),
    (Broken(broken.lingering), "settings_are_read_back", "lingers"),
    (Broken(broken.silent_about_effort), "settings_are_read_back", "ef=three was not refused"),
    (Broken(broken.clamping), "a_setting_that_was_not_taken_over_is_reported", "ef was set to 2147483647 and is 50"),
    (
        Broken(broken.silent_about_effort),
        "a_setting_that_was_not_taken_over_is_reported",
        "to set {'ef': 0} was not refused",
    ),
    (Broken(broken.guessing), "the_state_is_true", "it holds 1200 rows and says 1000"),
    (Broken(broken.writing), "what_is_given_stays_as_it_is", "the queries were changed"),
    (Broken(broken.forgetful), "a_loaded_index_behaves_like_the_one_saved", "FormatError|InputError|EngineFailed"),
    (Shared(), "two_indexes_live_side_by_side", "what one was told changed the other"),
    (Broken(broken.never_reset), "costs_are_counted_from_zero", "something was spent before the first search"),
    (Leaving(broken.a_file), "closing_lets_go", "still open: .*graph"),
    (Leaving(broken.a_process), "closing_lets_go", "still running: "),
    (Broken(broken.undeletable, sqlite_vec_engine), "deletes_and_updates_are_seen", "was deleted comes back"),
    (Broken(broken.unchangeable, sqlite_vec_engine), "deletes_and_updates_are_seen", "is not the nearest"),
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
    (Careless(honest), "a_distance_that_it_does_not_serve_is_refused", "under l1 its settings was not refused"),
    (Broken(broken.cut_short, sqlite_vec_engine), "ids_come_back_as_they_are", "past 2^53 came 90071992547"),
    (Broken(broken.spelt_otherwise, sqlite_vec_engine), "ids_come_back_as_they_are", "of texts came b'Zeile"),
    (Broken(broken.off_by_two, sqlite_vec_engine), "ids_come_back_as_they_are", "under their own id"),
    (
        Broken(broken.writable, sqlite_vec_engine),
        "ids_come_back_as_they_are",
        "to delete where it was attached was not",
    ),
    (
        Broken(broken.anonymous, sqlite_vec_engine),
        "an_attached_index_is_told_from_others",
        "nothing tells it from others",
    ),
    (
        Broken(broken.called_alike, sqlite_vec_engine),
        "an_attached_index_is_told_from_others",
        "another index has the same identity",
    ),
    (
        Broken(broken.never_the_same, sqlite_vec_engine),
        "an_attached_index_is_told_from_others",
        "changes though nobody writes",
    ),
    (Mixing(honest, lancedb_engine), "a_corpus_is_given_with_its_ids", "come under the ids of others"),
    (Broken(broken.blind_to_filters), "only_rows_that_pass_a_filter_answer", "rows came that do not pass"),
    (Broken(broken.filter_for_good), "a_filter_is_lifted_and_lasts_over_settings", "lingers after it was lifted"),
    (OneFilter(), "a_filter_is_of_one_index_alone", "a filter of one index narrows another"),
    (
        Broken(broken.bare_after_a_change, sqlite_vec_engine),
        "a_changed_row_keeps_its_attributes",
        "is not found behind flag = true, which it passes",
    ),
    (Bare(honest), "a_saved_index_keeps_what_filters_look_at", "in a loaded index rows come that do not pass"),
    (Broken(broken.without_columns), "what_no_filter_can_be_is_refused", "there is no such column"),
]


@pytest.mark.parametrize(
    ("engine", "law", "words"), CASES, ids=[f"{number}-{law}" for number, (_, law, _) in enumerate(CASES)]
)
def test_a_broken_engine_breaks_the_law_that_is_meant_for_it(
    engine: Any, law: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine.version() is None:
        pytest.skip(f"needs {engine.name}")
    lay_out = way_to_lay_out(engine.name, tmp_path, monkeypatch)
    pattern = rf"(?s)^{law}: .*{words if '|' in words else re.escape(words).replace(re.escape('.*'), '.*')}"
    try:
        with Subject(engine, tmp_path, lay_out=lay_out) as subject, pytest.raises(AssertionError, match=pattern):
            check_law(subject, law)
    finally:
        for left in getattr(engine, "left", ()):
            if isinstance(left, subprocess.Popen):
                left.kill()
                left.wait()
            else:
                left.close()


def test_for_every_law_there_is_an_engine_that_breaks_it() -> None:
    assert {law for _, law, _ in CASES} == set(LAWS)


def test_an_honest_engine_keeps_all_laws_and_what_holds_is_no_exception(tmp_path: Path) -> None:
    checked = check_engine(hnswlib_engine, folder=tmp_path)
    assert not checked.excepted
    assert set(checked.kept) | set(checked.not_applying) == set(LAWS)
    assert checked.not_applying == {
        "bits_are_compared_by_hamming": "it does not serve hamming",
        "an_attached_index_is_told_from_others": "it offers no attaching",
        "ids_come_back_as_they_are": "it offers no attaching; its answers are rows",
        "a_corpus_is_given_with_its_ids": "it does not give its vectors back",
        "its_own_exact_search_is_exact": "it offers no exhaustive search",
        "a_changed_row_keeps_its_attributes": "it offers no updates",
        "deletes_and_updates_are_seen": "it offers neither to delete nor to update rows",
    }
    assert "\ndoes not apply  bits_are_compared_by_hamming: it does not serve hamming\n" in str(checked)
    with pytest.raises(AssertionError, match=r"^effort_is_spent: it holds, and is excepted because it was slow once"):
        check_engine(hnswlib_engine, folder=tmp_path, excepted={"effort_is_spent": "it was slow once"})
    with pytest.raises(AssertionError, match=r"rows_are_called_by_their_place: 0"):
        check_engine(Broken(broken.off_by_one), folder=tmp_path)
    with pytest.raises(AssertionError, match=r"what_is_given_stays_as_it_is: "):
        check_engine(Broken(broken.writing, faiss_engine), folder=tmp_path, build={"factory": "Flat"})


def test_an_exception_of_a_law_that_does_not_apply_or_is_none_is_refused(tmp_path: Path) -> None:
    excepted = {"bits_are_compared_by_hamming": "no bits", "everything_is_fast": "it is not"}
    with pytest.raises(AssertionError) as caught:
        check_engine(hnswlib_engine, folder=tmp_path, excepted=excepted)
    assert str(caught.value).splitlines() == [
        "everything_is_fast: excepted, and there is no such law",
        "bits_are_compared_by_hamming: it does not apply (it does not serve hamming), and is excepted because no bits",
    ]


def test_without_a_way_to_lay_rows_out_the_laws_of_ids_say_so(tmp_path: Path) -> None:
    with Subject(sqlite_vec_engine, tmp_path) as subject:
        assert "lay_out=" in check_law(subject, "ids_come_back_as_they_are")
