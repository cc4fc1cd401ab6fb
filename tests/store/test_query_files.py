"""Query files: every program that reads Parquet reads them, and read as queries they bring their record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from truerecall.errors import FormatError
from truerecall.model.arrays import texts
from truerecall.model.drawing import Attribute, Dedupe
from truerecall.model.ids import as_ids
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus
from truerecall.steps.sample import Wish, draw
from truerecall.steps.save_sample import save_drawn_queries
from truerecall.store.artefact import Artefact, write_artefact
from truerecall.store.query_files import query_artefact
from truerecall.store.vectors import open_corpus, open_queries

ROWS = np.random.default_rng(0).normal(size=(50, 4))


def written(corpus: Corpus, path: Path, wish: Wish = Wish(n=20, seed=3), **more: Any) -> Path:  # noqa: B008
    sample = draw(corpus, wish, **more)
    save_drawn_queries(sample, corpus, path, source=Path("base.npy"))
    return path


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int8", "uint8"])
def test_vectors_come_back_byte_for_byte(dtype: str, tmp_path: Path) -> None:
    rows = (ROWS * 30).astype(dtype)
    queries = open_queries(written(Corpus(ArraySource(rows)), tmp_path / "q.parquet"))
    assert queries.dtype == rows.dtype
    assert (queries.vectors == rows[queries.ids]).all()


def test_bfloat16_becomes_float32_and_says_so(tmp_path: Path) -> None:
    rows = ROWS.astype(ml_dtypes.bfloat16)
    queries = open_queries(written(Corpus(ArraySource(rows)), tmp_path / "q.parquet"))
    assert queries.drawing is not None
    assert (queries.dtype.name, queries.drawing["stored_as"]) == ("float32", "float32")
    assert (queries.vectors == rows[queries.ids].astype(np.float32)).all()


def test_bits_stay_bits(tmp_path: Path) -> None:
    packed = np.packbits(ROWS > 0, axis=1)
    corpus = Corpus(ArraySource(np.concatenate([packed] * 2), bits=4))
    queries = open_queries(written(corpus, tmp_path / "q.parquet", Wish(n=20, distance="hamming")))
    assert queries.bits == 4
    assert (queries.vectors == packed[queries.ids % 50]).all()
    sample = draw(corpus, Wish(n=20, distance="hamming"))
    assert len(query_artefact(sample, corpus.source, {}).content_digest) == 64


def test_the_record(tmp_path: Path) -> None:
    ids = as_ids([f"r{row:02}" for row in range(50)], what="ids")
    colour = Attribute("colour", texts(["red"] * 45 + ["blue"] * 5))
    rows = ROWS.copy()
    rows[1] = rows[0]
    wish = Wish(per_stratum=10, seed=9, dedupe=Dedupe(0.01, "l2"))
    path = written(Corpus(ArraySource(rows), ids), tmp_path / "q.parquet", wish, attribute=colour)
    drawing = dict(open_queries(path).drawing or {})
    source = drawing.pop("source")
    assert (source["rows"], source["dtype"], source["ids"]) == (50, "float64", "string")
    assert drawing == {
        "what": "queries of the corpus",
        "seed": 9,
        "strata": {"column": "colour", "clusters": None},
        "allocation": "10 per stratum",
        "counts": [
            {"name": "blue", "held": 5, "asked": 10, "drawn": 5},
            {"name": "red", "held": 44, "asked": 10, "drawn": 10},
        ],
        "dropped": {"exact copies": 1, "near copies": 0},
        "dedupe": {"tolerance": 0.01, "distance": "l2"},
        "held_out": None,
        "drawn": 15,
    }
    table = pq.read_table(path)
    assert table.column_names == ["id", "vector", "stratum", "repeats"]
    named = zip(table["id"].to_pylist(), table["stratum"].to_pylist(), strict=True)
    assert all((own == "red") == (name < "r45") for name, own in named)


def test_a_plain_file_has_no_record_and_a_query_file_may_be_a_corpus(tmp_path: Path) -> None:
    np.save(tmp_path / "base.npy", ROWS)
    assert open_queries(tmp_path / "base.npy").drawing is None
    path = written(open_corpus(tmp_path / "base.npy"), tmp_path / "q.parquet")
    assert open_corpus(path).ids.tolist() == open_queries(path).ids.tolist()


def test_a_damaged_query_file_is_refused(tmp_path: Path) -> None:
    path = written(Corpus(ArraySource(ROWS)), tmp_path / "q.parquet")
    whole = path.read_bytes()
    marks = [
        whole.rindex(mark) + 3 for mark in (b"truerecall.manifest", b"truerecall.checksum", b'"queries"', b"vector")
    ]
    for place in (*range(0, len(whole), 61), *marks):
        raw = bytearray(whole)
        raw[place] ^= 1
        path.write_bytes(raw)
        for read in (open_queries, open_corpus):
            with pytest.raises(FormatError):
                read(path)


def test_a_file_of_ours_of_another_kind_holds_no_vectors(tmp_path: Path) -> None:
    write_artefact(tmp_path / "t.parquet", Artefact("truth", 1, pa.table({"v": [[1.0, 2.0]]}), {}, {}))
    for open_file in (open_corpus, open_queries):
        with pytest.raises(FormatError, match="is a truth file and holds no vectors; give a file of vectors"):
            open_file(tmp_path / "t.parquet")
