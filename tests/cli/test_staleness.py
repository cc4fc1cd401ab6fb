"""Which changes make a truth stale, and which are benign: each refused with its reason, or accepted."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Verb
from truerecall.store.runs import load_run, save_run
from truerecall.store.truths import load_truth, truth_artefact

ROWS = 200


RUN = ["run", "--engine", "faiss", "--repeats", "1", "--set", "factory=Flat", "--distance", "l2", "-k", "5"]


@dataclass
class Golden:
    """Files of a golden set, with ids or with row numbers, and what a verb is told of them."""

    folder: Path
    ids: Path | None

    @property
    def corpus(self) -> Path:
        return self.folder / "corpus.npy"

    @property
    def truth(self) -> Path:
        return self.folder / "truth.parquet"

    def sides(self, corpus: Path | None = None) -> list[str | Path]:
        ids: list[str | Path] = [] if self.ids is None else ["--ids", self.ids]
        return ["--corpus", corpus or self.corpus, "--queries", self.folder / "queries.npy", *ids]

    def vectors(self) -> Any:
        return np.load(self.corpus)


@pytest.fixture(params=["ids", "row numbers"])
def golden(request: pytest.FixtureRequest, tmp_path: Path, verb: Verb) -> Golden:
    rng = np.random.default_rng(0)
    ids = tmp_path / "ids.txt" if request.param == "ids" else None
    if ids is not None:
        ids.write_text("\n".join(f"doc{row}" for row in range(ROWS)))
    made = Golden(tmp_path, ids)
    np.save(made.corpus, rng.normal(size=(ROWS, 6)).astype(np.float32))
    np.save(tmp_path / "queries.npy", rng.normal(size=(30, 6)).astype(np.float32))
    flags = made.sides()[2:]
    verb("truth", "build", made.corpus, *flags, "--distance", "l2", "-k", "5", "--model", "e5 v2", "--out", made.truth)
    return made


def rename(golden: Golden, names: list[str]) -> None:
    assert golden.ids is not None
    golden.ids.write_text("\n".join(names))


def names_of(golden: Golden) -> list[str]:
    return [] if golden.ids is None else golden.ids.read_text().split("\n")


def one_row_edited(golden: Golden) -> str:
    x = golden.vectors()
    x[17] += 1
    np.save(golden.corpus, x)
    return "1 changed (doc17)" if golden.ids else "1 changed (17)"


def one_bit_flipped(golden: Golden) -> str:
    raw = bytearray(golden.corpus.read_bytes())
    raw[-1] ^= 0x80  # the sign of the last value
    golden.corpus.write_bytes(raw)
    return "1 changed (doc199)" if golden.ids else "1 changed (199)"


def rows_appended(golden: Golden) -> str:
    np.save(golden.corpus, np.concatenate([golden.vectors(), np.ones((2, 6), np.float32)]))
    if golden.ids is not None:
        rename(golden, [*names_of(golden), "new1", "new2"])
    return "200 rows, not 202: 2 added (" + ("new1, new2)" if golden.ids else "200, 201)")


def rows_deleted(golden: Golden) -> str:
    np.save(golden.corpus, np.delete(golden.vectors(), [5, 190, 198, 199], axis=0))
    if golden.ids is None:  # what follows a deleted row moves up: it is another row under that number
        return "200 rows, not 196: 4 removed (196, 197, 198, ...), 191 changed (5, 6, 7, ...); it names 2 ids that"
    rename(golden, np.delete(names_of(golden), [5, 190, 198, 199]).tolist())
    return "200 rows, not 196: 4 removed (doc190, doc198, doc199, ...)"


def rows_permuted(golden: Golden) -> str:
    order = np.random.default_rng(1).permutation(ROWS)
    np.save(golden.corpus, golden.vectors()[order])
    if golden.ids is None:
        return "all vectors are the same, under other ids or in another order"
    rename(golden, np.array(names_of(golden))[order].tolist())
    return ""


def ids_relabelled(golden: Golden) -> str:
    if golden.ids is None:
        np.save(golden.folder / "new ids.npy", np.arange(ROWS) + 1000)
        golden.ids = golden.folder / "new ids.npy"
        return "ids of the kind row, not int64"
    rename(golden, [f"other{row}" for row in range(ROWS)])
    return "200 added (other0, other1, other10, ...), 200 removed (doc0, doc1, doc10, ...); it names "


def queries_swapped(golden: Golden) -> str:
    np.save(golden.folder / "queries.npy", np.ones((30, 6), np.float32))
    return "of other queries: the same shape and other content"


def another_element_type(golden: Golden) -> str:
    np.save(golden.corpus, golden.vectors().astype(np.float64))
    return "elements of float32, not float64 (the same values in another type are other vectors)"


def another_width(golden: Golden) -> str:
    np.save(golden.corpus, golden.vectors()[:, :5])
    np.save(golden.folder / "queries.npy", np.load(golden.folder / "queries.npy")[:, :5])
    return "6 dimensions, not 5"


def file_moved(golden: Golden) -> str:
    moved = golden.folder / "elsewhere"
    moved.mkdir()
    golden.corpus.replace(moved / "corpus.npy")
    golden.folder = moved
    for name in ("queries.npy", "truth.parquet"):
        (moved.parent / name).replace(moved / name)
    return ""


CHANGES: list[Callable[[Golden], str]] = [
    one_row_edited, one_bit_flipped, rows_appended, rows_deleted, rows_permuted, ids_relabelled, queries_swapped,
    another_element_type, another_width, file_moved,
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_is_refused_with_its_reason_or_accepted(
    change: Callable[[Golden], str], golden: Golden, verb: Verb
) -> None:
    reason = change(golden)
    said = verb("truth", "verify", golden.truth, *golden.sides(), "--all", status=3 if reason else 0)
    assert (reason or "every list is right") in said
    if reason:
        assert said.count("\n") <= 3
        assert "truerecall truth refresh" in said
    run = [
        "run",
        "--engine",
        "faiss",
        "--repeats",
        "1",
        "--set",
        "factory=Flat",
        "--distance",
        "l2",
        "-k",
        "5",
        "--truth",
        golden.truth,
    ]
    said = verb(*run, *golden.sides(), "--out", golden.folder / "runs", "--json", status=3 if reason else 0)
    assert reason in said


@pytest.mark.parametrize("golden", ["ids"], indirect=True)
def test_another_format_and_other_chunks_are_the_same_vectors(golden: Golden, verb: Verb) -> None:
    folder, names = golden.folder / "parts", names_of(golden)
    folder.mkdir()
    for name, part in (("a", slice(0, 120)), ("b", slice(120, ROWS))):
        vectors = pa.array(list(golden.vectors()[part]), pa.list_(pa.float32()))
        table = pa.table({"id": names[part], "v": vectors}).replace_schema_metadata({"edited": "twice"})
        pq.write_table(table, folder / f"{name}.parquet", row_group_size=7)
    sides = ["--corpus", folder, "--queries", golden.folder / "queries.npy"]
    assert "every list is right" in verb("truth", "verify", golden.truth, *sides, "--all")


def test_another_model_distance_or_depth(golden: Golden, verb: Verb) -> None:
    verify = ["truth", "verify", golden.truth, *golden.sides()]
    assert "of the model e5 v2, not e5 v3" in verb(*verify, "--model", "e5 v3", status=3)
    verb(*verify, "--model", "e5 v2")
    run = [
        "run",
        "--engine",
        "faiss",
        "--repeats",
        "1",
        "--set",
        "factory=Flat",
        *golden.sides(),
        "--truth",
        golden.truth,
    ]
    out = ["--out", golden.folder / "runs"]
    assert "its distance is l2, not ip" in verb(*run, "--distance", "ip", "-k", "5", *out, status=3)
    assert "of the model e5 v2, not e5" in verb(*run, "--distance", "l2", "-k", "5", "--model", "e5", *out, status=3)
    assert "ask for k <= 5, or build a deeper truth" in verb(*run, "--distance", "l2", "-k", "6", *out, status=2)
    verb(*run, "--distance", "l2", "-k", "3", "--model", "e5 v2", *out)
    # The model is kept with the run, and judged by later.
    verb("report", golden.folder / "runs", "--truth", golden.truth, "--format", "json")
    (path,) = (golden.folder / "runs").glob("faiss*.parquet")
    assert load_run(path).setup.model == "e5 v2"


def test_without_a_ledger_a_change_is_refused_without_counts(golden: Golden, verb: Verb) -> None:
    build = ["truth", "build", golden.corpus, *golden.sides()[2:], "--distance", "l2", "-k", "5", "--model", "e5 v2"]
    bare = golden.folder / "bare.parquet"
    card = json.loads(verb(*build, "--out", bare, "--no-ledger", "--json"))
    assert (card["ledger"], card["slack"]) == (False, None)
    assert card["digest"] == truth_artefact(load_truth(golden.truth)).content_digest
    rows_appended(golden)
    said = verb("truth", "verify", bare, *golden.sides(), "--max-drift", "50%", status=3)
    assert "200 rows, not 202)" in said
    assert "keeps no ledger" in verb("truth", "refresh", bare, *golden.sides(), "--out", bare, status=2)
    assert "--slack and --no-ledger" in verb(*build, "--out", bare, "--no-ledger", "--slack", "3", status=2)


def test_the_identity_card(golden: Golden, verb: Verb) -> None:
    card = json.loads(verb("truth", "show", golden.truth, "--json"))
    assert (card["model"], card["snapshot"], card["drawing"], card["drawn_from"]) == ("e5 v2", None, None, None)
    assert (card["normalisation"], card["format"], card["ledger"]) == ("none", 2, True)
    assert (card["slack"], card["k"], card["distance"]) == ({"fewest": 10, "most": 10}, 5, "l2")
    shown = dict(line.split(None, 1) for line in verb("truth", "show", golden.truth).splitlines())
    assert (shown["digest"], shown["ledger"], shown["slack.fewest"]) == (card["digest"], "True", "10")
    assert shown["model"] == "e5 v2"
    assert shown["snapshot"] == "–"


def test_h22_a_truth_from_before_a_delete(verb: Verb, tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text("A\nB\nC")
    np.save(tmp_path / "x.npy", np.array([[0.0, 0], [3, 4], [6, 8]]))
    np.save(tmp_path / "q.npy", np.array([[0.0, 0]]))
    out, sides = tmp_path / "t.parquet", ["--queries", tmp_path / "q.npy", "--ids", tmp_path / "ids.txt"]
    verb("truth", "build", tmp_path / "x.npy", *sides, "--distance", "l2", "-k", "1", "--out", out)
    (tmp_path / "ids.txt").write_text("B\nC")
    np.save(tmp_path / "x.npy", np.array([[3.0, 4], [6, 8]]))
    said = verb("truth", "verify", out, "--corpus", tmp_path / "x.npy", *sides, status=3)
    assert "3 rows, not 2: 1 removed (A); it names 1 id that is not live" in said
    verb("truth", "refresh", out, "--corpus", tmp_path / "x.npy", *sides, "--out", out)
    assert load_truth(out).neighbors.of(0)[0].tolist() == ["B"]
    assert load_truth(out).neighbors.of(0)[1].tolist() == [5.0]
    assert "every list is right" in verb("truth", "verify", out, "--corpus", tmp_path / "x.npy", *sides, "--all")


class TestRefresh:
    def test_it_says_what_it_did(self, golden: Golden, verb: Verb) -> None:
        rows_appended(golden)
        flags = [*golden.sides(), "--snapshot", "tuesday", "--out", golden.folder / "new.parquet"]
        card = json.loads(verb("truth", "refresh", golden.truth, *flags, "--json"))
        assert (card["added"], card["removed"], card["changed"], card["queries"], card["rescanned"]) == (2, 0, 0, 30, 0)
        assert card["of_a_build"] == 30 * 202
        assert card["share_of_a_build"] == card["distance_computations"] / card["of_a_build"] < 0.15
        again = golden.folder / "again.parquet"
        build = ["truth", "build", golden.corpus, *golden.sides()[2:], "--distance", "l2", "-k", "5"]
        named = ["--model", "e5 v2", "--snapshot", "tuesday"]
        assert json.loads(verb(*build, *named, "--out", again, "--json"))["digest"] == card["digest"]
        shown = verb("truth", "refresh", golden.truth, *flags)
        assert "rows: 2 added, 0 removed, 0 changed" in shown
        assert "queries: 0 of 30 searched for anew" in shown
        assert "of the 6,060 of a new build" in shown
        assert card["digest"] in shown

    def test_what_cannot_be_refreshed_is_left_alone(self, golden: Golden, verb: Verb) -> None:
        before = golden.truth.read_bytes()
        queries_swapped(golden)
        flags = ["truth", "refresh", golden.truth, *golden.sides(), "--out", golden.truth]
        assert "of other queries" in verb(*flags, status=3)
        another_element_type(golden)
        assert "elements of float32, not float64" in verb(*flags, status=3)
        assert golden.truth.read_bytes() == before
        no_truth = golden.folder / "x.npy"
        np.save(no_truth, np.ones(3))
        assert "would be replaced" in verb(*flags[:-1], no_truth, status=2)


class TestDrift:
    """Within --max-drift the truth is used, and every number carries the finding."""

    @pytest.fixture
    def drifted(self, golden: Golden) -> Golden:
        x = golden.vectors()
        x[17] = np.load(golden.folder / "queries.npy")[0]
        np.save(golden.corpus, x)
        return golden

    def test_the_bound_is_that_of_a_new_build(self, drifted: Golden, verb: Verb) -> None:
        verify = ["truth", "verify", drifted.truth, *drifted.sides()]
        assert "0.500% of 200 rows, and 0.400% is allowed" in verb(*verify, "--max-drift", "0.4%", status=3)
        (finding,) = json.loads(verb(*verify, "--max-drift", "0.005", "--json"))["findings"]
        evidence = finding["evidence"]
        assert (finding["code"], finding["severity"]) == ("truth-drifted", "warning")
        assert (evidence["added"], evidence["removed"], evidence["changed"], evidence["share"]) == (0, 0, 1, 0.005)
        new = drifted.folder / "new.parquet"
        verb("truth", "refresh", drifted.truth, *drifted.sides(), "--out", new)
        before, after = load_truth(drifted.truth), load_truth(new)
        differ = sum(before.neighbors.of(q)[0].tolist() != after.neighbors.of(q)[0].tolist() for q in range(30))
        assert 1 <= differ == evidence["queries_affected"]
        assert "0 queries recomputed" in verb(*verify, "--max-drift", "1%")
        assert "no new state to write" in verb(*verify, "--max-drift", "1%", "--update", status=2)

    def test_the_finding_stays_with_the_run(self, drifted: Golden, verb: Verb) -> None:
        out = drifted.folder / "runs"
        run = [*RUN, *drifted.sides(), "--out", out]
        assert "1 changed" in verb(*run, "--truth", drifted.truth, status=3)
        (point,) = json.loads(verb(*run, "--truth", drifted.truth, "--max-drift", "1%", "--json"))["points"]
        assert "truth-drifted" in [finding["code"] for finding in point["findings"]]
        assert (point["verdict"], point["scores"] != []) == ("suspect", True)
        (path,) = out.glob("faiss*.parquet")
        drift = load_run(path).drift
        assert drift is not None
        assert (drift.changed, drift.allowed) == (1, 0.01)
        # Judged again from the files: by the old truth with the finding, by the new one without.
        report = ["report", out, "--format", "json", "--truth"]
        (point,) = json.loads(verb(*report, drifted.truth))["points"]
        assert "truth-drifted" in [finding["code"] for finding in point["findings"]]
        new = drifted.folder / "new.parquet"
        verb("truth", "refresh", drifted.truth, *drifted.sides(), "--out", new)
        (point,) = json.loads(verb(*report, new))["points"]
        assert "truth-drifted" not in [finding["code"] for finding in point["findings"]]
        # The same point again, this time with a truth that fits: it is not measured anew, and no drift is left.
        before = load_run(path).latency_s.tolist()
        verb(*run, "--truth", new)
        assert (load_run(path).drift, load_run(path).latency_s.tolist()) == (None, before)

    def test_a_truth_that_lies_in_the_folder_may_have_drifted_too(self, drifted: Golden, verb: Verb) -> None:
        out = drifted.folder / "runs"
        out.mkdir()
        drifted.truth.replace(out / "truth.parquet")
        run = [*RUN, *drifted.sides(), "--out", out]
        assert "1 changed" in verb(*run, status=3)
        assert "truth-drifted" in verb(*run, "--max-drift", "1%")
        assert "truth-drifted" in verb("report", out, "--format", "md")

    def test_measures_of_distances_take_the_neighbours_of_now(self, drifted: Golden, verb: Verb) -> None:
        """A neighbour moves far away: a run and a file of answers are judged alike, and nobody is below recall."""
        before = load_truth(drifted.truth)
        x, out = drifted.vectors(), drifted.folder / "runs"
        places = before.neighbors.ids.reshape(30, 5)
        gone = int(str(places[3, 1]).removeprefix("doc"))
        x[gone] = 50
        np.save(drifted.corpus, x)
        flags = ["--set", "factory=Flat", "--distance", "l2", "-k", "5", "--out", out]
        again = [
            "run",
            "--engine",
            "faiss",
            "--repeats",
            "1",
            *flags,
            *drifted.sides(),
            "--truth",
            drifted.truth,
            "--max-drift",
            "1%",
        ]
        verb(*again)
        (path,) = out.glob("faiss*.parquet")
        first = load_run(path)
        save_run(replace(first, present=None), path)  # as older versions wrote it
        verb(*again)
        run = load_run(path)
        assert run.latency_s.tolist() == first.latency_s.tolist()
        assert run.present is not None
        assert run.present.ids.tolist() == before.neighbors.ids.tolist()
        now = np.linalg.norm(x.astype(float)[gone] - np.load(drifted.folder / "queries.npy").astype(float)[3])
        assert run.present.of(3)[1][1] == pytest.approx(now)
        assert run.present.of(3)[1][0] == before.neighbors.of(3)[1][0]
        asked = [
            "-k",
            "5",
            "--measures",
            "recall,tolerant_recall(1%),eps_recall(0.01)",
            "--truth",
            drifted.truth,
            "--json",
        ]
        of_run = json.loads(verb("score", path, *asked))
        assert "truth-drifted" in [finding["code"] for finding in of_run["findings"]]

        rows = [[int(str(one).removeprefix("doc")) for one in row] for row in run.neighbors.ids.reshape(30, 5)]
        np.save(drifted.folder / "answers.npy", rows)
        score = ["score", drifted.folder / "answers.npy", *asked, *drifted.sides(), "--by", "row"]
        assert "1% is allowed" not in verb(*score, status=3)
        of_file = json.loads(verb(*score, "--max-drift", "1%"))
        assert "truth-drifted" in [finding["code"] for finding in of_file["findings"]]
        means = [[score["mean"] for score in told["scores"]] for told in (of_run, of_file)]
        assert means[0] == means[1]
        recall, tolerant, near = means[0]
        assert recall < 1
        assert recall <= tolerant <= near

        # The old answers: by ids all are right, and so they are by distance, though one of them is far away now.
        old = [[int(str(one).removeprefix("doc")) for one in row] for row in places]
        np.save(drifted.folder / "answers.npy", old)
        told = json.loads(verb(*score, "--max-drift", "1%"))
        assert [score["mean"] for score in told["scores"]] == [1.0, 1.0, 1.0]

    def test_a_drift_is_told_from_vectors(self, drifted: Golden, verb: Verb) -> None:
        np.save(drifted.folder / "answers.npy", np.zeros((30, 5), int))
        score = ["score", drifted.folder / "answers.npy", "-k", "5", "--truth", drifted.truth]
        assert "--max-drift is given without the vectors" in verb(*score, "--max-drift", "1%", status=2)
        assert "is no share" in verb(*score, *drifted.sides(), "--max-drift", "some", status=2)
        assert "0.500% of 200 rows" in verb(*score, *drifted.sides(), "--max-drift", "0.4%", status=3)

    @pytest.mark.parametrize("share", ["110%", "some", "-1%", "nan"])
    def test_a_share_is_a_share(self, share: str, golden: Golden, verb: Verb) -> None:
        said = verb("truth", "verify", golden.truth, *golden.sides(), f"--max-drift={share}", status=2)
        assert "is no share of the rows; write it as 0.1%" in said


def test_a_refresh_leaves_out_what_a_build_would(tmp_path: Path, verb: Verb) -> None:
    """A row of zeros that came later: the truth, made when there was none, does not say what becomes of it."""
    rng = np.random.default_rng(0)
    old, queries, now, truth = (tmp_path / name for name in ("old.npy", "q.npy", "now.npy", "truth.parquet"))
    x = rng.normal(size=(40, 3))
    np.save(old, x)
    np.save(queries, rng.normal(size=(6, 3)))
    x[7], x[9] = 0, np.nan
    np.save(now, x)
    flags: list[str | Path] = ["--queries", queries, "--distance", "cosine", "-k", "3"]
    leaving = ["--zero-vectors", "leave-out", "--not-finite", "leave-out"]
    verb("truth", "build", old, *flags, "--out", truth)
    refresh: list[str | Path] = ["truth", "refresh", truth, "--corpus", now, "--queries", queries]
    said = verb(*refresh, "--zero-vectors", "leave-out", "--out", tmp_path / "2.parquet", status=2)
    assert "row 9 holds NaN" in said
    assert "give --not-finite leave-out" in said
    verb(*refresh, *leaving, "--out", tmp_path / "2.parquet")
    verb("truth", "build", now, *flags, *leaving, "--out", tmp_path / "3.parquet")
    refreshed, built = (load_truth(tmp_path / name) for name in ("2.parquet", "3.parquet"))
    assert refreshed.eligible.tolist() == [38] * 6
    assert truth_artefact(refreshed).content_digest == truth_artefact(built).content_digest
