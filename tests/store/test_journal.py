"""The kept indexes of a sweep: what is forgotten of one build, and what of the others stays."""

from __future__ import annotations

from pathlib import Path

from truerecall.store.journal import Journal


def _write(path: Path) -> None:
    path.write_bytes(b"index")


def test_forgetting_takes_the_place_of_an_index_too(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "out.part")
    for key in ("one", "two"):
        journal.keep(key, _write)
        (journal.folder / f"{key}.place" / "deep").mkdir(parents=True)
        (journal.folder / f"{key}.place" / "deep" / "file").touch()
    journal.forget("one")
    assert sorted(path.name for path in journal.folder.iterdir()) == ["two.index", "two.place"]
    journal.forget("two")
    assert not journal.folder.exists()
