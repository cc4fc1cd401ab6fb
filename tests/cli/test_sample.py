"""``truerecall sample`` on a user's files: what it prints, what it leaves behind, and what it refuses."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Verb
from tests.nouns import neighbors_of
from truerecall.model.measure_name import MeasureName
from truerecall.steps.align import align
from truerecall.steps.score import score_answers
from truerecall.store.truths import load_truth

ROWS = np.random.default_rng(0).normal(size=(300, 5)).astype(np.float32)
LANGUAGES = ["en"] * 240 + ["de"] * 54 + ["fy"] * 6


@pytest.fixture
def base(tmp_path: Path) -> Path:
    np.save(tmp_path / "base.npy", ROWS)
    table = {"id": [f"r{row:03}" for row in range(300)], "lang": LANGUAGES, "v": ROWS.tolist()}
    pq.write_table(pa.table(table), tmp_path / "base.parquet")
    return tmp_path


def drawn(document: str) -> dict[str, tuple[int, int, int]]:
    counts: list[dict[str, Any]] = json.loads(document)["counts"]
    return {one["name"]: (one["held"], one["asked"], one["drawn"]) for one in counts}


def test_by_an_attribute(base: Path, verb: Verb) -> None:
    out = base / "q.parquet"
    shown = verb("sample", base / "base.parquet", "--strata", "lang", "--per-stratum", 40, "--out", out, "--json")
    assert drawn(shown) == {"de": (54, 40, 40), "en": (240, 40, 40), "fy": (6, 40, 6)}
    fair = verb("sample", base / "base.parquet", "--strata", "lang", "--per-stratum", "proportional", "-n", 50,
                "--out", out, "--json")  # fmt: skip
    assert {name: counts[2] for name, counts in drawn(fair).items()} == {"de": 9, "en": 40, "fy": 1}
    assert Counter(pq.read_table(out)["stratum"].to_pylist()) == {"de": 9, "en": 40, "fy": 1}


def test_what_may_mislead_is_said(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from truerecall.cli.main import main

    flags = [str(base / "base.parquet"), "--strata", "lang", "--out", str(base / "q.parquet")]
    assert main(["sample", *flags, "--per-stratum", "40"]) == 0
    shown = capsys.readouterr()
    assert "warning: 1 of 3 strata are thin: fy (6 of 40); read their scores with care" in shown.err
    assert "86 of 86 queries are rows of the corpus; hold them out with --hold-out" in shown.err
    assert "strata    3 by lang, 40 per stratum" in shown.out
    assert main(["sample", *flags, "--per-stratum", "proportional", "-n", "9"]) == 0
    assert "1 of 3 strata have no part in it: fy (of 6); draw more" in capsys.readouterr().err
    assert main(["sample", *flags, "-n", "9", "--hold-out", str(base / "rows.parquet")]) == 0
    shown = capsys.readouterr()
    assert "warning" not in shown.err
    assert "held out  9 rows: those drawn, and all that equal them" in shown.out


def test_held_out_queries_are_no_rows_of_the_corpus(base: Path, verb: Verb) -> None:
    copies = base / "copies.npy"
    np.save(copies, np.concatenate([ROWS, ROWS[:100]]))
    queries, rows, truth = (base / name for name in ("q.parquet", "rows.parquet", "t.parquet"))
    build = ["truth", "build", rows, "--queries", queries, "--distance", "l2", "-k", 3, "--out", truth, "--json"]
    verb("sample", copies, "-n", 60, "--hold-out", rows, "--out", queries)
    card = json.loads(verb(*build))
    assert card["copies_of_queries"] == 0
    assert "queries-in-corpus" not in {finding["code"] for finding in card["findings"]}
    assert card["corpus"]["ids"] == card["queries"]["ids"] == "int64"
    assert card["corpus"]["rows"] < 340
    run = [
        "run",
        "--engine",
        "faiss",
        "--repeats",
        "1",
        "--set",
        "factory=Flat",
        "--corpus",
        rows,
        "--queries",
        queries,
    ]
    document = json.loads(verb(*run, "--distance", "l2", "-k", 3, "--truth", truth, "--out", base / "runs", "--json"))
    assert [score["mean"] for point in document["points"] for score in point["scores"]] == [1.0]


def test_h24_queries_taken_from_the_corpus(tmp_path: Path, verb: Verb) -> None:
    """All four rows are asked. Each finds itself; without itself the truth is 2, 3, 0, 1."""
    base, queries, truth = (tmp_path / name for name in ("base.npy", "q.parquet", "t.parquet"))
    np.save(base, np.array([[0, 0], [1, 5], [2, 0], [3, 5]], np.float32))
    verb("sample", base, "-n", 4, "--clusters", 1, "--out", queries)
    build = ["truth", "build", base, "--queries", queries, "--distance", "l2", "-k", 1, "--out", truth, "--json"]
    card = json.loads(verb(*build))
    messages = {finding["code"]: finding["message"] for finding in card["findings"]}
    assert messages["queries-in-corpus"] == "4 of 4 queries are rows of the corpus"
    # The index sees the first coordinate alone.
    seen = np.load(base)[:, 0]
    nearest = np.argsort(np.abs(seen[:, None] - seen), axis=1, kind="stable")
    assert recall_at_1(truth, nearest[:, :1].tolist()) == 1.0
    for way in ("id", "content"):
        card = json.loads(verb(*build, "--exclude-self", way))
        assert load_truth(truth).neighbors.ids.tolist() == [2, 3, 0, 1]
        assert "queries-in-corpus" not in {finding["code"] for finding in card["findings"]}
        assert recall_at_1(truth, nearest[:, 1:2].tolist()) == 0.0


def recall_at_1(truth: Path, answers: list[list[int]]) -> float | None:
    loaded = load_truth(truth)
    aligned = align(loaded.query_ids, neighbors_of(answers), np.zeros(4, np.bool_), loaded, depth=1)
    return score_answers(aligned, [MeasureName("recall", 1)], seed=0)[0].mean


def test_a_query_log(base: Path, verb: Verb) -> None:
    log = base / "log.jsonl"
    asked = [0, 1, 2, 0, 0, 3, 1]
    lines = [{"id": f"q{row}", "vector": ROWS[row].tolist(), "from": "app" if row else "web"} for row in asked]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    out = base / "q.parquet"
    said = verb("sample", "--from", log, "-n", 4, "--out", out, status=2)
    assert "3 surplus rows under 2 repeated ids" in said
    flags = ["sample", "--from", log, "--dedupe", "--strata", "from", "-n", 4, "--out", out]
    document = verb(*flags, "--json")
    assert json.loads(document)["dropped"] == {"exact copies": 3, "near copies": 0}
    assert json.loads(document)["what"] == "user queries"
    assert drawn(document) == {"app": (3, 2, 3), "web": (1, 2, 1)}
    table = pq.read_table(out).to_pydict()
    assert table["id"] == ["q0", "q1", "q2", "q3"]
    assert table["repeats"] == [3, 2, 1, 1]
    assert (np.array(table["vector"], np.float32) == ROWS[:4]).all()
    truth = ["truth", "build", base / "base.npy", "--queries", out, "--distance", "l2", "-k", 1]
    assert json.loads(verb(*truth, "--out", base / "t.parquet", "--json"))["copies_of_queries"] == 4


def test_a_sampled_corpus_is_named_wherever_its_number_is_shown(base: Path, verb: Verb) -> None:
    small, rows, queries, runs = (base / name for name in ("small.parquet", "rows.parquet", "q.parquet", "runs"))
    shown = verb("sample", base / "base.parquet", "--as", "corpus", "--strata", "lang", "-n", 150, "--out", small)
    assert "sampled corpus" in shown
    verb("sample", small, "-n", 10, "--hold-out", rows, "--out", queries)
    flags = ["--engine", "faiss", "--set", "factory=HNSW8", "--corpus", rows, "--queries", queries]
    document = json.loads(verb("run", *flags, "--distance", "l2", "-k", 3, "--out", runs, "--json"))
    (point,) = document["points"]
    named = {finding["code"]: finding["message"] for finding in point["findings"]}
    assert named["sampled-corpus"] == "sampled corpus, 140 of 300 rows"
    page = verb("report", runs, "--format", "md")
    assert page.count("sampled corpus, 140 of 300 rows") == 2
    card = json.loads(verb("truth", "show", runs / "truth.parquet", "--json"))
    assert "sampled-corpus" in {finding["code"] for finding in card["findings"]}


def test_the_same_seed_gives_the_same_queries(base: Path, verb: Verb) -> None:
    tables = []
    for name, seed in (("one", 4), ("two", 4), ("three", 5)):
        out = base / f"{name}.parquet"
        verb("sample", base / "base.npy", "-n", 60, "--seed", seed, "--dedupe", "--out", out)
        tables.append(pq.read_table(out))
    assert tables[0].equals(tables[1])
    assert tables[0]["id"].to_pylist() != tables[2]["id"].to_pylist()


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ([], "how many are to be drawn is said twice or not at all"),
        (["-n", "5", "--per-stratum", "2"], "said twice"),
        (["-n", "0"], "-n"),
        (["-n", "301"], "301 are to be drawn from"),
        (["-n", "5", "--from", "x.jsonl"], "CORPUS and --from are both given"),
        (["-n", "5", "--as", "corpus", "--hold-out", "r.parquet"], "--as corpus and --hold-out are both given"),
        (["-n", "5", "--as", "rows"], "--as"),
        (["-n", "5", "--per-stratum", "evenly"], "unknown value of --per-stratum evenly"),
        (["-n", "5", "--tolerance", "0.1"], "--tolerance is given without --dedupe"),
        (["-n", "5", "--dedupe", "--tolerance", "-1"], "the tolerance is -1"),
        (["-n", "5", "--strata", "lang"], "holds vectors alone and no column lang"),
        (["-n", "5", "--distance", "cosinus"], "did you mean cosine?"),
        (["-n", "5", "--hold-out", "OUT"], "name two files"),
        (["-n", "5", "--hold-out", "rows.npy"], "rows.npy is to be a Parquet file"),
        (["-n", "5", "--hold-out", "BASE"], "is what is drawn from and would be replaced"),
        (["-n", "5", "--hold-out", "OTHER"], "is no rows file and would be replaced"),
    ],
)
def test_refusals(flags: list[str], words: str, base: Path, verb: Verb) -> None:
    places = {"OUT": base / "q.parquet", "BASE": base / "base.npy", "OTHER": base / "base.parquet"}
    arguments = [places.get(flag, flag) for flag in flags]
    said = verb("sample", base / "base.npy", "--out", base / "q.parquet", *arguments, status=2)
    assert words in said
    assert not (base / "q.parquet").exists()


def test_nothing_to_draw_from_and_nothing_replaced(base: Path, verb: Verb) -> None:
    assert "neither CORPUS nor --from is given" in verb("sample", "-n", 5, "--out", base / "q.parquet", status=2)
    said = verb("sample", base / "base.npy", "-n", 5, "--out", base / "base.parquet", status=2)
    assert "is no queries file and would be replaced" in said
    verb("sample", base / "base.npy", "-n", 5, "--out", base / "q.parquet")
    for source in (base / "q.parquet", f"{base / 'q.parquet'}::vector"):
        assert "would be replaced" in verb("sample", source, "-n", 5, "--out", base / "q.parquet", status=2)
