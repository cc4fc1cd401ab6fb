"""The bundled vectors: they fit each other, the queries are held out, and the licences are there."""

from __future__ import annotations

import numpy as np
import pyarrow.parquet as pq

from truerecall.cli.demo import WORDNET
from truerecall.store.attributes import read_ids, read_labels, read_texts

CORPUS, QUERIES = np.load(WORDNET / "corpus.npy"), np.load(WORDNET / "queries.npy")
IDS, QUERY_IDS = read_ids(WORDNET / "corpus.parquet"), read_ids(WORDNET / "queries.parquet")


def test_ids_texts_and_vectors_fit_each_other() -> None:
    assert len(CORPUS) == len(set(IDS.tolist())) >= 20_000
    assert len(QUERIES) == len(set(QUERY_IDS.tolist())) == 500
    assert CORPUS.dtype == QUERIES.dtype == np.float16
    assert CORPUS.shape[1] == QUERIES.shape[1] == 128
    for vectors in (CORPUS, QUERIES):
        assert np.abs(np.linalg.norm(vectors.astype(np.float64), axis=1) - 1).max() < 1e-3
    for name, ids in (("corpus.parquet", IDS), ("queries.parquet", QUERY_IDS)):
        texts = read_texts(WORDNET / name, kind="string")
        assert list(texts) == ids.tolist()
        assert all(": " in text for text in texts.values())


def test_no_query_is_a_row_of_the_corpus() -> None:
    assert not {row.tobytes() for row in CORPUS} & {row.tobytes() for row in QUERIES}
    assert not set(IDS.tolist()) & set(QUERY_IDS.tolist())
    texts = [
        set(pq.read_table(WORDNET / name).column("text").to_pylist()) for name in ("corpus.parquet", "queries.parquet")
    ]
    assert not texts[0] & texts[1]


def test_labels_speak_of_queries_and_rows_that_are_there() -> None:
    labels = read_labels(WORDNET / "labels.parquet", query_kind="string", corpus_kind="string")
    assert set(labels.query_ids.tolist()) == set(QUERY_IDS.tolist())
    assert set(labels.ids.tolist()) <= set(IDS.tolist())
    pairs = list(zip(labels.query_ids.tolist(), labels.ids.tolist(), strict=True))
    assert len(pairs) == len(set(pairs))


def test_the_files_are_small_and_bring_their_licences() -> None:
    assert sum(file.stat().st_size for file in WORDNET.iterdir()) <= 8_000_000
    assert "WordNet" in (WORDNET / "LICENSE-wordnet.txt").read_text()
    assert "Apache License" in (WORDNET / "LICENSE-model.txt").read_text()
