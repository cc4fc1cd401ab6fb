"""``truerecall compare``: is B better than A, on the same queries and the same truth?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from truerecall.cli.options import (
    Allowed,
    AttributesFile,
    Clusters,
    DsnFile,
    Ids,
    Json,
    LabelsFile,
    QueryIds,
    RelevantFrom,
    Rows,
    Seed,
    TruthFile,
    Where,
)
from truerecall.cli.output import print_json, print_rich, print_text
from truerecall.cli.progress import shown_progress
from truerecall.cli.score import Nearest
from truerecall.cli.truth_files import By
from truerecall.errors import NotAMeasurement


def compare(
    first: Annotated[
        Path, typer.Argument(metavar="A", help="A Run file, a folder of them, or answers in any form that score reads.")
    ],
    second: Annotated[Path, typer.Argument(metavar="B", help="What is held against it: the same.")],
    *,
    measure: Annotated[
        str | None, typer.Option("--measure", metavar="NAME", help="What is compared, as recall@10; else recall.")
    ] = None,
    truth: TruthFile = None,
    labels: LabelsFile = None,
    relevant_from: RelevantFrom = None,
    clusters: Clusters = None,
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", metavar="FILE", help="Of answers: the vectors, where a measure needs true distances."),
    ] = None,
    queries: Annotated[
        Path | None, typer.Option("--queries", metavar="FILE", help="Of answers: the vectors that search.")
    ] = None,
    query_ids: QueryIds = None,
    ids: Ids = None,
    dsn_file: DsnFile = None,
    by: Annotated[By | None, typer.Option("--by", help="Answers name ids of the corpus, or its row numbers.")] = None,
    rows: Rows = None,
    where: Where = None,
    attributes: AttributesFile = None,
    allowed: Allowed = None,
    asked: Annotated[
        int | None, typer.Option("--asked", metavar="K", min=1, help="How many answers were asked for; else what came.")
    ] = None,
    nearest: Annotated[
        Nearest | None, typer.Option("--nearest", help="Which numbers are near, where answers have no ranks.")
    ] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Compare runs setting by setting, or the answers of any two systems: the difference with its interval, and whether
    it could be chance.

    Several builds of a setting make it a claim about the method. Answers need --truth and a --measure with a depth
    where no Run is beside them, and have no latency. Status 3 where no test could tell, or where the sides are not of
    one corpus, query set, distance and k.
    """
    from truerecall.cli.comparing import compared
    from truerecall.cli.scoring import Sources
    from truerecall.report.comparison_card import comparison_card, comparison_text, difference_rows, equal_rows
    from truerecall.steps.changes import changed_words

    with shown_progress() as progress:
        found = compared(
            first, second, Sources(
                first, truth, labels, corpus, queries, query_ids, ids, rows, allowed,
                relevant_from=relevant_from, where=where, attributes=attributes, dsn_file=dsn_file,
            ),
            measure=measure, clusters=clusters, names=_names(first, second), seed=seed, progress=progress,
            by_row=None if by is None else by is By.ROW, asked_k=asked,
            nearer=None if nearest is None else nearest.value,
        )  # fmt: skip
    if json:
        print_json(comparison_card(found))
    else:
        from truerecall.cli.tables import table

        print_text(comparison_text(found, changed_words(found.changes, found.origin_unknown)))
        for head, lines in (difference_rows(found), equal_rows(found)):
            if lines:
                print_rich(table(head, lines))
    if found.differences and not found.decided:
        raise NotAMeasurement(
            f"undecided: no test could tell {first} and {second} apart", "ask more queries: truerecall sample size"
        )


def _names(first: Path, second: Path) -> tuple[str, str]:
    """What the sides are called: the shortest ends of their paths that differ."""
    one, other = first.resolve(), second.resolve()
    for depth in range(1, max(len(one.parts), len(other.parts)) + 1):
        names = ["/".join(path.parts[-depth:]).removesuffix(".parquet") for path in (one, other)]
        if names[0] != names[1]:
            return names[0], names[1]
    return "A", "B"
