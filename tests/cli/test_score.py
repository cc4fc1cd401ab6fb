"""``truerecall score``: from files to a number, a document or a page, with the right status."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import faiss
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import truerecall as tr
from tests.cli.conftest import Verb
from truerecall.cli.demo import WORDNET
from truerecall.store.attributes import read_ids

IDS, QUERY_IDS = WORDNET / "corpus.parquet", WORDNET / "queries.parquet"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The truth of the demo corpus, and the answers of one index in every form that a user would write."""
    folder = tmp_path_factory.mktemp("demo")
    corpus = tr.open_corpus(WORDNET / "corpus.npy", ids=IDS)
    queries = tr.open_queries(WORDNET / "queries.npy", ids=QUERY_IDS)
    tr.save_truth(tr.build_truth(corpus, queries, "cosine", 10), folder / "truth.parquet")
    by_row = tr.open_corpus(WORDNET / "corpus.npy")
    tr.save_truth(
        tr.build_truth(by_row, tr.open_queries(WORDNET / "queries.npy"), "cosine", 10), folder / "rows.parquet"
    )
    base = np.load(WORDNET / "corpus.npy").astype(np.float32)
    asked = np.load(WORDNET / "queries.npy").astype(np.float32)
    faiss.normalize_L2(base)
    faiss.normalize_L2(asked)
    index = faiss.index_factory(base.shape[1], "IVF64,Flat", faiss.METRIC_INNER_PRODUCT)
    index.train(base)
    index.add(base)
    faiss.extract_index_ivf(index).nprobe = 3
    scores, found = index.search(asked, 10)
    names, asking = read_ids(IDS).tolist(), read_ids(QUERY_IDS).tolist()
    lines = [
        (asking[q], names[found[q, r]], r + 1, float(scores[q, r]))
        for q in reversed(range(len(asking)))
        for r in range(10)
    ]
    with (folder / "answers.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("query_id", "neighbor_id", "rank", "score"), *lines])
    columns = zip(("query_id", "neighbor_id", "rank", "score"), zip(*lines, strict=True), strict=True)
    pq.write_table(pa.table({name: list(values) for name, values in columns}), folder / "answers.parquet")
    (folder / "answers.trec").write_text("".join(f"{q} Q0 {i} {r} {s} ivf\n" for q, i, r, s in lines))
    np.save(folder / "answers.npy", found)
    np.hstack([np.full((len(found), 1), 10), found]).astype("<i4").tofile(folder / "answers.ivecs")
    return folder


def document(verb: Verb, *arguments: str | Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(verb("score", *arguments, "--json"))
    return told


def test_the_same_answers_score_the_same_in_every_format(demo: Path, verb: Verb) -> None:
    by_id = [document(verb, demo / f"answers.{form}", "--truth", demo / "truth.parquet", "-k", "10")
             for form in ("csv", "parquet", "trec")]  # fmt: skip
    by_row = [document(verb, demo / f"answers.{form}", "--truth", demo / "rows.parquet", "-k", "10")
              for form in ("npy", "ivecs")]  # fmt: skip
    by_row += [document(verb, demo / f"answers.{form}", "--truth", demo / "truth.parquet", "-k", "10", "--by", "row",
                        "--ids", IDS) for form in ("npy", "ivecs")]  # fmt: skip
    first = by_id[0]
    assert 0.5 < first["scores"][0]["mean"] < 1
    for other in by_id[1:] + by_row:
        mine, theirs = ({s["measure"]: s for s in one["scores"]} for one in (first, other))
        shared = mine.keys() & theirs.keys()
        assert "recall@10" in shared
        assert all(mine[name] == theirs[name] for name in shared)


def test_the_document_has_the_shape_that_others_rely_on(demo: Path, verb: Verb) -> None:
    told = document(
        verb, demo / "answers.csv", "--truth", demo / "truth.parquet", "-k", "5", "--measures", "recall,1-recall@10"
    )
    assert {"k", "asked_k", "queries", "distance", "truth", "scores", "findings", "verdict"} <= told.keys()
    assert (told["k"], told["asked_k"], told["queries"], told["distance"]) == (5, 10, 500, "cosine")
    assert set(told["truth"]) == {"fingerprint", "state"}
    assert [score["measure"] for score in told["scores"]] == ["recall@5", "1-recall@10"]
    assert {"measure", "mean", "ci95", "ci_method", "n", "undefined", "failed", "answered_mean"} <= told["scores"][
        0
    ].keys()
    assert {"code", "severity", "message", "evidence", "remedy"} == set(told["findings"][0])
    assert told["verdict"] == "ok"


def test_the_terminal_says_it_in_words(demo: Path, verb: Verb) -> None:
    shown = verb("score", demo / "answers.csv", "--truth", demo / "truth.parquet", "-k", "5")
    assert "of the true top 5 (asked 10), over 500 queries." in shown
    assert "Can this be believed? No doubts found" in shown
    assert "recall@5 (asked 10)" in shown


def test_pages_are_written_and_names_are_escaped(demo: Path, verb: Verb, tmp_path: Path) -> None:
    odd = tmp_path / "<b>odd.csv"
    odd.write_bytes((demo / "answers.csv").read_bytes())
    for page, words in (("a.html", "&lt;b&gt;odd"), ("a.md", "&lt;b&gt;odd"), ("a.json", '"recall@10"')):
        verb("score", odd, "--truth", demo / "truth.parquet", "-k", "10", "--out", tmp_path / page)
        text = (tmp_path / page).read_text()
        assert words in text
        assert "<b>odd" not in text or page == "a.json"
    assert "unknown format pdf" in verb(
        "score", odd, "--truth", demo / "truth.parquet", "-k", "10", "--out", tmp_path / "a.pdf", status=2
    )
    assert "unknown format npy" in verb(
        "score", odd, "--truth", demo / "truth.parquet", "-k", "10", "--out", demo / "answers.npy", status=2
    )


def test_labels_and_vectors(demo: Path, verb: Verb) -> None:
    sides: list[str | Path] = ["--corpus", WORDNET / "corpus.npy", "--ids", IDS, "--queries", WORDNET / "queries.npy"]
    told = document(
        verb, demo / "answers.csv", "--truth", demo / "truth.parquet", "-k", "10", "--query-ids", QUERY_IDS,
        "--labels", WORDNET / "labels.parquet", *sides,
    )  # fmt: skip
    assert "semantic_recall@10" in [score["measure"] for score in told["scores"]]
    scale = next(found for found in told["findings"] if found["code"] == "reported-distances")
    assert scale["evidence"]["scale"] == "cos"


def test_exact_search_groups_and_the_least_grade(demo: Path, verb: Verb, tmp_path: Path) -> None:
    pytest.importorskip("ir_measures")
    labels = pq.read_table(WORDNET / "labels.parquet")
    graded = tmp_path / "graded.parquet"
    grades = pa.array([1 + place % 2 for place in range(len(labels))])
    pq.write_table(labels.select(["query_id", "id"]).append_column("grade", grades), graded)
    flags: list[str | Path] = [demo / "answers.csv", "--truth", demo / "truth.parquet", "-k", "10", "--labels", graded]
    named = ["--measures", "semantic_recall,P,nDCG"]
    told = document(verb, *flags, *named)
    semantic, precision, gain = told["scores"]
    assert semantic["exact_search"] is None
    assert sum(group["n"] for group in semantic["groups"]) == semantic["n"]
    assert all(group["group"].endswith(" relevant") for group in semantic["groups"])
    for score in (precision, gain):
        beside = score["exact_search"]
        assert beside["mean"] - score["mean"] == pytest.approx(beside["lost"])
        assert beside["lost_ci95"][0] <= beside["lost"] <= beside["lost_ci95"][1]
    stricter = document(verb, *flags, *named, "--relevant-from", "2")["scores"]
    assert stricter[1]["mean"] < precision["mean"]
    assert stricter[2]["exact_search"]["mean"] is not None
    shown = " ".join(verb("score", *flags, *named).split())
    assert "P@10: exact search scores" in shown
    assert " relevant " in shown
    for page in ("a.html", "a.md"):
        verb("score", *flags, *named, "--out", tmp_path / page)
        text = (tmp_path / page).read_text()
        assert "P@10: exact search scores" in text
        assert semantic["groups"][0]["group"] in text
    assert "no row relevant" in verb("score", *flags, "--relevant-from", "3", status=2)
    assert "is given without labels" in verb("score", *flags[:-2], "--relevant-from", "2", status=2)
    assert "--relevant-from" in verb("score", *flags, "--relevant-from", "nan", status=2)


def test_strata_and_clusters(demo: Path, verb: Verb, tmp_path: Path) -> None:
    asking = read_ids(QUERY_IDS).tolist()
    parts = tmp_path / "parts.parquet"
    strata = ["rare" if place < 20 else "often" for place in range(len(asking))]
    columns = {"query_id": asking, "stratum": strata, "source": [f"s{place // 2}" for place in range(len(asking))]}
    pq.write_table(pa.table(columns), parts)
    flags: list[str | Path] = [demo / "answers.csv", "--truth", demo / "truth.parquet", "-k", "10"]
    grouped: list[str | Path] = ["--strata", parts, "--clusters", f"{parts}::source"]
    score = document(verb, *flags, *grouped)["scores"][0]
    assert [(own["stratum"], own["n"], own["thin"]) for own in score["strata"]] == [
        ("often", 480, False), ("rare", 20, True),
    ]  # fmt: skip
    assert score["clusters"] == 250
    alone = document(verb, *flags)["scores"][0]
    assert (alone["mean"], alone["clusters"], alone["strata"]) == (score["mean"], None, [])
    shown = " ".join(verb("score", *flags, *grouped).split())
    assert "rare (thin)" in shown
    assert "Intervals draw whole clusters (250)" in shown
    for page in ("a.html", "a.md"):
        verb("score", *flags, *grouped, "--out", tmp_path / page)
        assert "rare" in (tmp_path / page).read_text()
    half = tmp_path / "half.jsonl"
    half.write_text(json.dumps({"query_id": asking[0], "stratum": "<b>"}))
    assert "the strata name 1 of 500 queries" in verb("score", *flags, "--strata", half, status=2)
    assert "does not exist" in verb("score", *flags, "--clusters", tmp_path / "none.parquet", status=2)


def test_no_measurement_is_status_3_with_the_document_and_no_number(demo: Path, verb: Verb, tmp_path: Path) -> None:
    asking = read_ids(QUERY_IDS).tolist()
    failed = tmp_path / "failed.jsonl"
    failed.write_text("\n".join(json.dumps({"query_id": q, "neighbors": None, "error": "refused"}) for q in asking))
    line = verb("score", failed, "--truth", demo / "truth.parquet", "-k", "10", status=3)
    assert "500 of 500 queries failed (first: refused)" in line
    other = tmp_path / "other.csv"
    other.write_text("query_id,neighbor_id\nnobody,nothing\n")
    assert "none of its 1 queries is in the truth" in verb(
        "score", other, "--truth", demo / "truth.parquet", "-k", "10", status=3
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["answers.csv", "-k", "10"], "is no Run file, and no truth is given; name it with --truth"),
        (["answers.csv", "--truth", "truth.parquet", "-k", "11"], "ask for k <= 10"),
        (["truth.parquet", "--truth", "truth.parquet", "-k", "10"], "is a truth file and holds no answers"),
        (["absent.csv", "--truth", "truth.parquet", "-k", "10"], "does not exist"),
        ([".", "--truth", "truth.parquet", "-k", "10"], "is a folder"),
        (["answers.csv", "--truth", "truth.parquet", "-k", "10", "--measures", "recal"], "did you mean recall?"),
        (["answers.csv", "--truth", "truth.parquet", "-k", "10", "--measures", "recall,recall@10"], "recall@10 twice"),
        (["answers.csv", "--truth", "truth.parquet", "-k", "10", "--measures", "semantic_recall"], "needs labels"),
        (
            ["answers.csv", "--truth", "truth.parquet", "-k", "10", "--corpus", "answers.npy"],
            "one of --corpus and --queries",
        ),
        (["answers.csv", "--truth", "truth.parquet", "-k", "10", "--rows", "answers.npy"], "without the vectors"),
        (["answers.npy", "--truth", "truth.parquet", "-k", "10", "--by", "row"], "give --ids or --corpus"),
        (["answers.csv", "--truth", "truth.parquet"], "-k"),
    ],
)
def test_what_cannot_be_judged_is_one_line(
    demo: Path, verb: Verb, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: str
) -> None:
    monkeypatch.chdir(demo)
    assert words in verb("score", *arguments, status=2)


def test_a_run_file_finds_its_truth(tmp_path: Path, verb: Verb) -> None:
    rng = np.random.default_rng(0)
    np.save(tmp_path / "base.npy", rng.normal(size=(300, 8)).astype(np.float32))
    np.save(tmp_path / "queries.npy", rng.normal(size=(30, 8)).astype(np.float32))
    verb("run", "--engine", "faiss", "--corpus", tmp_path / "base.npy", "--queries", tmp_path / "queries.npy",
         "--distance", "l2", "-k", "10", "--set", "factory=HNSW8", "--repeats", "1",
         "--out", tmp_path / "runs")  # fmt: skip
    (run,) = (tmp_path / "runs").glob("faiss-*.parquet")
    told = document(verb, run, "-k", "5")
    assert (told["asked_k"], told["scores"][0]["measure"]) == (10, "recall@5")
    assert told["scores"][0]["mean"] > 0.8


def test_tolerant_recall_is_drawn_over_its_tolerance(demo: Path, tmp_path: Path, verb: Verb) -> None:
    page = tmp_path / "page.html"
    vectors = ["--corpus", WORDNET / "corpus.npy", "--ids", IDS, "--queries", WORDNET / "queries.npy"]
    judged = ["score", demo / "answers.csv", "--truth", demo / "truth.parquet", *vectors, "--query-ids", QUERY_IDS]
    names = "recall,tolerant_recall:1%,tolerant_recall:error:0.004"
    shown = json.loads(verb(*judged, "-k", "10", "--measures", names, "--out", page, "--json"))
    recall, one, of_error = shown["scores"]
    assert (recall["along"], recall["note"]) == (None, "")
    assert one["note"] == "x = 1 %"
    assert of_error["note"].startswith("x = 0.")
    means = [point["mean"] for point in one["along"]["means"]]
    assert means == sorted(means)
    assert {"argument": 0.01, "mean": one["mean"]} in one["along"]["means"]
    assert means[0] >= recall["mean"]
    drawn = page.read_text(encoding="utf-8")
    assert drawn.count('id="tolerance-0-wide-title"') == drawn.count('id="tolerance-0-narrow-title"') == 1
    assert "tolerant_recall@10 over its tolerance" in drawn
    assert "x = 0." in drawn
    plain = tmp_path / "plain.html"
    verb(*judged, "-k", "10", "--measures", "recall", "--out", plain)
    assert 'id="tolerance"' not in plain.read_text(encoding="utf-8")
