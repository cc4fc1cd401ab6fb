"""Columns of rows that live in an engine come as they were put there, in the order of the rows, or are refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engines.qdrant_stub import running_stub
from truerecall import shelf
from truerecall.errors import InputError
from truerecall.model.arrays import texts
from truerecall.model.attributes import Attributes, Column
from truerecall.model.engine import Index, Place
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus

ENGINES = ("lancedb", "milvus", "qdrant", "qdrant_edge")  # pgvector's are in test_pgvector_source.py
ROWS = 2500  # more than any of them gives at once
X = np.random.default_rng(3).normal(size=(ROWS, 4)).astype(np.float32)
ALWAYS, SOMETIMES = np.zeros(ROWS, np.bool_), np.arange(ROWS) % 3 == 1
COLUMNS = {
    "whole": Column(2**53 + 1 + np.arange(ROWS), ALWAYS),
    "price": Column(np.arange(ROWS) / 4 + 0.25, SOMETIMES),
    "sold": Column(np.arange(ROWS) % 5 == 0, SOMETIMES),
    "word": Column(texts([f'ä{row}"\\\\' for row in range(ROWS)]), SOMETIMES),
}


@pytest.fixture(params=ENGINES)
def opened(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Corpus]:
    """The corpus of an index that its engine built itself with these columns."""
    own = shelf.engines.get(request.param)
    place = Place(tmp_path / "place")
    monkeypatch.delenv("MILVUS_URI", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with running_stub() as stub:
        monkeypatch.setenv("QDRANT_URL", stub.url)
        index: Index = own.build(
            ArraySource(X), "l2", {}, seed=0, threads=1, place=place, attributes=Attributes(COLUMNS)
        )
        collections = [*stub.collections]
        name = {"lancedb": f"{place.folder / 'lance' / 'vectors.lance'}", "milvus": "vectors"}.get(
            own.name, collections[0] if collections else str(place.folder / "shard")
        )
        if own.name != "qdrant":  # there it would go with the index
            index.close()
        monkeypatch.setenv("MILVUS_URI", str(place.folder / "milvus.db"))
        yield own.source(name, place=Place(tmp_path / "copies"))
        index.close()


def test_they_come_as_they_were_put_there(opened: Corpus) -> None:
    assert opened.attributes is not None
    found = opened.attributes.read(COLUMNS)
    rows = opened.ids
    assert (np.sort(rows) == np.arange(ROWS)).all()
    for name, column in COLUMNS.items():
        assert found.column(name).kind == column.kind
        assert found.column(name).of_rows(np.arange(ROWS)) == column.of_rows(rows)


def test_what_is_no_column_is_refused(opened: Corpus) -> None:
    assert opened.attributes is not None
    with pytest.raises(InputError, match=re.compile("wrd|unknown .* wrd")):
        opened.attributes.read(["wrd"])


@pytest.mark.parametrize("values", [[1, "one"], [[1, 2], None], [{"a": 1}], [True, 1], [2**63, 2**70], [0.5, "x"]])
def test_fields_of_several_kinds_and_of_none_that_compares_are_refused(
    values: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with running_stub() as stub:
        monkeypatch.setenv("QDRANT_URL", stub.url)
        stub.add("theirs", range(len(values)), X[: len(values)].tolist(), vectors={"size": 4, "distance": "Euclid"})
        stub.collections["theirs"].payloads = {row: {"odd": value} for row, value in enumerate(values)}
        corpus = shelf.engines.get("qdrant").source("theirs", place=Place(Path("nowhere")))
        with pytest.raises(InputError, match="theirs field odd holds") as refused:
            corpus.attributes.read(["odd"])
        assert "\n" not in str(refused.value)
        stub.collections["theirs"].payloads = {0: {"odd": 1}, 1: {"odd": 2.5}}
        if len(values) > 1:
            assert corpus.attributes.read(["odd"]).column("odd").of_rows(np.arange(2)) == [1.0, 2.5]
