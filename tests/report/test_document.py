"""The JSON document keeps the published shape and holds plain values alone."""

from __future__ import annotations

import json

import numpy as np

from tests.report.builders import curve, fired, point, sweep, truth
from truerecall.report.document import plain, to_document
from truerecall.report.truth_card import truth_card


def test_the_shape_of_run() -> None:
    document = to_document([sweep("A"), sweep("B", build_id="d" * 64)], truth())
    json.dumps(document, allow_nan=False)
    assert list(document)[:3] == ["points", "knee", "truth"]
    assert len(document["points"]) == 8
    first = document["points"][0]
    assert {"settings", "latency", "cost", "scores", "findings", "verdict"} <= set(first)
    assert {"k", "asked_k", "queries", "distance", "truth"} <= set(first)
    assert (first["k"], first["asked_k"], first["queries"], first["distance"]) == (4, 4, 5, "l2")
    assert first["settings"] == {"efSearch": 8}
    assert first["latency"]["p50_s"] == 1e-4
    assert first["latency"]["p99_s"] is None
    assert first["latency"]["withheld"] == {"p99_s": "needs 1,000 calls, there were 5"}
    assert document["knee"] == {"point": 2, "label": "A", "settings": {"efSearch": 32}}
    assert document["curves"][1]["points"] == [4, 5, 6, 7]
    assert document["curves"][1]["knee"]["point"] == 6
    assert document["truth"]["state"] == "proved"
    assert [p["label"] for p in document["points"]] == ["A"] * 4 + ["B"] * 4


def test_a_score_counts_what_is_undefined() -> None:
    document = to_document([curve([point(undefined={4: "no eligible row"})])], truth())
    score = document["points"][0]["scores"][0]
    assert {"measure", "mean", "ci95", "ci_method", "n", "undefined", "failed", "answered_mean"} <= set(score)
    assert (score["mean"], score["n"], score["undefined"]) == (0.8125, 4, 1)
    assert document["knee"] is None


def test_an_invalid_finding_leaves_no_scores() -> None:
    document = to_document([curve([point(checks=[fired("stale", "invalid", rows=np.int64(3))])])], truth())
    assert document["points"][0]["scores"] == []
    assert document["points"][0]["verdict"] == "invalid"
    assert document["points"][0]["findings"] == [
        {"code": "stale", "severity": "invalid", "message": "Seen.", "evidence": {"rows": 3}, "remedy": "Do this."}
    ]


def test_numbers_that_json_cannot_carry() -> None:
    values = {"edge": 2**53, "over": 2**53 + 1, "under": -(2**53) - 1, "nan": float("nan"), "inf": np.inf}
    assert plain(values) == {
        "edge": 2**53, "over": "9007199254740993", "under": "-9007199254740993", "nan": None, "inf": None,
    }  # fmt: skip
    assert plain([np.bool_(True), np.float32(0.5), np.array([2**63], np.uint64), "x", None]) == [
        True, 0.5, ["9223372036854775808"], "x", None,
    ]  # fmt: skip


def test_ids_beyond_a_double_in_evidence_are_strings() -> None:
    document = to_document([curve([point(checks=[fired("x", "note", ids=[2**60])])])], truth())
    assert document["points"][0]["findings"][0]["evidence"] == {"ids": [str(2**60)]}


def test_the_truth_card() -> None:
    card = truth_card(truth(tied=[1, 2, 1, 1, 1]), "digest")
    json.dumps(card, allow_nan=False)
    assert (card["digest"], card["ties_across_cut"], card["copies_of_queries"]) == ("digest", 1, 0)
    assert (card["k"], card["corpus"]["rows"], card["provenance"]) == (4, 1000, {"method": "scan"})
