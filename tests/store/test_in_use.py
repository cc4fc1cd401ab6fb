"""One process at a time works in a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from truerecall.errors import InputError
from truerecall.store.in_use import NAME, only_one_in


def test_a_second_one_is_refused_and_the_first_one_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "out.part"
    with only_one_in(folder):
        with pytest.raises(InputError, match="another measurement is at work in "), only_one_in(folder):
            pass
        assert (folder / NAME).exists()
    assert not folder.exists()


def test_what_a_killed_process_left_holds_nothing_and_other_files_stay(tmp_path: Path) -> None:
    (tmp_path / NAME).touch()
    (tmp_path / "some.index").touch()
    with only_one_in(tmp_path):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["some.index"]
