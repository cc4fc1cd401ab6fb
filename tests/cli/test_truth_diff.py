"""``truth diff`` on truths that were built: what it prints, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Verb
from truerecall.cli.main import main


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    base = np.array([[0], [2], [4], [6], [8]], np.float32)
    np.save("base.npy", base)
    np.save("queries.npy", np.array([[-1], [9], [3]], np.float32))
    np.save("edited.npy", np.array([[0], [2], [4], [6], [9]], np.float32))
    return tmp_path


def build(verb: Verb, corpus: str, out: str, *more: str, k: int = 2, distance: str = "l2") -> None:
    flags = ["--queries", "queries.npy", "--distance", distance, "-k", str(k), "--out", out, *more]
    verb("truth", "build", corpus, *flags)


def test_truths_that_agree(folder: Path, verb: Verb) -> None:
    build(verb, "base.npy", "one.parquet")
    build(verb, "base.npy", "deep.parquet", k=4)
    assert verb("truth", "diff", "one.parquet", "one.parquet") == "compared: 3 queries at k 2\nno list changed\n"
    assert "at k 2 (the truths hold 2 and 4)" in verb("truth", "diff", "one.parquet", "deep.parquet")
    verb("truth", "export", "one.parquet", "lists.json")
    sides = ["--corpus", "base.npy", "--queries", "queries.npy", "--distance", "l2"]
    verb("truth", "import", "lists.json", *sides, "--out", "imported.parquet")
    assert json.loads(verb("truth", "diff", "one.parquet", "imported.parquet", "--json"))["agree"] is True


def test_another_row_at_the_same_distance_is_a_tie(folder: Path, verb: Verb) -> None:
    """The query at 3 has 2 and 4 at distance 1, and 0 and 6 at distance 3."""
    build(verb, "base.npy", "one.parquet", k=3)
    Path("lists.json").write_text(json.dumps([[0, 1, 2], [4, 3, 2], [1, 2, 3]]))
    sides = ["--corpus", "base.npy", "--queries", "queries.npy", "--distance", "l2"]
    verb("truth", "import", "lists.json", *sides, "--out", "tied.parquet")
    shown = verb("truth", "diff", "one.parquet", "tied.parquet").splitlines()
    assert shown[1] == "1 query changed: 1 by ties alone, 0 beyond them"
    assert shown[-1].split() == ["2", "0", "3", "0", "66.7", "%", "3.0000", "→", "3.0000", "0", "yes"]
    card = json.loads(verb("truth", "diff", "one.parquet", "tied.parquet", "--json"))
    assert (card["agree"], card["changed"], card["by_ties"]) == (True, 1, 1)


def test_an_edited_row_changes_what_it_was_near_to(
    folder: Path, capsys: pytest.CaptureFixture[str], verb: Verb
) -> None:
    build(verb, "base.npy", "one.parquet")
    build(verb, "edited.npy", "two.parquet")
    assert main(["truth", "diff", "one.parquet", "two.parquet", "--json"]) == 3
    shown = capsys.readouterr()
    card = json.loads(shown.out)
    assert [row["query"] for row in card["changed_queries"]] == [1]
    assert card["changed_queries"][0]["distance_change"] == 1.0
    assert len(card["differences"]) == 1
    assert "are about different things, and differ for 1 of 3 queries" in shown.err
    assert shown.err.count("\n") == 1
    assert main(["truth", "diff", "one.parquet", "two.parquet"]) == 3
    assert capsys.readouterr().out.startswith("other subject: of the first truth, it is of other corpus: ")


def test_what_cannot_be_compared(folder: Path, verb: Verb) -> None:
    build(verb, "base.npy", "one.parquet")
    assert "absent.parquet does not exist" in verb("truth", "diff", "one.parquet", "absent.parquet", status=2)
    assert "k is 3" in verb("truth", "diff", "one.parquet", "one.parquet", "-k", "3", status=2)
    Path("names.json").write_text('["a", "b", "c"]')
    build(verb, "base.npy", "named.parquet", "--query-ids", "names.json")
    assert "no query in common" in verb("truth", "diff", "one.parquet", "named.parquet", status=3)
    assert "base.npy is not a truth file" in verb("truth", "diff", "one.parquet", "base.npy", status=2)
    build(verb, "base.npy", "ip.parquet", distance="ip")
    assert "differ for 1 of 3 queries" in verb("truth", "diff", "one.parquet", "ip.parquet", status=3)
