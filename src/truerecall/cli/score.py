"""``truerecall score``: judge the answers of any system against a truth."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from truerecall.cli.options import (
    Allowed,
    AttributesFile,
    Clusters,
    DsnFile,
    Ids,
    Json,
    LabelsFile,
    MaxDrift,
    QueryIds,
    RelevantFrom,
    Rows,
    Seed,
    Strata,
    TruthFile,
    Where,
)
from truerecall.cli.output import print_json, print_rich, say
from truerecall.cli.progress import shown_progress
from truerecall.cli.truth_files import By, Called
from truerecall.cli.values import parse_measures
from truerecall.errors import NotAMeasurement
from truerecall.model.amounts import parse_share

if TYPE_CHECKING:
    from truerecall.model.judged import Judged
    from truerecall.model.truth import GroundTruth


class Nearest(StrEnum):
    """Which of the numbers that come in place of ranks are those of near rows."""

    SMALLER = "smaller"
    LARGER = "larger"


def score(
    answers: Annotated[
        Path,
        typer.Argument(
            metavar="ANSWERS",
            help="What a system returned: .npy, .ivecs, .ibin, .hdf5, .parquet, .arrow, .csv, .tsv, .jsonl, .json,"
            " a TREC run (.trec, .run, .txt), or a Run file. Text may be gzipped.",
        ),
    ],
    *,
    truth: TruthFile = None,
    k: Annotated[int, typer.Option("-k", metavar="K", min=1, help="Depth of measures named without one.")],
    measures: Annotated[
        list[str] | None,
        typer.Option(
            "--measures",
            metavar="NAME,NAME",
            help="What is measured, as recall@10,tie_recall@10; may be repeated. See: measures.",
        ),
    ] = None,
    labels: LabelsFile = None,
    relevant_from: RelevantFrom = None,
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", metavar="FILE", help="The vectors searched, where a measure needs true distances."),
    ] = None,
    queries: Annotated[Path | None, typer.Option("--queries", metavar="FILE", help="The vectors that search.")] = None,
    query_ids: QueryIds = None,
    ids: Ids = None,
    dsn_file: DsnFile = None,
    by: Called = By.ID,
    rows: Rows = None,
    where: Where = None,
    attributes: AttributesFile = None,
    allowed: Allowed = None,
    max_drift: MaxDrift = None,
    asked: Annotated[
        int | None,
        typer.Option("--asked", metavar="K", min=1, help="How many were asked for; else -k, or what came if more."),
    ] = None,
    nearest: Annotated[
        Nearest | None, typer.Option("--nearest", help="Which numbers are near, where answers have no ranks.")
    ] = None,
    strata: Strata = None,
    clusters: Clusters = None,
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="A page: .html, .md or .json.")] = None,
    json: Json = False,
) -> None:
    """Say how good a list of ids is that any system returned, how sure that is, and what should not be believed.

    Answers are bound to queries by id; a file without query ids is in the order of the truth. Distances that come with
    answers never judge: those of ids that the truth does not list are recomputed from --corpus and --queries.
    """
    names = parse_measures(measures or (), default_k=k)
    from truerecall.cli.scoring import Sources, demand_page, judged_answers, write_judged

    if out is not None:
        demand_page(out)
    share = None if max_drift is None else parse_share(max_drift)
    sources = Sources(
        answers,
        truth,
        labels,
        corpus,
        queries,
        query_ids,
        ids,
        rows,
        allowed,
        strata,
        clusters,
        relevant_from,
        where,
        attributes,
        dsn_file,
    )
    with shown_progress() as progress:
        judged, found = judged_answers(
            sources, k, names, by_row=by is By.ROW, asked_k=asked, nearer=None if nearest is None else nearest.value,
            max_drift=share, seed=seed, progress=progress,
        )  # fmt: skip
    if out is not None:
        write_judged(judged, found, out)
        say(f"wrote {out}")
    _show(judged, found, json=json)
    if judged.verdict == "invalid":
        worst = next(finding for finding in judged.findings if finding.severity == "invalid")
        raise NotAMeasurement(f"{answers} is no measurement: {worst.message}", worst.remedy)


def _show(judged: Judged, truth: GroundTruth, *, json: bool) -> None:
    if json:
        from truerecall.report.judged_document import judged_document

        print_json(judged_document(judged, truth))
        return
    from truerecall.report.judged_terminal import judged_terminal

    print_rich(judged_terminal(judged, truth))
