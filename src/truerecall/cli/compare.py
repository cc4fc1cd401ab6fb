"""``truerecall compare``: is B better than A, on the same queries and the same truth?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from truerecall.cli.options import Clusters, Json, LabelsFile, RelevantFrom, Seed, TruthFile
from truerecall.cli.output import print_json, print_rich, print_text
from truerecall.errors import NotAMeasurement


def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="A Run file, or a folder of them.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="What is held against it: the same.")],
    *,
    measure: Annotated[
        str | None, typer.Option("--measure", metavar="NAME", help="What is compared, as recall@10; else recall.")
    ] = None,
    truth: TruthFile = None,
    labels: LabelsFile = None,
    relevant_from: RelevantFrom = None,
    clusters: Clusters = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Compare two sets of runs setting by setting: the difference with its interval, and whether it could be chance.

    Several builds of a setting make it a claim about the method. Status 3 where no test could tell, or where the sides
    are not of one corpus, query set, distance and k.
    """
    from truerecall.cli.judging import clusters_of, headline, labels_from
    from truerecall.model.measure_name import MeasureName
    from truerecall.report.comparison_card import comparison_card, comparison_text, difference_rows, equal_rows
    from truerecall.steps.compare import compare_runs
    from truerecall.steps.sides import changed_words, changes_between, demand_comparable, facts_of_runs
    from truerecall.store.measured import load_runs, truth_for

    before, after = load_runs([first]), load_runs([second])
    demand_comparable(changes_between(facts_of_runs(before), facts_of_runs(after)))
    found = truth_for([*before, *after], [first, second], truth)
    k = before[0].setup.k
    compared = compare_runs(
        before,
        after,
        found,
        measure=MeasureName.parse(measure or headline(k), default_k=k),
        labels=labels_from(
            labels,
            query_ids=found.query_ids,
            query_kind=found.queries.ids,
            corpus_kind=found.corpus.ids,
            relevant_from=relevant_from,
        ),
        clusters=clusters_of(clusters, found.queries.ids),
        names=_names(first, second),
        seed=seed,
    )
    if json:
        print_json(comparison_card(compared))
    else:
        from truerecall.cli.tables import table

        print_text(comparison_text(compared, changed_words(compared.changes)))
        for head, rows in (difference_rows(compared), equal_rows(compared)):
            if rows:
                print_rich(table(head, rows))
    if compared.differences and not compared.decided:
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
