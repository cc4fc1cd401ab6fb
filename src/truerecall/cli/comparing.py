"""From the two sides that a user names, Runs or answers, to a comparison."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from truerecall.cli.judging import clusters_of, labels_from
from truerecall.cli.scoring import Sources, demand_vectors, reading_of
from truerecall.errors import InputError, NotAMeasurement
from truerecall.model.comparison import Comparison
from truerecall.model.measure_name import HEADLINE, MeasureName
from truerecall.model.progress import Progress
from truerecall.model.run import Run
from truerecall.model.truth import GroundTruth
from truerecall.steps.changes import changes_between, demand_comparable
from truerecall.steps.compare import compare_runs
from truerecall.steps.compare_answers import compare_answers
from truerecall.steps.sides import facts_of_runs
from truerecall.store.artefact import is_ours
from truerecall.store.measured import behind_one_filter, load_runs, truth_for
from truerecall.store.truths import load_truth


def compared(
    first: Path,
    second: Path,
    sources: Sources,
    *,
    measure: str | None,
    clusters: str | None,
    names: tuple[str, str],
    seed: int,
    progress: Progress,
    **reading: Any,
) -> Comparison:
    """The second held against the first. ``sources``: the files beside them; ``reading``: how answers are to be read,
    as ``score`` takes it, None where it was not said."""
    demand_vectors(sources)
    places = (first, second)
    before, after = runs = [behind_one_filter(load_runs([place])) if _holds_runs(place) else () for place in places]
    if before and after:
        _refuse_reading(sources, reading)
        _demand_one_filter(before[0], after[0])
        demand_comparable(changes_between(facts_of_runs(before), facts_of_runs(after)))
    truth = _truth(runs, places, sources.truth)
    name = _measure(measure, next((own[0].setup.k for own in runs if own), None))
    grouped = clusters_of(clusters, truth.queries.ids)
    if before and after:
        kinds = {"query_kind": truth.queries.ids, "corpus_kind": truth.corpus.ids}
        labels = labels_from(sources.labels, query_ids=truth.query_ids, relevant_from=sources.relevant_from, **kinds)
        return compare_runs(before, after, truth, measure=name, labels=labels, clusters=grouped, names=names, seed=seed)
    said = {key: value for key, value in reading.items() if value is not None}
    return compare_answers(
        truth, before or first, after or second, measure=name, clusters=grouped, names=names, seed=seed,
        progress=progress, **reading_of(sources, truth, progress), **said,
    )  # fmt: skip


def _demand_one_filter(before: Run, after: Run) -> None:
    filters = [run.setup.where for run in (before, after)]
    if filters[0] != filters[1]:
        told = ["no filter" if own is None else f"{own.text} ({own.told})" for own in filters]
        raise NotAMeasurement(f"the runs were searched behind {told[0]} and {told[1]}", "compare those behind one")


def _holds_runs(place: Path) -> bool:
    """Whether Runs lie there, or an artefact of ours that is none and will be refused as such."""
    if place.suffix not in ("", ".parquet"):
        return False
    return not place.exists() or place.is_dir() or is_ours(place)


def _truth(runs: list[tuple[Run, ...]], places: tuple[Path, Path], given: Path | None) -> GroundTruth:
    """The truth that is named, or the one that lies beside the Runs of either side."""
    measured = [run for own in runs for run in own]
    if measured:
        return truth_for(measured, [place for own, place in zip(runs, places, strict=True) if own], given)
    if given is None:
        raise InputError(f"{places[0]} and {places[1]} are no Runs, and no truth is given", "name it with --truth")
    return load_truth(given)


def _measure(named: str | None, k: int | None) -> MeasureName:
    if named is None and k is None:
        raise InputError("nothing says how deep answers are compared", "name a measure: --measure recall@10")
    return MeasureName.parse(HEADLINE if named is None else named, default_k=k)


def _refuse_reading(sources: Sources, reading: dict[str, Any]) -> None:
    """Raises InputError where a flag says how answers are read and there are none."""
    own = replace(sources, answers=Path(), truth=None, labels=None, relevant_from=None)
    if own != Sources(Path()) or any(value is not None for value in reading.values()):
        raise InputError(
            "a flag says how answers are read, and both sides are Runs",
            "leave out all but --measure, --truth, --labels, --relevant-from, --clusters and --seed",
        )
