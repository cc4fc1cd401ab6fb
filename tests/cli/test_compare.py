"""``compare`` on runs that were measured: what it prints, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Verb
from tests.nouns import truth_of
from truerecall.cli.main import main
from truerecall.store.truths import save_truth

QUERIES = 60


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: Verb) -> Path:
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(1)
    np.save("base.npy", random.normal(size=(1500, 12)).astype(np.float32))
    np.save("queries.npy", random.normal(size=(QUERIES, 12)).astype(np.float32))
    measure(verb, "HNSW4", "small")
    measure(verb, "HNSW16", "large")
    return tmp_path


def measure(verb: Verb, factory: str, out: str, *, queries: str = "queries.npy") -> None:
    flags = ["--vary", "efSearch=5,20", "--corpus", "base.npy", "--queries", queries, "--distance", "l2"]
    verb(
        "run",
        "--engine",
        "faiss",
        "--repeats",
        "1",
        "--set",
        f"factory={factory}",
        *flags,
        "-k",
        "5",
        "--warmup",
        "3",
        "--out",
        out,
    )


def test_two_folders_in_words_and_as_a_document(folder: Path, verb: Verb) -> None:
    shown = verb("compare", "small", "large")
    assert shown.startswith("large against small, recall@5: one thing changed: factory (HNSW4 → HNSW16)\n")
    assert "a claim about this index alone" in shown
    document = json.loads(verb("compare", "small", "large", "--json"))
    assert [own["setting"] for own in document["differences"]] == ["efSearch=5", "efSearch=20"]
    for own in document["differences"]:
        assert own["word"] == "higher"
        assert own["ci95"][0] < own["difference"] < own["ci95"][1]
        assert own["queries"]["higher"] + own["queries"]["lower"] + own["queries"]["same"] == own["n"] == QUERIES
    assert document["changed"] == [{"fact": "factory", "first": "HNSW4", "second": "HNSW16"}]
    assert (document["latency_not_compared"] is None) == bool(document["equal_quality"])
    assert document == json.loads(verb("compare", "small", "large", "--json"))


def test_two_files_with_another_setting(folder: Path, verb: Verb) -> None:
    low, high = (next(Path("small").glob(f"*efSearch{ef}-build0-pass0.*")) for ef in (5, 20))
    shown = verb("compare", low, high, "--measure", "recall@3")
    assert "recall@3: one thing changed: efSearch (5 → 20)" in shown
    assert "efSearch=5 → efSearch=20: " in shown
    assert "latencies are not compared: " in shown


def test_clusters(folder: Path, verb: Verb) -> None:
    lines = [json.dumps({"query_id": query, "cluster": query // 20}) for query in range(QUERIES)]
    Path("clusters.jsonl").write_text("\n".join(lines))
    assert "undecided" in verb("compare", "small", "large", "--clusters", "clusters.jsonl", status=3)
    document = json.loads(verb("report", "small", "--json", "--clusters", "clusters.jsonl"))
    assert {score["clusters"] for point in document["points"] for score in point["scores"]} == {3}


def test_strata_in_the_report(folder: Path, verb: Verb) -> None:
    lines = [json.dumps({"query_id": query, "stratum": "tail" if query < 9 else "head"}) for query in range(QUERIES)]
    Path("strata.jsonl").write_text("\n".join(lines))
    document = json.loads(verb("report", "small", "--json", "--strata", "strata.jsonl"))
    strata = document["points"][0]["scores"][0]["strata"]
    assert [(own["stratum"], own["n"], own["thin"]) for own in strata] == [("head", 51, False), ("tail", 9, True)]
    assert "tail (thin)" in verb("report", "small", "--format", "md", "--strata", "strata.jsonl")
    Path("strata.jsonl").write_text("\n".join(lines[1:]))
    assert "strata name 59 of 60" in verb("report", "small", "--json", "--strata", "strata.jsonl", status=2)


def test_builds_of_several_seeds_lie_in_folders_within(folder: Path, verb: Verb) -> None:
    for seed in (0, 1):
        for factory, side in (("IVF16,Flat", "few"), ("IVF40,Flat", "many")):
            flags = ["--vary", "nprobe=2,4", "--corpus", "base.npy", "--queries", "queries.npy", "--distance", "l2"]
            where = ["-k", "5", "--warmup", "3", "--seed", str(seed), "--out", f"{side}/{seed}"]
            verb("run", "--engine", "faiss", "--repeats", "1", "--set", f"factory={factory}", *flags, *where)
    document = json.loads(verb("compare", "few", "many", "--json"))
    assert [change["fact"] for change in document["changed"]] == ["factory"]
    for own in document["differences"]:
        assert (own["first"]["builds"], own["second"]["builds"]) == (2, 2)
        assert (own["claim"], own["ci_method"]) == ("the method", "t-queries-and-builds")


def test_too_few_queries_are_undecided(folder: Path, capsys: pytest.CaptureFixture[str], verb: Verb) -> None:
    np.save("few.npy", np.load("queries.npy")[:4])
    for factory, out in (("HNSW4", "a"), ("HNSW16", "b")):
        measure(verb, factory, out, queries="few.npy")
    assert main(["compare", "a", "b", "--json"]) == 3
    shown = capsys.readouterr()
    assert json.loads(shown.out)["decided"] is False
    assert "undecided: no test could tell a and b apart; ask more queries" in shown.err
    assert shown.err.count("\n") == 1


def test_two_things_changed(folder: Path, verb: Verb) -> None:
    np.save("base.npy", np.load("base.npy")[:1400])
    measure(verb, "HNSW16", "other")
    seen = verb("compare", "small", "other", status=3)
    assert "two things changed: factory (HNSW4 → HNSW16) and the corpus (1,500 × 12 float32" in seen
    assert "measure both sides with the same corpus" in seen


def test_what_cannot_be_compared(folder: Path, verb: Verb) -> None:
    assert "does not exist" in verb("compare", "small", "absent", status=2)
    assert "recall@9 needs 9 answers" in verb("compare", "small", "large", "--measure", "recall@9", status=2)
    assert "did you mean recall" in verb("compare", "small", "large", "--measure", "recal@5", status=2)
    assert "needs labels" in verb("compare", "small", "large", "--measure", "semantic_recall@5", status=2)
    (Path("small") / "truth.parquet").unlink()
    (Path("large") / "truth.parquet").unlink()
    assert "--truth" in verb("compare", "small", "large", status=2)


def answers(values: list[int], name: str) -> str:
    """Ten answers a query as CSV, so many of them true, in the truth of ``listed``."""
    rows = [(q, 100 * q + i if i < v else 900 - i, i) for q, v in enumerate(values) for i in range(10)]
    Path(name).write_text("query_id,neighbor_id,rank\n" + "".join(f"{q},{i},{r}\n" for q, i, r in reversed(rows)))
    return name


@pytest.fixture
def listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_truth(truth_of([[100 * q + i for i in range(10)] for q in range(5)]), Path("truth.parquet"))
    answers([10, 8, 8, 9, 7], "b.csv")
    answers([10, 9, 8, 10, 7], "a.csv")


@pytest.mark.usefixtures("listed")
def test_two_files_of_answers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "b.csv", "a.csv", "--truth", "truth.parquet", "--measure", "recall@10", "--json"]) == 3
    document = json.loads(capsys.readouterr().out)
    (own,) = document["differences"]
    assert own["difference"] == pytest.approx(0.04)
    assert own["standard_error"] == pytest.approx(0.024, abs=5e-4)
    assert (own["word"], document["origin_unknown"]) == ("undecided", ["b.csv", "a.csv"])
    assert document["latency_not_compared"] == "nobody timed b.csv and a.csv"
    assert main(["compare", "b.csv", "a.csv", "--truth", "truth.parquet", "--measure", "recall@10"]) == 3
    shown = capsys.readouterr().out
    assert "nobody knows how the answers of b.csv and a.csv were made" in shown
    assert "latencies are not compared: nobody timed b.csv and a.csv" in shown


@pytest.mark.usefixtures("listed")
def test_answers_that_cannot_be_compared(verb: Verb) -> None:
    both = ["compare", "b.csv", "a.csv"]
    assert "no truth is given; name it with --truth" in verb(*both, "--measure", "recall@10", status=2)
    assert "name a measure: --measure recall@10" in verb(*both, "--truth", "truth.parquet", status=2)
    named = ["--truth", "truth.parquet", "--measure", "recall@10"]
    assert "absent.csv" in verb("compare", "absent.csv", "a.csv", *named, status=2)
    assert "truth.parquet" in verb("compare", "truth.parquet", "a.csv", *named, status=2)
    assert "give both" in verb(*both, *named, "--corpus", "base.npy", status=2)
    Path("others.csv").write_text("query_id,neighbor_id,rank\n70,1,1\n71,2,1\n")
    assert "none of its 2 queries is in the truth" in verb("compare", "a.csv", "others.csv", *named, status=3)
    Path("five.csv").write_text(
        "".join(f"{row}\n" for row in Path("a.csv").read_text().split() if row[-1] not in "56789")
    )
    five = ["--truth", "truth.parquet", "--measure", "recall@5"]
    assert "k (5 → 10)" in verb("compare", "five.csv", "a.csv", *five, status=3)


def test_runs_beside_answers(folder: Path, verb: Verb) -> None:
    verb("truth", "export", "small/truth.parquet", "exact.parquet")
    high, low = sorted(Path("small").glob("faiss-*-pass0.*"))
    assert "no setting in common" in verb("compare", "small", "exact.parquet", status=3)
    for run in (low, high):
        document = json.loads(verb("compare", run, "exact.parquet", "--json"))
        (own,) = document["differences"]
        assert (own["second"]["mean"], own["word"], document["measure"]) == (1.0, "higher", "recall@5")
        assert document["origin_unknown"] == ["exact"]
    vectors = ["--corpus", "base.npy", "--queries", "queries.npy", "--measure", "tie_recall@5", "--json"]
    assert json.loads(verb("compare", "exact.parquet", low, *vectors))["differences"][0]["word"] == "lower"
    assert "both sides are Runs" in verb("compare", low, high, "--by", "row", status=2)


def test_a_report_of_named_measures_draws_tolerance(folder: Path, verb: Verb) -> None:
    verb(
        "report",
        "small",
        "large",
        "--truth",
        "small/truth.parquet",
        "--measures",
        "tolerant_recall:2%",
        "--out",
        "page.html",
    )
    drawn = Path("page.html").read_text(encoding="utf-8")
    assert drawn.count('id="tolerance-0-wide-title"') == 1
    assert "tolerant_recall@5(2%): " in drawn
    assert "did you mean" in verb("report", "small", "--format", "md", "--measures", "tolerant_recal:2%", status=2)
