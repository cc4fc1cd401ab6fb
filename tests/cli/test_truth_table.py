"""``truth export T postgres`` and ``truth import postgres`` against a real server, and the page that explains them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Verb
from tests.postgres import Server
from tests.test_docs import commands_of
from truerecall.cli.main import main

PAGE = Path(__file__).parents[2] / "docs" / "postgres.md"
NAMED = ["--model", "minilm-v2", "--snapshot", "2026-05"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: Verb) -> Path:
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(2)
    np.save("base.npy", random.normal(size=(90, 4)).astype(np.float32))
    np.save("queries.npy", random.normal(size=(12, 4)).astype(np.float32))
    verb(
        "truth",
        "build",
        "base.npy",
        "--queries",
        "queries.npy",
        "--distance",
        "l2",
        "-k",
        "10",
        "--out",
        "truth.parquet",
    )
    return tmp_path


def sides(*more: str) -> list[str]:
    return ["--corpus", "base.npy", "--queries", "queries.npy", "--distance", "l2", "--out", "back.parquet", *more]


def test_the_page(folder: Path, postgres_server: Server, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    export, export_elsewhere, take, take_five, verify = commands_of(PAGE)
    # What comes back is named as the table names it.
    named = ["truth", "build", "base.npy", "--queries", "queries.npy", "--distance", "l2", "-k", "10", *NAMED]
    assert main([*named, "--out", "truth.parquet"]) == 0
    make, recall = re.findall(r"```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (folder / "dsn.txt").write_text(f"host={postgres_server.folder} dbname='{database}'")
    with postgres_server.connect(database) as connection:
        connection.execute("CREATE SCHEMA golden; CREATE TABLE answers (query_id bigint, neighbor_ids bigint[])")
        connection.execute(make)
        for command in (export, export_elsewhere):
            assert main(command) == 0, capsys.readouterr().err
        # Of the true ten one is missing of each query, and in its place stands what no row is called.
        connection.execute(
            "INSERT INTO answers SELECT query_id, neighbor_ids[2:] || 90::bigint FROM recall_ground_truth"
        )
        assert connection.execute(recall).fetchone() == (pytest.approx(0.9),)
    capsys.readouterr()
    for command in (take, take_five, verify):
        assert main(command) == 0, capsys.readouterr().err
    capsys.readouterr()
    digests = []
    for truth in ("truth.parquet", "back.parquet"):
        assert main(["truth", "show", truth, "--json"]) == 0
        digests.append(json.loads(capsys.readouterr().out)["digest"])
    assert digests[0] == digests[1]
    assert main(["truth", "show", "five.parquet", "--json"]) == 0
    five = json.loads(capsys.readouterr().out)
    assert (five["k"], five["state"]) == (5, "unproved")
    assert five["provenance"]["exported"]["truth_fingerprint"] == digests[0]


def test_what_is_said_and_refused(folder: Path, database: str, verb: Verb, capsys: pytest.CaptureFixture[str]) -> None:
    export = ["truth", "export", "truth.parquet", "postgres"]
    assert "the model is not known; add --model NAME" in verb(*export, status=2)
    assert "the snapshot is not known" in verb(*export, "--model", "m", status=2)
    assert "there is no table recall_ground_truth" in verb("truth", "import", "postgres", *sides(), status=2)
    assert main([*export, *NAMED]) == 0
    assert "wrote 12 rows to the new table recall_ground_truth" in capsys.readouterr().err
    verb(*export, "--table", '"; DROP TABLE recall_ground_truth; --', *NAMED)
    assert verb("truth", "import", "postgres", *sides("--table", '"; DROP TABLE recall_ground_truth; --'))
    assert main([*export, *NAMED]) == 0
    assert "wrote 12 rows to recall_ground_truth" in capsys.readouterr().err
    verb(
        "truth", "build", "base.npy", "--queries", "queries.npy", "--distance", "ip", "-k", "10", "--out", "ip.parquet"
    )
    said = verb("truth", "export", "ip.parquet", "postgres", *NAMED, status=3)
    assert "holds another truth of model 'minilm-v2', snapshot '2026-05', k 10: 12 queries" in said
    assert "export under another --snapshot" in said
    assert "no truth in recall_ground_truth fits" in verb("truth", "import", "postgres", *sides("-k", "11"), status=2)
    verb("truth", "export", "ip.parquet", "postgres", "--model", "minilm-v2", "--snapshot", "ip")
    assert "2 truths in recall_ground_truth fit" in verb("truth", "import", "postgres", *sides(), status=2)
    taken = sides("--snapshot", "ip")
    assert "distances do not agree with the vectors" in verb("truth", "import", "postgres", *taken, status=3)
    np.save("queries.npy", np.zeros((13, 4), np.float32))
    taken = sides("--snapshot", "2026-05")
    assert "1 of 13 queries of queries.npy have no list (first: 12)" in verb(
        "truth", "import", "postgres", *taken, status=3
    )


def test_a_state_that_the_table_cannot_tell(
    folder: Path, database: str, verb: Verb, capsys: pytest.CaptureFixture[str]
) -> None:
    verb("truth", "export", "truth.parquet", "lists.json")
    verb("truth", "import", "lists.json", *sides())
    assert main(["truth", "export", "back.parquet", "postgres", *NAMED]) == 0
    assert "the truth is unproved, and the table does not say so" in capsys.readouterr().err
    verb("truth", "import", "lists.json", *sides("--approximate"))
    said = verb("truth", "export", "back.parquet", "postgres", "--model", "m", "--snapshot", "2", status=3)
    assert "an index made these lists" in said


def test_rows_by_number_where_the_corpus_has_ids(folder: Path, database: str, verb: Verb) -> None:
    (folder / "ids.txt").write_text("".join(f"a row with a long name {row}\n" for row in range(90)))
    build = ["truth", "build", "base.npy", "--queries", "queries.npy", "--distance", "l2", "-k", "10"]
    verb(*build, "--ids", "ids.txt", "--out", "named.parquet")
    by_row = ["--by", "row", "--ids", "ids.txt", "--corpus", "base.npy"]
    verb("truth", "export", "named.parquet", "postgres", *NAMED, *by_row)
    verb("truth", "import", "postgres", *sides("--by", "row", "--ids", "ids.txt"))
    for truth in ("named", "back"):
        verb("truth", "export", f"{truth}.parquet", f"{truth}.json")
    assert (folder / "named.json").read_text() == (folder / "back.json").read_text()


def test_the_word_postgres_is_no_file_and_a_file_can_be_named_so(folder: Path, verb: Verb) -> None:
    verb("truth", "export", "truth.parquet", "gt.ibin")
    (folder / "gt.ibin").rename(folder / "postgres")
    verb("truth", "import", "./postgres", *sides())
    assert "--table is given with the file x.npy" in verb(
        "truth", "export", "truth.parquet", "x.npy", "--table", "t", status=2
    )
    assert "--dsn-file is given with the file" in verb(
        "truth", "import", "./postgres", *sides("--dsn-file", "dsn"), status=2
    )


def test_a_server_that_is_not_there(folder: Path, verb: Verb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGHOST", str(folder))
    monkeypatch.setenv("PGPASSWORD", "geheim")
    for said in (
        verb("truth", "export", "truth.parquet", "postgres", *NAMED, status=3),
        verb("truth", "import", "postgres", *sides(), status=3),
    ):
        assert said.count("\n") == 1
        assert "PostgreSQL cannot be reached" in said
        assert "geheim" not in said
    assert not (folder / "back.parquet").exists()
    assert "dsn does not exist" in verb(
        "truth", "export", "truth.parquet", "postgres", *NAMED, "--dsn-file", "dsn", status=2
    )
