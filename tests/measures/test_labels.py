"""The measures of ir-measures: right values, outside figures, and exact search beside the answers."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import truerecall
from tests.measures.values import per_query, value
from tests.nouns import run_of, truth_of
from truerecall.errors import InputError
from truerecall.measures._ir import UNJUDGED
from truerecall.model.labels import Labels
from truerecall.model.measure_name import MeasureName
from truerecall.shelf import measures
from truerecall.steps.align import align

pytest.importorskip("ir_measures")

SHARED = Path(__file__).parents[3] / "shared" / "data"
NAMES = ["nDCG", "AP", "RR", "Rprec", "P"]


def shared(folder: str) -> Path:
    if not (SHARED / folder).exists():
        pytest.skip(f"{folder} is not beside the repository")
    return SHARED / folder


def test_r_precision_of_exact_search_is_the_loss_that_is_not_the_index_s() -> None:
    a, b, c, d, e, x = range(6)
    score = per_query("Rprec@5", [[a, b, c, d, e]], [[a, b, c, d, x]], relevant=[[a, c, d]])
    assert score.values.tolist() == pytest.approx([2 / 3])
    assert score.exact is not None
    assert score.exact.tolist() == pytest.approx([2 / 3])


def test_right_values_and_exact_search_beside_them() -> None:
    truth, found, relevant = [[1, 2, 3]], [[2, 2, 9]], [[1, 3]]
    for name, came, exact in (("P@3", 0.0, 2 / 3), ("RR@3", 0.0, 1.0), ("AP@3", 0.0, (1 + 2 / 3) / 2)):
        score = per_query(name, truth, found, relevant=relevant)
        assert score.exact is not None
        assert (score.values[0], score.exact[0]) == (pytest.approx(came), pytest.approx(exact)), name
    assert value("P@4", [1, 2, 3, 4], [3, 3, 1], relevant=[[1, 3]]) == 0.5  # the repeat counts once, the divisor stays
    assert value("RR@3", [1, 2, 3], [9, 9, 3], relevant=[[3]]) == 0.5


def test_grades_are_gains_and_a_threshold_makes_them_yes_or_no() -> None:
    found, graded = [[2, 1, 3]], {"relevant": [[1, 2]], "grades": [[3.0, 1.0]]}
    gain = (1 + 3 / np.log2(3)) / (3 + 1 / np.log2(3))
    assert value("nDCG@3", [1, 2, 3], *found, **graded) == pytest.approx(gain)
    assert value("P@1", [1], *found, **graded) == 1.0
    labels = Labels("a person", np.array([0, 0]), np.array([1, 2]), np.array([3.0, 1.0]), relevant_from=2.0)
    run, truth = run_of(found, k=3), truth_of([[1, 2, 3]])
    answers = align(run.query_ids, run.neighbors, run.failed, truth, depth=3, labels=labels)
    names = [MeasureName.parse(name) for name in ("P@1", "RR@3", "nDCG@3", "semantic_recall@2")]
    got = [measures.get(name.base).per_query(answers, name).values[0] for name in names]
    assert got == pytest.approx([0.0, 0.5, gain, 1.0])


def test_a_query_without_a_relevant_row_is_undefined() -> None:
    score = per_query("P@2", [[1, 2], [3, 4]], [[1, 2], [3]], relevant=[[], [9]])
    assert score.undefined.tolist() == [UNJUDGED, ""]
    assert score.values.tolist() == [0.0, 0.0]


def test_what_cannot_be_asked() -> None:
    with pytest.raises(InputError, match=r"nDCG@2 needs labels|ndcg@2 needs labels"):
        value("nDCG@2", [1, 2], [1, 2])
    with pytest.raises(InputError, match="grades that are not whole numbers"):
        value("nDCG@2", [1, 2], [1, 2], relevant=[[1]], grades=[[0.5]])


@pytest.mark.parametrize("name", NAMES)
def test_they_keep_their_own_names_in_any_spelling(name: str) -> None:
    assert measures.spelling(name.lower()) == name
    values = truerecall.per_query([f"{name.lower()}@2"], [[1, 2]], [[1, 2]], relevant_ids=[[1, 2]])
    assert list(values) == [f"{name}@2"]


def test_outside_figures_of_trec_eval() -> None:
    folder = shared("trec-eval-fixture")
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    ranked: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for line in (folder / "qrels.test").read_text().splitlines():
        query, _, document, grade = line.split()
        grades[query][document] = int(grade)
    for line in (folder / "results.test").read_text().splitlines():
        query, _, document, _, score, _ = line.split()
        # Where scores tie, trec_eval takes the larger name first.
        ranked[query].append((float(score), document))
    queries = sorted(ranked)
    found = [[document for _, document in sorted(ranked[query], reverse=True)] for query in queries]
    relevant = [[document for document, grade in grades[query].items() if grade > 0] for query in queries]
    expected = {}
    for line in (folder / "out.test").read_text().splitlines():
        measure, query, figure = line.split()
        if query == "all" and measure != "runid":
            expected[measure] = float(figure)
    names = {
        "P@5": "P_5",
        "P@10": "P_10",
        "P@30": "P_30",
        "AP@1000": "map",
        "RR@1000": "recip_rank",
        "Rprec@1000": "Rprec",
    }
    got = truerecall.per_query(list(names), found, found, relevant_ids=relevant, eligible=500)
    for ours, theirs in names.items():
        assert got[ours].mean() == pytest.approx(expected[theirs], abs=5e-5), ours


def test_scifact_by_exact_search() -> None:
    folder = shared("scifact")
    docs, queries = (np.load(folder / f"{side}.f16.npy").astype(np.float64) for side in ("docs", "queries"))
    docs, queries = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in (docs, queries))
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        names = np.array([str(json.loads(line)["id"]) for line in lines])
    asked = [str(json.loads(line)["id"]) for line in (folder / "queries.jsonl").read_text().splitlines()]
    truth = names[np.argsort(-queries @ docs.T, axis=1, kind="stable")[:, :10]]
    relevant: dict[str, list[str]] = defaultdict(list)
    for line in (folder / "qrels.tsv").read_text().splitlines()[1:]:
        query, document, grade = line.split("\t")
        if int(grade) > 0:
            relevant[query].append(document)
    values = truerecall.per_query(["nDCG@10"], truth, truth, relevant_ids=[relevant[query] for query in asked])
    assert values["nDCG@10"].mean() == pytest.approx(0.649, abs=5e-4)
