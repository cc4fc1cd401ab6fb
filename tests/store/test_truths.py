"""Truths as files: card and upkeep come back, the content does not hang on the upkeep, and old files stay readable."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from truerecall.errors import FormatError
from truerecall.model.distance import distance_named
from truerecall.model.ids import as_ids
from truerecall.model.source import ArraySource
from truerecall.model.truth import Card, GroundTruth, Upkeep
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.identify import identify
from truerecall.steps.truth import build_truth
from truerecall.store.artefact import read_artefact, write_artefact
from truerecall.store.truths import FORMAT, KIND, load_truth, save_truth, truth_artefact

X = np.random.default_rng(0).normal(size=(30, 3))
DRAWING = {"seed": 7, "strata": {"a": 2, "b": 3}}
IDS: dict[str, Any] = {
    "row": None,
    "int64": np.arange(30)[::-1] - 15,
    "uint64": np.arange(30, dtype=np.uint64) + np.uint64(2**63),
    "string": [f"zeile-ü-{row}" for row in range(30)],
}


def truth_of(kind: str, **how: Any) -> GroundTruth:
    ids = None if IDS[kind] is None else as_ids(IDS[kind], what="a test")
    corpus = Corpus(ArraySource(X), ids, drawn_from=4000)
    queries = QuerySet(X[:5] + 1, drawing=DRAWING)
    sides = identify(corpus, queries, distance_named("l2"), keep=how.pop("keep", "ledger"))
    return build_truth(corpus, queries, "l2", 4, identities=sides, model="e5 v2", snapshot="monday", **how)


@pytest.mark.parametrize("kind", IDS)
def test_card_and_upkeep_come_back(kind: str, tmp_path: Path) -> None:
    path, truth = tmp_path / "t.parquet", truth_of(kind, slack=3)
    save_truth(truth, path)
    back = load_truth(path)
    assert back.card == Card("e5 v2", "monday", DRAWING, 4000)
    assert (back.subject, back.subject.model) == (truth.subject, "e5 v2")
    assert truth.upkeep is not None
    assert back.upkeep is not None
    for side in ("corpus", "queries"):
        was, is_now = getattr(truth.upkeep, side), getattr(back.upkeep, side)
        assert is_now.digests.tolist() == was.digests.tolist()
        assert is_now.names.tolist() == was.names.tolist()
        assert (is_now.ids is None) == (was.ids is None)
    assert back.upkeep.slack.lengths.tolist() == [3] * 5
    assert back.upkeep.slack.ids.tolist() == truth.upkeep.slack.ids.tolist()
    assert back.upkeep.slack.distances.tolist() == truth.upkeep.slack.distances.tolist()
    assert load_truth(path, upkeep="skip").upkeep is None
    assert truth_artefact(back).content_digest == truth_artefact(truth).content_digest


@pytest.mark.parametrize("kind", ["row", "string"])
def test_the_content_is_the_same_without_upkeep_and_with_any_slack(kind: str, tmp_path: Path) -> None:
    bare = truth_of(kind, keep="nothing")
    assert bare.upkeep is None
    save_truth(bare, tmp_path / "bare.parquet")
    assert load_truth(tmp_path / "bare.parquet").upkeep is None
    digests = {
        truth_artefact(truth).content_digest for truth in (bare, truth_of(kind, slack=0), truth_of(kind, slack=9))
    }
    assert len(digests) == 1


def test_slack_goes_no_deeper_than_the_rows_that_may_answer() -> None:
    truth = truth_of("row", slack=500)
    assert truth.upkeep is not None
    assert truth.upkeep.slack.lengths.tolist() == [26] * 5


def test_each_word_of_the_card_makes_another_key() -> None:
    truth = truth_of("row")
    cards = [
        truth.card,
        Card(),
        *(replace(truth.card, **{name: None}) for name in ("model", "snapshot", "drawing", "drawn_from")),
    ]
    assert len({truth_artefact(replace(truth, card=card)).content_digest for card in cards}) == len(cards)


def test_no_changed_byte_of_a_truth_goes_unnoticed(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    save_truth(truth_of("string"), path)
    raw = path.read_bytes()
    assert set(read_artefact(path, KIND, FORMAT).attachments) == {"corpus_ledger", "query_ledger", "slack"}
    for place in range(len(raw)):
        damaged = bytearray(raw)
        damaged[place] ^= 1 << (place % 8)
        path.write_bytes(damaged)
        with pytest.raises(FormatError):
            load_truth(path)


def test_the_ledger_of_other_vectors_is_refused(tmp_path: Path) -> None:
    path, truth = tmp_path / "t.parquet", truth_of("row")
    assert truth.upkeep is not None
    ledger = truth.upkeep.corpus
    other = replace(ledger, digests=ledger.digests[::-1])
    save_truth(replace(truth, upkeep=replace(truth.upkeep, corpus=other)), path)
    with pytest.raises(FormatError, match="ledger of other vectors"):
        load_truth(path)
    short = Upkeep(truth.upkeep.corpus, truth.upkeep.queries, truth.upkeep.slack.of_queries(np.arange(3)))
    save_truth(replace(truth, upkeep=short), path)
    with pytest.raises(FormatError, match="slack of 3 queries and is of 5"):
        load_truth(path)


def test_a_file_of_format_1_is_read(tmp_path: Path) -> None:
    path, truth = tmp_path / "t.parquet", truth_of("row")
    new = truth_artefact(truth)
    content = {name: value for name, value in new.content.items() if name not in ("card", "normalisation")}
    write_artefact(path, replace(new, format=1, content=content))
    back = load_truth(path)
    assert (back.card, back.upkeep, back.k) == (Card(), None, 4)
    assert back.neighbors.ids.tolist() == truth.neighbors.ids.tolist()
