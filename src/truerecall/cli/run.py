"""``truerecall run``: build, sweep, measure and judge one engine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from truerecall.cli.options import (
    CorpusFile,
    Depth,
    DistanceName,
    Ids,
    Json,
    LabelsFile,
    MaxDrift,
    Memory,
    Model,
    QueriesFile,
    QueryIds,
    Rehash,
    RelevantFrom,
    Seed,
    TruthFile,
)
from truerecall.cli.output import print_json, print_rich, say
from truerecall.cli.progress import shown_progress
from truerecall.cli.values import parse_set, parse_share, parse_size, parse_vary
from truerecall.errors import NotAMeasurement

if TYPE_CHECKING:
    from truerecall.model.curve import Curve
    from truerecall.model.labels import Labels
    from truerecall.model.truth import GroundTruth


def run(
    *,
    engine: Annotated[str, typer.Option("--engine", metavar="NAME", help="What is measured; see: engines.")],
    corpus: CorpusFile,
    queries: QueriesFile,
    distance: DistanceName,
    k: Depth,
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where Run files and the truth are kept.")],
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting that holds everywhere; may be repeated."),
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="NAME=V,V",
            help="A setting that takes each value; several make a grid. Values with commas are parted by ';'.",
        ),
    ] = None,
    truth: TruthFile = None,
    ids: Ids = None,
    query_ids: QueryIds = None,
    labels: LabelsFile = None,
    relevant_from: RelevantFrom = None,
    seed: Seed = 0,
    threads: Annotated[int, typer.Option("--threads", min=1, help="Threads to build with; a search runs on one.")] = 1,
    warmup: Annotated[int, typer.Option("--warmup", min=0, help="Calls before the measured ones.")] = 100,
    memory: Memory = None,
    model: Model = None,
    max_drift: MaxDrift = None,
    rehash: Rehash = False,
    json: Json = False,
) -> None:
    """Build an index, sweep its settings, time every query, and judge the answers against the exact ones.

    Builds the truth where none fits. Started again with the same flags it goes on where it stopped.
    """
    from truerecall.cli.measuring import Inputs, measured
    from truerecall.model.distance import distance_named
    from truerecall.model.plan import EnginePlan, Plan
    from truerecall.store.places import demand_outside

    plan = Plan(
        (EnginePlan(engine, parse_set(settings or ()), parse_vary(vary or ())),),
        distance=distance_named(distance).name,
        k=k,
        seed=seed,
        threads=threads,
        warmup_calls=warmup,
    )
    memory_bytes = None if memory is None else parse_size(memory)
    share = None if max_drift is None else parse_share(max_drift, option="--max-drift")
    demand_outside(out / "truth.parquet", corpus, queries)
    inputs = Inputs.open(
        corpus,
        queries,
        ids=ids,
        query_ids=query_ids,
        labels=labels,
        relevant_from=relevant_from,
        truth=truth,
        model=model,
        max_drift=share,
        rehash=rehash,
    )
    with shown_progress() as progress:
        curves, found = measured(plan, inputs, out, memory_bytes=memory_bytes, progress=progress)
    _show(curves, found, inputs.labels, seed, json=json)
    say(f"the runs and the truth are in {out}; a page of them: truerecall report {out} --out report.html")
    if not any(point.scores for curve in curves for point in curve.points):
        raise NotAMeasurement("no point has a score", "see the findings above")


def _show(curves: tuple[Curve, ...], truth: GroundTruth, labels: Labels | None, seed: int, *, json: bool) -> None:
    if json:
        from truerecall.report.document import to_document

        print_json(to_document(curves, truth))
        return
    from truerecall.report.summary import summarise
    from truerecall.report.terminal import to_terminal

    print_rich(to_terminal(summarise(curves, truth, measure=curves[0].measure, labels=labels, seed=seed)))
