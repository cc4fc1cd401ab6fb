"""Row selections: which rows they stand for, under which ids, and when they are refused."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from truerecall.errors import FormatError, InputError
from truerecall.model.drawing import Attribute
from truerecall.model.vectors import Corpus
from truerecall.steps.sample import Wish, draw
from truerecall.steps.save_sample import save_drawn_queries, save_sampled_corpus
from truerecall.store.attributes import read_attribute
from truerecall.store.selections import is_selection
from truerecall.store.vectors import open_corpus, open_queries

ROWS = np.random.default_rng(0).normal(size=(60, 3)).astype(np.float32)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    np.save(tmp_path / "data" / "base.npy", ROWS)
    return tmp_path / "data" / "base.npy"


def held_out(base: Path, folder: Path, n: int = 12, *, ids: Path | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    corpus = open_corpus(base, ids=ids)
    sample = draw(corpus, Wish(n=n))
    save_drawn_queries(sample, corpus, folder / "q.parquet", source=base, ids=ids, hold_out=folder / "rows.parquet")
    return folder / "rows.parquet"


def sampled(base: Path, folder: Path, n: int, attribute: Attribute | None = None) -> Path:
    corpus = open_corpus(base)
    sample = draw(corpus, Wish(n=n, allocation="proportional"), attribute=attribute, what="sampled corpus")
    save_sampled_corpus(sample, folder / f"small{n}.parquet", source=base)
    return folder / f"small{n}.parquet"


def vectors(corpus: Corpus) -> Any:
    return corpus.source.take(np.arange(corpus.source.rows))


def test_kept_rows_keep_their_numbers(base: Path, tmp_path: Path) -> None:
    rows = held_out(base, tmp_path / "out")
    kept, queries = open_corpus(rows), open_queries(tmp_path / "out" / "q.parquet")
    assert is_selection(rows)
    assert (len(queries), kept.source.rows, kept.id_kind, kept.drawn_from) == (12, 48, "int64", None)
    assert sorted([*kept.ids.tolist(), *queries.ids.tolist()]) == list(range(60))
    assert (vectors(kept) == ROWS[kept.ids]).all()
    assert (queries.vectors == ROWS[queries.ids]).all()
    assert kept.source.name == str(rows)


def test_given_ids_are_kept(base: Path, tmp_path: Path) -> None:
    ids = tmp_path / "ids.txt"
    ids.write_text("".join(f"r{row}\n" for row in range(60)))
    rows = held_out(base, tmp_path / "out", ids=ids)
    kept = open_corpus(rows)
    assert kept.ids.tolist() == [f"r{row}" for row in range(60) if f"r{row}" in kept.ids.tolist()]
    with pytest.raises(InputError, match="knows their ids; leave"):
        open_corpus(rows, ids=ids)
    ids.write_text("".join(f"s{row}\n" for row in range(60)))
    with pytest.raises(InputError, match="other content now"):
        open_corpus(rows)


def test_copies_of_the_drawn_rows_go_with_them(tmp_path: Path) -> None:
    np.save(tmp_path / "base.npy", np.concatenate([ROWS[:20], ROWS[:20]]))
    rows = held_out(tmp_path / "base.npy", tmp_path / "out", 8)
    queries = open_queries(tmp_path / "out" / "q.parquet")
    assert queries.drawing is not None
    left = {value.tobytes() for value in vectors(open_corpus(rows))}
    assert not left & {value.tobytes() for value in queries.vectors}
    assert queries.drawing["held_out"] == 40 - open_corpus(rows).source.rows >= 14


def test_a_corpus_is_never_emptied(tmp_path: Path) -> None:
    np.save(tmp_path / "base.npy", np.ones((9, 2), np.float32))
    with pytest.raises(InputError, match=r"every row of .* would be held out"):
        held_out(tmp_path / "base.npy", tmp_path / "out", 1)
    assert list((tmp_path / "out").iterdir()) == []


def test_a_sampled_corpus_knows_of_how_many(base: Path, tmp_path: Path) -> None:
    small = sampled(base, tmp_path, 30)
    corpus = open_corpus(small)
    assert (corpus.source.rows, corpus.drawn_from) == (30, 60)
    assert (vectors(corpus) == ROWS[corpus.ids]).all()
    inner = open_corpus(held_out(small, tmp_path / "out", 10))
    assert (inner.source.rows, inner.drawn_from) == (20, 60)
    assert set(inner.ids.tolist()) < set(corpus.ids.tolist())
    assert (vectors(inner) == ROWS[inner.ids]).all()
    outer = open_corpus(sampled(held_out(base, tmp_path / "other", 10), tmp_path, 25))
    assert (outer.source.rows, outer.drawn_from) == (25, 50)


def test_the_file_may_move_with_its_corpus(base: Path, tmp_path: Path) -> None:
    rows = held_out(base, tmp_path / "out")
    before = open_corpus(rows).ids.tolist()
    for name in ("data", "out"):
        shutil.copytree(tmp_path / name, tmp_path / "elsewhere" / name, copy_function=shutil.copy)
    moved = tmp_path / "elsewhere" / "out" / "rows.parquet"
    base.unlink()
    assert open_corpus(moved).ids.tolist() == before
    with pytest.raises(InputError, match=r"base\.npy, which .* selects rows of, does not exist; put the corpus back"):
        open_corpus(rows)


def test_a_linked_folder_leads_to_the_same_corpus(base: Path, tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "deep" / "er")
    rows = held_out(base, tmp_path / "link")
    assert open_corpus(rows).ids.tolist() == open_corpus(tmp_path / "deep" / "er" / "rows.parquet").ids.tolist()


def test_a_path_that_is_no_text_is_refused(tmp_path: Path) -> None:
    odd = tmp_path / "b\udcffse.npy"
    np.save(odd, ROWS)
    with pytest.raises(InputError, match="is no text"):
        held_out(odd, tmp_path / "out")


def test_touched_but_the_same_is_accepted_and_changed_is_refused(base: Path, tmp_path: Path) -> None:
    rows = held_out(base, tmp_path / "out")
    os.utime(base, ns=(1, 1))
    open_corpus(rows)
    changed = ROWS.copy()
    changed[59, 2] = np.nextafter(changed[59, 2], np.float32(9))  # one bit
    np.save(base, changed)
    with pytest.raises(InputError, match=r"the same shape and other content now \(digest [0-9a-f]{12}, now"):
        open_corpus(rows)
    for spoilt, words in (
        (ROWS[:59], "had rows 60 and has 59 now"),
        (ROWS[:, :2], "had dimensions 3 and has 2 now"),
        (ROWS.astype(np.float64), "had dtype float32 and has float64 now"),
    ):
        np.save(base, spoilt)
        with pytest.raises(InputError, match=words):
            open_corpus(rows)


def test_a_change_that_keeps_size_and_time_is_seen(base: Path, tmp_path: Path) -> None:
    """As a copy does that keeps the time of its original."""
    rows = held_out(base, tmp_path / "out")
    before = base.stat()
    np.save(base, ROWS[::-1])
    os.utime(base, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (base.stat().st_size, base.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    with pytest.raises(InputError, match="the same shape and other content now"):
        open_corpus(rows)


def test_a_damaged_file_is_refused(base: Path, tmp_path: Path) -> None:
    rows = held_out(base, tmp_path / "out")
    whole = rows.read_bytes()
    marks = [whole.rindex(mark) + 3 for mark in (b"truerecall.manifest", b"truerecall.checksum", b'"rows"')]
    for place in (*range(0, len(whole), 61), *marks):
        raw = bytearray(whole)
        raw[place] ^= 1
        rows.write_bytes(raw)
        with pytest.raises(FormatError):
            open_corpus(rows)


def test_the_same_seed_gives_the_same_content(base: Path, tmp_path: Path) -> None:
    from truerecall.store.artefact import read_artefact

    one, two = (read_artefact(held_out(base, tmp_path / name), "rows", 1) for name in ("one", "two"))
    assert one.content_digest == two.content_digest


def test_no_file_is_read_from_itself(base: Path, tmp_path: Path) -> None:
    rows = held_out(base, tmp_path / "out")
    inner = held_out(rows, tmp_path / "inner")
    corpus = open_corpus(inner)
    with pytest.raises(InputError, match="is drawn from itself"):
        save_drawn_queries(draw(corpus, Wish(n=3)), corpus, tmp_path / "q.parquet", source=inner, hold_out=rows)
    assert open_corpus(inner).source.rows == 36


def test_attributes_follow_the_rows(tmp_path: Path) -> None:
    path = tmp_path / "base.parquet"
    colours = ["red"] * 40 + ["blue"] * 20
    pq.write_table(pa.table({"id": [f"r{row}" for row in range(60)], "v": ROWS.tolist(), "colour": colours}), path)
    rows = held_out(path, tmp_path / "out", 15)
    kept = open_corpus(rows)
    expected = ["red" if int(name[1:]) < 40 else "blue" for name in kept.ids.tolist()]
    assert read_attribute("colour", rows, kept).values.tolist() == expected
    small = open_corpus(sampled(rows, tmp_path, 9, read_attribute("colour", rows, kept)))
    assert read_attribute("colour", tmp_path / "small9.parquet", small).values.tolist() == [
        "red" if int(name[1:]) < 40 else "blue" for name in small.ids.tolist()
    ]
