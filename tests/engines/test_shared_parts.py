"""What several engines share: a folder as one file, names with options, a quiet standard error."""

from __future__ import annotations

import os
import tarfile
from pathlib import Path

import pytest

from truerecall.engines._address import parsed
from truerecall.engines._folders import pack, unpack
from truerecall.engines._stderr import nothing_on_stderr
from truerecall.errors import EngineFailed, InputError


def filled(folder: Path) -> Path:
    (folder / "deep" / "empty").mkdir(parents=True)
    (folder / "b").write_bytes(b"\0\1")
    (folder / "deep" / "ä").write_text("text")
    return folder


def test_a_folder_comes_back_as_it_was(tmp_path: Path) -> None:
    pack(filled(tmp_path / "one"), tmp_path / "file")
    unpack(tmp_path / "file", tmp_path / "two", engine="X")
    parts = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*"))
    assert parts == sorted(path.relative_to(tmp_path / "two") for path in (tmp_path / "two").rglob("*"))
    assert (tmp_path / "two" / "b").read_bytes() == b"\0\1"
    assert (tmp_path / "two" / "deep" / "ä").read_text() == "text"


def test_the_file_hangs_on_names_and_contents_alone(tmp_path: Path) -> None:
    for name in ("one", "two"):
        pack(filled(tmp_path / name), tmp_path / f"{name}.tar")
        os.utime(tmp_path / name / "b", (1, 1))
        pack(tmp_path / name, tmp_path / f"{name}.later.tar")
    contents = {path.read_bytes() for path in tmp_path.glob("*.tar")}
    assert len(contents) == 1


def test_what_is_no_such_file_or_would_leave_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"nothing of the kind")
    with pytest.raises(InputError, match="is no saved index of X"):
        unpack(tmp_path / "x", tmp_path / "out", engine="X")
    with tarfile.open(tmp_path / "y", "w") as archive:
        archive.add(tmp_path / "x", "../outside")
    with pytest.raises(InputError, match="is no saved index of X"):
        unpack(tmp_path / "y", tmp_path / "out", engine="X")
    assert not (tmp_path / "outside").exists()
    with pytest.raises(EngineFailed, match="could not be written"):
        pack(filled(tmp_path / "in"), tmp_path / "no" / "such" / "folder")


def test_a_name_and_its_options() -> None:
    assert parsed("a/b c+d%20.db", ("id",)) == ("a/b c+d%20.db", {})
    assert parsed("t?id=my%20id&vector=v+w%26", ("id", "vector")) == ("t", {"id": "my id", "vector": "v+w&"})


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("?id=x", "names nothing"),
        ("t?idd=x", "unknown option idd; did you mean id"),
        ("t?id=", "id is empty"),
        ("t?id=a&id=b", "id is given twice"),
    ],
)
def test_names_that_say_nothing(address: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        parsed(address, ("id", "vector"))


def _noisy() -> None:
    os.write(2, b"noise")
    raise ValueError("kept")


def test_what_others_print_is_lost_and_errors_are_not(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="kept"), nothing_on_stderr():
        _noisy()
    os.write(2, b"after")
    assert capfd.readouterr().err == "after"
