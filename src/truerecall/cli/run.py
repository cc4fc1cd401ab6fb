"""``truerecall run``: build, sweep, measure and judge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from truerecall.cli.options import (
    CORPUS,
    DEPTH,
    DISTANCE,
    QUERIES,
    SEED,
    AttributesFile,
    DsnFile,
    Ids,
    Json,
    LabelsFile,
    MaxDrift,
    Memory,
    Model,
    QueryIds,
    Rehash,
    RelevantFrom,
    TruthFile,
)
from truerecall.cli.output import print_json, print_rich, say
from truerecall.cli.progress import shown_progress
from truerecall.cli.values import parse_set, parse_vary
from truerecall.errors import EngineFailed, InputError, NotAMeasurement

if TYPE_CHECKING:
    from truerecall.model.curve import Curve
    from truerecall.model.labels import Labels
    from truerecall.model.truth import GroundTruth


def run(
    *,
    plan: Annotated[
        Path | None,
        typer.Option("--plan", metavar="FILE", help="A truerecall.toml; a flag given beside it wins."),
    ] = None,
    engine: Annotated[
        list[str] | None, typer.Option("--engine", metavar="NAME", help="What is measured; see: engines.")
    ] = None,
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
    attach: Annotated[
        str | None,
        typer.Option("--attach", metavar="NAME", help="Measure an index that exists, as it is; nothing is built."),
    ] = None,
    dsn_file: DsnFile = None,
    corpus: Annotated[Path | None, CORPUS] = None,
    queries: Annotated[Path | None, QUERIES] = None,
    distance: Annotated[str | None, DISTANCE] = None,
    k: Annotated[int | None, DEPTH] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="Where Run files and the truth are kept.")
    ] = None,
    mode: Annotated[
        list[str] | None,
        typer.Option(
            "--mode", metavar="MODE", help="one-by-one (else), batch:SIZE or clients:N; several are measured each."
        ),
    ] = None,
    repeats: Annotated[int | None, typer.Option("--repeats", min=1, help="Passes over every point; else 3.")] = None,
    builds: Annotated[
        int | None, typer.Option("--builds", min=1, help="Indexes of each build, by other seeds and orders; else 1.")
    ] = None,
    resident: Annotated[
        int | None, typer.Option("--resident", min=1, help="Indexes in memory at once; else 2.")
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--filter",
            metavar="CONDITION",
            help="Measure behind it too, as 'price < 10 AND sold = false'; may be repeated.",
        ),
    ] = None,
    selectivity: Annotated[
        str | None,
        typer.Option("--selectivity", metavar="P,P", help="Measure behind filters too that keep P % of the rows."),
    ] = None,
    attributes: AttributesFile = None,
    on_failure: Annotated[
        str | None,
        typer.Option(
            "--on-failure",
            metavar="WAY",
            help="Where an engine fails as a whole: stop (else), or go-on.",
        ),
    ] = None,
    truth: TruthFile = None,
    ids: Ids = None,
    query_ids: QueryIds = None,
    labels: LabelsFile = None,
    relevant_from: RelevantFrom = None,
    seed: Annotated[int | None, SEED] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", min=1, help="Threads to build and for a batch; else 1.")
    ] = None,
    warmup: Annotated[
        int | None, typer.Option("--warmup", min=0, help="Calls before the measured ones of a pass; else 100.")
    ] = None,
    memory: Memory = None,
    model: Model = None,
    max_drift: MaxDrift = None,
    rehash: Rehash = False,
    json: Json = False,
) -> None:
    """Build indexes, sweep their settings, time every query, and judge the answers against the exact ones.

    What is measured stands in flags, in a plan, or in both. Builds the truth where none fits. Started again it goes on
    where it stopped.
    """
    from truerecall.cli.measuring import opened
    from truerecall.model.selectivity import parse_shares
    from truerecall.steps.measurement import measure
    from truerecall.store.config import read_configuration
    from truerecall.store.places import demand_outside

    given = {
        "engine": _section(engine, settings, vary, attach),
        "corpus": corpus,
        "queries": queries,
        "distance": distance,
        "k": k,
        "out": out,
        "modes": mode or None,
        "repeats": repeats,
        "builds": builds,
        "resident": resident,
        "on_failure": on_failure,
        "truth": truth,
        "ids": ids,
        "query_ids": query_ids,
        "labels": labels,
        "relevant_from": relevant_from,
        "seed": seed,
        "threads": threads,
        "warmup": warmup,
        "memory": memory,
        "model": model,
        "max_drift": max_drift,
        "dsn_file": dsn_file,
        "filters": where or None,
        "selectivity": None if selectivity is None else list(parse_shares(selectivity)) or None,
        "attributes": attributes,
    }
    own = read_configuration(plan, {name: value for name, value in given.items() if value is not None})
    demand_outside(own.out / "truth.parquet", own.corpus, own.queries)
    inputs = opened(
        own.corpus,
        own.queries,
        ids=own.ids,
        query_ids=own.query_ids,
        labels=own.labels,
        relevant_from=own.relevant_from,
        truth=own.truth,
        model=own.model,
        max_drift=own.max_drift,
        dsn_file=own.dsn_file,
        attributes=own.attributes,
        rehash=rehash,
    )
    left: list[tuple[str, EngineFailed]] = []
    with shown_progress() as progress:
        curves, found = measure(
            own.plan, inputs, own.out, memory_bytes=own.memory_bytes, progress=progress,
            on_left=lambda built, error: left.append((built, error)),
        )  # fmt: skip
    _show(curves, found, inputs.labels, own.plan.seed, left, json=json)
    say(f"the runs and the truth are in {own.out}; a page of them: truerecall report {own.out} --out report.html")
    if not any(point.scores for curve in curves for point in curve.points):
        raise NotAMeasurement("no point has a score", "see the findings above")
    if left:
        built, error = left[0]
        others = f", and {len(left) - 1} more" if len(left) > 1 else ""
        raise NotAMeasurement(f"{built}{others} was left: {error.problem}", "start again to go on with it")


def _section(
    engines: list[str] | None, settings: list[str] | None, vary: list[str] | None, attach: str | None
) -> list[dict[str, Any]] | None:
    """The section of a plan that these flags stand for; None where they are silent."""
    if not engines:
        if settings or vary or attach:
            raise InputError(
                "--set, --vary and --attach belong to an engine that is not named", "name it with --engine"
            )
        return None
    if len(engines) > 1:
        named = " and ".join(engines)
        raise InputError(f"--engine names {named}", "name one, or write a section for each in a --plan FILE")
    varied = {name: list(values) for name, values in parse_vary(vary or ()).items()}
    existing = {} if attach is None else {"attach": attach}
    return [{"name": engines[0], "set": parse_set(settings or ()), "vary": varied, **existing}]


def _show(
    curves: tuple[Curve, ...],
    truth: GroundTruth,
    labels: Labels | None,
    seed: int,
    left: list[tuple[str, EngineFailed]],
    *,
    json: bool,
) -> None:
    if json:
        from truerecall.report.document import to_document

        unmeasured = [{"built": built, "error": str(error)} for built, error in left]
        print_json({**to_document(curves, truth), "left": unmeasured})
        return
    from truerecall.report.summary import summarise
    from truerecall.report.terminal import to_terminal

    print_rich(to_terminal(summarise(curves, truth, measure=curves[0].measure, labels=labels, seed=seed)))
