"""Runs behind filters: each is held against the truth behind it, and what an engine does to a filter shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from truerecall import shelf
from truerecall.engines.numpy_flat import NumpyFlatEngine, NumpyFlatIndex
from truerecall.engines.numpy_flat import engine as numpy_flat
from truerecall.errors import Incapable, InputError
from truerecall.model.arrays import Integers, Vectors, texts
from truerecall.model.attributes import Attributes, Column
from truerecall.model.curve import Curve
from truerecall.model.distance import distance_named
from truerecall.model.filter import Filter
from truerecall.model.plan import EnginePlan, Plan
from truerecall.model.selectivity import share_filter
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.choice import eligibility_of
from truerecall.steps.identify import identify
from truerecall.steps.judge import judge_as_usual
from truerecall.steps.measurement import Inputs, measure
from truerecall.steps.narrow import narrowed
from truerecall.steps.truth import build_truth
from truerecall.store.artefact import artefacts_in
from truerecall.store.filter_text import parse_filter
from truerecall.store.measured import behind_one_filter, load_runs, truth_for, truths_behind
from truerecall.store.truths import content_digest, load_truth

ROWS, K = 1000, 10
X = np.random.default_rng(1).normal(size=(ROWS, 8)).astype(np.float32)
Q = np.random.default_rng(2).normal(size=(40, 8)).astype(np.float32)
NUMBERS = np.arange(ROWS)
COLUMNS = {
    "g": Column(NUMBERS % 10, NUMBERS % 50 == 0),
    "colour": Column(texts([("red", "blue")[n % 2] for n in NUMBERS]), np.zeros(ROWS, np.bool_)),
}


@dataclass(frozen=True)
class Held:
    """Attributes in memory."""

    def read(self, names: Iterable[str]) -> Attributes:
        return Attributes({name: COLUMNS[name] for name in names})


NAMES = texts([f"row {n}" for n in NUMBERS])
CORPUS, QUERIES = Corpus(ArraySource(X), NAMES, attributes=Held()), QuerySet(Q)
INPUTS = Inputs(CORPUS, QUERIES)
PLAN = Plan((EnginePlan("numpy_flat"),), "l2", K, warmup_calls=2, repeats=1)
G3 = parse_filter("g = 3")


class Careless(NumpyFlatIndex):
    """Finds ``depth`` rows and only then looks at the filter; with ``heeds`` False never."""

    depth, heeds = 100, True

    def search(self, query: Vectors, k: int) -> Integers:
        kept, self.kept = self.kept, None
        found = super().search(query, self.depth if self.heeds else k)
        self.kept = kept
        return (found if kept is None or not self.heeds else found[np.isin(found, kept)])[:k]


class CarelessEngine(NumpyFlatEngine):
    def __init__(self, **ways: Any) -> None:
        self.ways = ways

    def build(self, *given: Any, **named: Any) -> NumpyFlatIndex:
        own = super().build(*given, **named)
        index = Careless(own.vectors, own.distance, own.attributes)
        for name, value in self.ways.items():
            setattr(index, name, value)
        return index

    load = build


def behind(out: Path, *filters: Filter, inputs: Inputs = INPUTS, **changes: Any) -> tuple[Curve, ...]:
    plan = replace(PLAN, filters=filters, **changes)
    curves, _ = measure(plan, inputs, out, isolation="none")
    return curves


def recall(curve: Curve) -> float | None:
    score = curve.points[0].score(f"recall@{K}")
    return None if score is None else score.mean


def codes(curve: Curve) -> set[str]:
    return {finding.code for finding in curve.points[0].findings}


def test_the_reference_finds_all_behind_every_filter(tmp_path: Path) -> None:
    filters = (G3, share_filter(50), share_filter(1), parse_filter("g = 3 AND colour = 'blue' OR g IS NULL"))
    curves = behind(tmp_path, *filters, builds=2)
    assert [recall(curve) for curve in curves] == [1.0] * 10
    kept = [None if (own := curve.points[0].run.setup.where) is None else own.kept for curve in curves]
    assert kept == [None, None, 500, 500, 120, 120, 100, 100, 10, 10]
    labels = [curve.label for curve in curves]
    assert labels[0] == "numpy_flat, build 1"
    assert labels[6] == "numpy_flat, where g = 3, build 1"
    assert not any(curve.points[0].run.ineligible for curve in curves)


def test_the_truth_behind_a_filter_is_that_of_the_rows_which_it_keeps(tmp_path: Path) -> None:
    behind(tmp_path, G3)
    truths = {digest: load_truth(file) for file in artefacts_in(tmp_path, "truth") if (digest := file.stem)}
    (filtered,) = [truth for truth in truths.values() if truth.reasons]
    mask = (COLUMNS["g"].values == 3) & ~COLUMNS["g"].missing
    sides = identify(CORPUS, QUERIES, distance_named("l2"))
    chosen = eligibility_of(CORPUS, QUERIES, sides.copies, rows=mask)
    own = build_truth(CORPUS, QUERIES, "l2", K, identities=sides, eligibility=chosen)
    assert content_digest(filtered) == content_digest(own)
    assert set(filtered.neighbors.ids.tolist()) <= {f"row {n}" for n in np.flatnonzero(mask)}


def test_what_is_filtered_after_the_search_runs_short(tmp_path: Path) -> None:
    with shelf.engines.lend("numpy_flat", CarelessEngine()):
        curves = behind(tmp_path, share_filter(50), share_filter(10), share_filter(1))
    means = [recall(curve) for curve in curves]
    assert means[:2] == [1.0, 1.0]
    assert means[2] is not None
    assert 0.7 < means[2] < 1  # of the nearest 100 some 10 pass, and often fewer
    assert means[3] is not None
    assert means[3] < 0.3  # and here one
    assert ["short-answers" in codes(curve) for curve in curves] == [False, False, True, True]
    assert not any("filter-ignored" in codes(curve) for curve in curves)


def test_rows_that_do_not_pass_are_found_out_and_no_number_is_shown(tmp_path: Path) -> None:
    with shelf.engines.lend("numpy_flat", CarelessEngine(heeds=False)):
        whole, filtered = behind(tmp_path, share_filter(10))
    assert recall(whole) == 1
    run = filtered.points[0].run
    assert run.ineligible > 0.8 * len(run.neighbors.ids)
    assert int(np.isnan(run.neighbors.distances).sum()) == run.ineligible
    assert filtered.points[0].verdict == "invalid"
    assert "filter-ignored" in codes(filtered)
    assert not filtered.points[0].scores


def test_stored_runs_find_the_truth_behind_their_filter(tmp_path: Path) -> None:
    curves = behind(tmp_path, G3, share_filter(10))
    runs = load_runs([tmp_path])
    truth, others = truth_for(runs, [tmp_path], None), truths_behind(runs, [tmp_path])
    assert not truth.reasons
    assert len(others) == 2
    again = judge_as_usual(runs, truth, behind=others)
    assert {own.label: recall(own) for own in again} == {own.label: recall(own) for own in curves}
    filtered = [run for run in runs if run.setup.where is not None and run.setup.where.text == "g = 3"]
    assert truth_for(filtered, [tmp_path], None).reasons == filtered[0].setup.where.reasons  # type: ignore[union-attr]
    assert behind_one_filter(runs) == tuple(run for run in runs if run.setup.where is None)
    with pytest.raises(InputError, match="behind several filters"):
        behind_one_filter([run for run in runs if run.setup.where is not None])
    for file in artefacts_in(tmp_path, "truth"):
        if load_truth(file).reasons:
            file.unlink()
    with pytest.raises(InputError, match=r"no truth behind .* lies beside the runs"):
        truths_behind(runs, [tmp_path])


def test_the_second_time_nothing_is_measured_again(tmp_path: Path) -> None:
    behind(tmp_path, G3)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    behind(tmp_path, G3)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before
    behind(tmp_path, G3, share_filter(10))
    assert all(path.stat().st_mtime_ns == at for path, at in before.items() if path.name.startswith("truth"))


def test_other_values_in_the_columns_are_another_index(tmp_path: Path) -> None:
    first = behind(tmp_path, G3)

    class Other(Held):
        def read(self, names: Iterable[str]) -> Attributes:
            return Attributes({name: Column((NUMBERS + 1) % 10, np.zeros(ROWS, np.bool_)) for name in names})

    second = behind(tmp_path, G3, inputs=replace(INPUTS, corpus=replace(CORPUS, attributes=Other())))
    runs = [curve.points[0].run.setup.where for curve in (first[1], second[1])]
    assert runs[0] is not None
    assert runs[1] is not None
    assert runs[0].told != runs[1].told
    assert recall(second[1]) == 1


def test_what_an_engine_cannot_say_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    def plan(engine: str, **settings: Any) -> Plan:
        return replace(PLAN, engines=(EnginePlan(engine, settings),), filters=(G3,))

    with pytest.raises(Incapable, match="usearch cannot filter by attributes"):
        measure(plan("usearch"), INPUTS, tmp_path / "runs")
    with pytest.raises(InputError, match="FAISS cannot search some rows of IndexIVFPQFastScan"):
        measure(plan("faiss", factory="IVF8,PQ4x4fs"), INPUTS, tmp_path / "runs")
    with pytest.raises(InputError, match="the function has no parameter where"):
        measure(plan("callable", function="tests.engines.flat_function:search"), INPUTS, tmp_path / "runs")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("filters", "corpus", "said"),
    [
        (["g = 11"], CORPUS, "no row of array passes g = 11"),
        (["g = 3"], replace(CORPUS, attributes=None), "array has no columns beside its vectors"),
        (["colour < 3"], CORPUS, "colour holds texts"),
    ],
)
def test_filters_that_cannot_be(filters: list[str], corpus: Corpus, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        behind(tmp_path / "runs", *map(parse_filter, filters), inputs=replace(INPUTS, corpus=corpus))
    assert not list(tmp_path.iterdir())


def test_equal_filters_count_once_and_the_draw_hangs_on_the_seed() -> None:
    narrows = narrowed([G3, parse_filter("3 = g"), share_filter(10)], CORPUS, seed=0)
    assert [own.narrowed.kept for own in narrows.each] == [100, 100]
    other = narrowed([share_filter(10)], CORPUS, seed=1)
    assert other.each[0].narrowed.told != narrows.each[1].narrowed.told
    assert narrowed([share_filter(0.1)], CORPUS, seed=0).each[0].narrowed.kept == 1
    assert numpy_flat.capabilities >= {"filter"}
