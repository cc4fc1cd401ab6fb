"""The verbs on a user's own files: what they print, what they leave behind, and what they refuse."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from tests.cli.conftest import Verb
from truerecall.cli.tables import table
from truerecall.store.artefact import kind_of

ROWS, QUERIES, DIMENSIONS, K = 400, 12, 6, 5


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    random = np.random.default_rng(1)
    base = random.normal(size=(ROWS, DIMENSIONS)).astype(np.float32)
    queries = random.normal(size=(QUERIES, DIMENSIONS)).astype(np.float32)
    made = {name: tmp_path / name for name in ("base.npy", "queries.npy", "ids.txt", "query-ids.json", "judge.qrels")}
    np.save(made["base.npy"], base)
    np.save(made["queries.npy"], queries)
    made["ids.txt"].write_text("".join(f"row-{row}\n" for row in range(ROWS)))
    made["query-ids.json"].write_text(json.dumps([f"ask-{query}" for query in range(QUERIES)]))
    nearest = np.argsort(((base[None] - queries[:, None]) ** 2).sum(axis=2), axis=1)
    made["judge.qrels"].write_text(
        "".join(
            f"ask-{query} 0 row-{nearest[query, 0]} 1\nask-{query} 0 row-{nearest[query, 9]} 1\n"
            for query in range(QUERIES)
        )
    )
    return made


def run_flags(files: dict[str, Path], distance: str = "l2") -> list[str | Path]:
    swept: list[str | Path] = [
        "--engine",
        "faiss",
        "--set",
        "factory=HNSW4",
        "--vary",
        "efSearch=5,40",
        "--warmup",
        "3",
        "--repeats",
        "1",
    ]
    vectors: list[str | Path] = ["--corpus", files["base.npy"], "--queries", files["queries.npy"]]
    return ["run", *swept, *vectors, "--distance", distance, "-k", str(K)]


@pytest.mark.parametrize("distance", ["l2", "ip", "cosine"])
def test_run_prints_a_document_and_leaves_runs_and_truth(
    distance: str, files: dict[str, Path], verb: Verb, tmp_path: Path
) -> None:
    out = tmp_path / "runs"
    document = json.loads(verb(*run_flags(files, distance), "--out", out, "--json"))
    assert {point["settings"]["efSearch"] for point in document["points"]} == {5, 40}
    for point in document["points"]:
        (score,) = (score for score in point["scores"] if score["measure"] == f"recall@{K}")
        assert score["n"] == QUERIES
        assert 0 < score["mean"] <= 1
        assert point["latency"]["p50_s"] > 0
    assert (out / "truth.parquet").exists()
    kinds = Counter(kind_of(path) for path in out.glob("*.parquet"))
    assert kinds == {"run": 2, "truth": 1, "inspection": 1}


def test_an_exact_index_finds_everything(files: dict[str, Path], verb: Verb, tmp_path: Path) -> None:
    flags = [flag for flag in run_flags(files) if flag not in ("--vary", "efSearch=5,40")]
    flags[flags.index("factory=HNSW4")] = "factory=Flat"
    (point,) = json.loads(verb(*flags, "--out", tmp_path / "runs", "--json"))["points"]
    assert [score["mean"] for score in point["scores"]] == [1.0]
    assert "exact-by-design" in {finding["code"] for finding in point["findings"]}


def test_string_ids_and_labels(files: dict[str, Path], verb: Verb, tmp_path: Path) -> None:
    ids = ["--ids", files["ids.txt"], "--query-ids", files["query-ids.json"], "--labels", files["judge.qrels"]]
    flags = [*run_flags(files), *ids, "--out", tmp_path / "runs"]
    point = json.loads(verb(*flags, "--json"))["points"][0]
    semantic = next(score for score in point["scores"] if score["measure"] == f"semantic_recall@{K}")
    # Of each query's two relevant rows the nearest is among the true five, and the tenth is not.
    assert (semantic["n"], semantic["undefined"]) == (QUERIES, 0)
    assert "semantic" in verb(*flags).lower()


def test_run_goes_on_with_what_is_there(files: dict[str, Path], verb: Verb, tmp_path: Path) -> None:
    out = tmp_path / "runs"
    verb(*run_flags(files), "--out", out)
    times = {path: path.stat().st_mtime_ns for path in out.glob("*.parquet")}
    verb(*run_flags(files), "--out", out)
    assert {path: path.stat().st_mtime_ns for path in out.glob("*.parquet")} == times


def test_a_truth_of_other_vectors_is_refused(files: dict[str, Path], verb: Verb, tmp_path: Path) -> None:
    truth = tmp_path / "truth.parquet"
    build = ["truth", "build", files["base.npy"], "--queries", files["queries.npy"], "-k", str(K), "--out", truth]
    verb(*build, "--distance", "l2")
    verb(*run_flags(files), "--truth", truth, "--out", tmp_path / "good")
    assert "k <= 5" in verb(*run_flags(files), "-k", "6", "--truth", truth, "--out", tmp_path / "deep", status=2)
    said = verb(*run_flags(files, "ip"), "--truth", truth, "--out", tmp_path / "ip", status=3)
    assert "distance" in said
    np.save(files["base.npy"], np.load(files["base.npy"]) + 1)
    assert "corpus" in verb(*run_flags(files), "--truth", truth, "--out", tmp_path / "other", status=3)


def test_truth_show_prints_the_digest_of_the_content(files: dict[str, Path], verb: Verb, tmp_path: Path) -> None:
    build = ["truth", "build", files["base.npy"], "--queries", files["queries.npy"], "--distance", "ip", "-k", "3"]
    first = json.loads(verb(*build, "--out", tmp_path / "one.parquet", "--json"))
    again = json.loads(verb(*build, "--out", tmp_path / "two.parquet", "--memory", "400MB", "--json"))
    assert first["digest"] == again["digest"]
    assert json.loads(verb("truth", "show", tmp_path / "one.parquet", "--json")) == first
    assert first["digest"] in verb("truth", "show", tmp_path / "two.parquet")


def test_report_works_from_files_alone(files: dict[str, Path], verb: Verb, tmp_path: Path) -> None:
    out, page = tmp_path / "runs", tmp_path / "pages" / "report.html"
    measured = json.loads(verb(*run_flags(files), "--out", out, "--json"))
    files["base.npy"].unlink()
    texts = tmp_path / "texts.txt"
    texts.write_text("".join(f"text of row {row}\n" for row in range(ROWS)))
    verb("report", out, "--out", page, "--texts", texts)
    assert "<svg" in page.read_text(encoding="utf-8")
    assert f"recall@{K}" in verb("report", out, "--format", "md")
    document = json.loads(verb("report", out, "--json"))
    assert [p["scores"] for p in document["points"]] == [p["scores"] for p in measured["points"]]


def test_report_takes_a_folder_of_folders(files: dict[str, Path], verb: Verb, tmp_path: Path) -> None:
    for name in ("one", "two"):
        verb(*run_flags(files), "--seed", len(name), "--out", tmp_path / "all" / name)
    (tmp_path / "all" / "two" / "truth.parquet").rename(tmp_path / "all" / "truth.parquet")
    (tmp_path / "all" / "one" / "truth.parquet").unlink()
    assert len(json.loads(verb("report", tmp_path / "all", "--json"))["points"]) >= 2


def test_report_refuses_what_it_cannot_judge(files: dict[str, Path], verb: Verb, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "holds no Run file" in verb("report", empty, "--json", status=2)
    out, other = tmp_path / "runs", tmp_path / "apart" / "ip"
    verb(*run_flags(files), "--out", out)
    verb(*run_flags(files, "ip"), "--out", other)
    assert "its distance is l2, not ip" in verb("report", out, other, "--json", status=3)
    assert "its distance is l2, not" in verb("report", other, "--truth", out / "truth.parquet", "--json", status=3)
    (other / "truth.parquet").unlink()
    assert "name it with --truth" in verb("report", other, "--json", status=2)
    assert "is a truth file" in verb("report", out / "truth.parquet", "--json", status=2)


@pytest.mark.parametrize("shelf", ["engines", "measures", "checks"])
def test_shelves_are_listed(shelf: str, verb: Verb) -> None:
    cards = json.loads(verb(shelf, "--json"))
    assert cards
    shown = verb(shelf)
    for card in cards:
        assert card["name"] in shown


def test_engines_say_what_they_are(verb: Verb) -> None:
    faiss = next(card for card in json.loads(verb("engines", "--json")) if card["name"] == "faiss")
    assert faiss["installed"] is True
    assert {"l2", "ip", "cosine"} <= set(faiss["distances"])
    assert "factory" in {setting["name"] for setting in faiss["build_settings"]}


def test_labels_of_other_queries_are_refused(files: dict[str, Path], verb: Verb, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.tsv"
    foreign.write_text("query_id\tid\n900\t1\n901\t2\n")
    out = tmp_path / "runs"
    said = verb(*run_flags(files), "--out", out, "--labels", foreign, status=2)
    assert "the labels of foreign name queries such as 900, and none of the 12 queries at hand, such as 0" in said
    assert not out.exists()
    verb(*run_flags(files), "--out", out)
    said = verb("report", out, "--format", "md", "--labels", foreign, status=2)
    assert "none of the 12 queries at hand" in said


def test_texts_by_line_are_one_for_each_row(files: dict[str, Path], verb: Verb, tmp_path: Path) -> None:
    out, texts = tmp_path / "runs", tmp_path / "texts.txt"
    verb(*run_flags(files), "--out", out)
    texts.write_text("one line\n")
    said = verb("report", out, "--format", "md", "--texts", texts, status=2)
    assert "texts.txt holds 1 lines for 400 vectors" in said
    texts.write_text("".join(f"text of {row}\n" for row in range(ROWS)))
    verb("report", out, "--format", "md", "--texts", texts)


@pytest.mark.parametrize("kept", [0, 200, -3])
@pytest.mark.parametrize("kind", ["truth", "faiss"])
def test_a_damaged_file_is_never_left_out_in_silence(
    kind: str, kept: int, files: dict[str, Path], verb: Verb, tmp_path: Path
) -> None:
    out = tmp_path / "runs"
    verb(*run_flags(files), "--out", out)
    path = next(out.glob(f"{kind}*.parquet"))
    path.write_bytes(path.read_bytes()[:kept])
    assert f"{path} is damaged" in verb("report", out, "--format", "md", status=2)


def test_a_folded_table_loses_nothing() -> None:
    console = Console(width=40, file=io.StringIO())
    console.print(table(("engine", "build settings"), [("faiss", "do_polysemous_training, quantizer_efConstruction")]))
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "…" not in shown
    assert "do_polysemous_training" in shown
