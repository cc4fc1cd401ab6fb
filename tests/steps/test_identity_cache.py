"""The cache of identities: what it spares is only ever the reading, and a file that was touched is read again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from truerecall.cli.main import main
from truerecall.errors import InputError
from truerecall.kernels.fingerprint import row_digests
from truerecall.model.distance import distance_named
from truerecall.model.progress import Silent
from truerecall.model.vectors import QuerySet
from truerecall.steps import identify as step
from truerecall.steps.identify import Identities, identify
from truerecall.steps.unusable import Policies
from truerecall.store.identities import IdentityCache
from truerecall.store.vectors import open_corpus

X = np.random.default_rng(0).normal(size=(300, 4))
LEFT_OUT = Policies("leave-out", "leave-out")


class Lines(Silent):
    """A listener that keeps what is said and begun."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.begun: list[str] = []

    def start(self, task: str, total: int, unit: str) -> None:
        self.begun.append(task)

    def say(self, line: str) -> None:
        self.said.append(line)


@pytest.fixture(autouse=True)
def clocks_that_tick_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step, "SETTLED_NS", 0)


@pytest.fixture
def cache(tmp_path: Path) -> IdentityCache:
    return IdentityCache(tmp_path / "cache")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    np.save(tmp_path / "x.npy", X)
    return tmp_path / "x.npy"


def identified(
    path: Path, cache: IdentityCache | None, *, distance: str = "l2", queries: Any = X[:3], **others: Any
) -> tuple[Identities, bool]:
    """The identities, and whether the corpus was read for them."""
    lines, given = Lines(), others.pop("ids", None)
    found = identify(
        open_corpus(path, ids=given), QuerySet(queries), distance_named(distance),
        cache=cache, progress=lines, **others,
    )  # fmt: skip
    read = any(task.startswith("reading ") for task in lines.begun)
    assert read != any("was not touched since it was read" in line for line in lines.said)
    return found, read


def test_files_that_nobody_touched_are_read_once(file: Path, cache: IdentityCache) -> None:
    first, read = identified(file, cache)
    assert read
    again, read = identified(file, cache, queries=X[5:7])
    assert not read
    alone, _ = identified(file, None, queries=X[5:7])
    assert again.corpus.fingerprint == alone.corpus.fingerprint == first.corpus.fingerprint
    assert [again.copies.of(query).tolist() for query in range(2)] == [[5], [6]]
    assert again.corpus.ledger is not None
    assert alone.corpus.ledger is not None
    assert again.corpus.ledger.digests.tolist() == alone.corpus.ledger.digests.tolist()


def test_unusable_rows_are_known_too_and_refused_as_ever(file: Path, cache: IdentityCache) -> None:
    x = X.copy()
    x[[3, 200]], x[7] = 0, np.nan
    np.save(file, x)
    first, _ = identified(file, cache, distance="cosine", policies=LEFT_OUT)
    again, read = identified(file, cache, distance="cosine", policies=LEFT_OUT)
    assert not read
    assert again.corpus.left_out.counts == first.corpus.left_out.counts == {"not-finite": 1, "zero-vectors": 2}
    assert np.flatnonzero(again.corpus.left_out.mask).tolist() == [3, 7, 200]  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"2 rows \(3, 200\) hold only zeros"):
        identified(file, cache, distance="cosine", policies=Policies(not_finite="leave-out"))
    # Under l2 nobody looked for zeros; another look is due, and it is kept apart.
    l2, read = identified(file, cache, policies=LEFT_OUT)
    assert (read, l2.corpus.left_out.counts) == (True, {"not-finite": 1})


def test_rehash_reads_all_the_same(file: Path, cache: IdentityCache) -> None:
    identified(file, cache)
    assert identified(file, IdentityCache(cache.folder, "renew"))[1]
    assert not identified(file, cache)[1]


@pytest.mark.parametrize("way", ["rewritten", "grown", "times put back", "replaced by a copy", "touched"])
def test_a_file_that_was_touched_is_read_again(way: str, file: Path, cache: IdentityCache, tmp_path: Path) -> None:
    before, _ = identified(file, cache)
    stat = file.stat()
    if way == "grown":
        np.save(file, np.concatenate([X, X]))
    elif way == "touched":
        os.utime(file)
    else:
        np.save(tmp_path / "other.npy", -X)
        if way == "replaced by a copy":
            (tmp_path / "other.npy").replace(file)
        else:
            file.write_bytes((tmp_path / "other.npy").read_bytes())
        if way != "rewritten":
            os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    after, read = identified(file, cache)
    assert read
    assert (after.corpus.fingerprint == before.corpus.fingerprint) == (way == "touched")


def test_a_file_that_was_touched_just_now_is_not_kept(
    file: Path, cache: IdentityCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step, "SETTLED_NS", 2 * 10**9)
    identified(file, cache)
    assert identified(file, cache)[1]
    monkeypatch.setattr("time.time_ns", lambda: file.stat().st_ctime_ns + 2 * 10**9)
    assert identified(file, cache)[1]
    assert not identified(file, cache)[1]


def test_a_file_that_changes_while_it_is_read_is_not_kept(
    file: Path, cache: IdentityCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def disturbed(block: Any) -> Any:
        os.utime(file, ns=(1, 1))
        return row_digests(block)

    with monkeypatch.context() as during:
        during.setattr(step, "row_digests", disturbed)
        identified(file, cache)
    assert identified(file, cache)[1]


def test_ids_belong_to_the_files(file: Path, cache: IdentityCache, tmp_path: Path) -> None:
    ids = tmp_path / "ids.txt"
    ids.write_text("\n".join(f"d{row}" for row in range(300)))
    first, _ = identified(file, cache, ids=ids)
    assert not identified(file, cache, ids=ids)[1]
    assert identified(file, cache)[1]
    ids.write_text("\n".join(f"d{row}" for row in range(300)[::-1]))
    other, read = identified(file, cache, ids=ids)
    assert read
    assert other.corpus.fingerprint != first.corpus.fingerprint


def test_columns_and_files_of_a_folder_are_told_apart(cache: IdentityCache, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    for name, part in (("a", X[:100]), ("b", X[100:])):
        pq.write_table(pa.table({"v": part.tolist(), "w": (-part).tolist()}), folder / f"{name}.parquet")
    v, w = (Path(f"{folder}::{column}") for column in "vw")
    first, _ = identified(v, cache)
    other, read = identified(w, cache)
    assert read
    assert other.corpus.fingerprint != first.corpus.fingerprint
    assert not identified(v, cache)[1]
    pq.write_table(pa.table({"v": X[:50].tolist(), "w": X[:50].tolist()}), folder / "c.parquet")
    assert identified(v, cache)[1]


def test_a_damaged_or_unwritable_cache_is_no_obstacle(file: Path, tmp_path: Path) -> None:
    cache = IdentityCache(tmp_path / "cache")
    first, _ = identified(file, cache)
    (kept,) = cache.folder.iterdir()
    raw = bytearray(kept.read_bytes())
    raw[len(raw) // 2] ^= 1
    for damaged in (raw, raw[:50], b""):
        kept.write_bytes(damaged)
        again, read = identified(file, cache)
        assert read
        assert again.corpus.fingerprint == first.corpus.fingerprint
        assert not identified(file, cache)[1]
    (tmp_path / "in the way").touch()
    assert identified(file, IdentityCache(tmp_path / "in the way"))[1]


def test_the_cache_of_the_user_lies_where_caches_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert IdentityCache.of_user().folder == tmp_path / "truerecall" / "identities"
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "here")  # the specification says to ignore a relative one
    assert IdentityCache.of_user().folder == Path.home() / ".cache/truerecall/identities"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr("sys.platform", "darwin")
    assert IdentityCache.of_user().folder == Path.home() / "Library/Caches/truerecall/identities"


def test_a_row_selection_is_read_each_time(file: Path, cache: IdentityCache, tmp_path: Path) -> None:
    """What it stands on are other files, whose states it does not carry."""
    selection = tmp_path / "rest.parquet"
    draw = ["sample", file, "-n", "20", "--seed", "0", "--hold-out", selection, "--out", tmp_path / "q.parquet"]
    assert main([str(word) for word in draw]) == 0
    assert open_corpus(selection).files is None
    first, read = identified(selection, cache)
    assert read
    assert first.corpus.fingerprint.rows == 280
    assert identified(selection, cache)[1]
