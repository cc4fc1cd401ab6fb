"""``truerecall truth import`` and ``truth export``: truths from and for other tools."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from truerecall.cli.options import (
    CorpusFile,
    DistanceName,
    DsnFile,
    Ids,
    Json,
    Model,
    QueriesFile,
    QueryIds,
    Rehash,
    Snapshot,
    TableName,
)
from truerecall.cli.output import say
from truerecall.cli.progress import shown_progress
from truerecall.cli.truth_card import show_truth
from truerecall.cli.truth_table import export_table, import_table, names_table


class By(StrEnum):
    """What neighbours are called by."""

    ID = "id"
    ROW = "row"


Called = Annotated[By, typer.Option("--by", help="Neighbours are ids of the corpus, or its row numbers.")]


def import_file(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Neighbours: .npy, .ivecs, .ibin, .knn, .hdf5, .parquet, .arrow, .json; or the word postgres.",
        ),
    ],
    *,
    corpus: CorpusFile,
    queries: QueriesFile,
    distance: DistanceName,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the truth is written (truth.parquet).")],
    k: Annotated[int | None, typer.Option("-k", metavar="K", min=1, help="How many neighbours; else all.")] = None,
    approximate: Annotated[
        bool, typer.Option("--approximate", help="An index made these lists: agreement with them is not recall.")
    ] = False,
    by: Called = By.ID,
    ids: Ids = None,
    query_ids: QueryIds = None,
    table: TableName = None,
    model: Model = None,
    snapshot: Snapshot = None,
    dsn_file: DsnFile = None,
    rehash: Rehash = False,
    json: Json = False,
) -> None:
    """Take the neighbours in another tool's file, or in a table of PostgreSQL, as a truth: unproved until verified.

    Distances are recomputed from the vectors; lists that do not fit them are refused.
    """
    from truerecall.model.distance import distance_named
    from truerecall.steps.corpora import open_corpus
    from truerecall.steps.import_truth import import_truth
    from truerecall.store.artefact import demand_artefact_place
    from truerecall.store.identities import IdentityCache
    from truerecall.store.lists import read_lists
    from truerecall.store.places import demand_outside
    from truerecall.store.truths import KIND, save_truth
    from truerecall.store.vectors import open_queries

    name = distance_named(distance).name
    from_table = names_table(source, {"--table": table, "--dsn-file": dsn_file})
    demand_outside(out, corpus, queries)
    demand_artefact_place(out, KIND)
    searched, asked = open_corpus(corpus, ids=ids, dsn_file=dsn_file), open_queries(queries, ids=query_ids)
    with shown_progress() as progress:
        cache = IdentityCache.of_user("renew" if rehash else "use")
        if from_table:
            truth = import_table(
                table, dsn_file, searched, asked, name, model=model, snapshot=snapshot,
                k=k, by_row=by is By.ROW, approximate=approximate, cache=cache, progress=progress,
            )  # fmt: skip
        else:
            truth = import_truth(
                read_lists(Path(source)), searched, asked, name,
                name=source, k=k, by_row=by is By.ROW, approximate=approximate, model=model, snapshot=snapshot,
                cache=cache, progress=progress,
            )  # fmt: skip
    save_truth(truth, out)
    say(f"wrote {out}")
    show_truth(out, json=json)


def export_file(
    truth: Annotated[Path, typer.Argument(metavar="TRUTH", help="A truth file.")],
    out: Annotated[
        str,
        typer.Argument(
            metavar="OUT", help="What is written: .npy, .ivecs, .ibin, .hdf5, .parquet, .json; or the word postgres."
        ),
    ],
    *,
    by: Called = By.ID,
    corpus: Annotated[
        Path | None, typer.Option("--corpus", metavar="FILE", help="For --by row where the corpus has ids of its own.")
    ] = None,
    ids: Ids = None,
    table: TableName = None,
    model: Model = None,
    snapshot: Snapshot = None,
    dsn_file: DsnFile = None,
) -> None:
    """Write the neighbours of a truth in a format that other tools read, or into a table of PostgreSQL."""
    from truerecall.steps.corpora import open_corpus
    from truerecall.steps.export_truth import export_truth
    from truerecall.store.lists import write_lists
    from truerecall.store.truths import load_truth

    to_table = names_table(out, {"--table": table, "--model": model, "--snapshot": snapshot, "--dsn-file": dsn_file})
    given = load_truth(truth)
    searched = None if corpus is None else open_corpus(corpus, ids=ids)
    if to_table:
        export_table(given, table, dsn_file, model=model, snapshot=snapshot, by_row=by is By.ROW, corpus=searched)
    else:
        write_lists(Path(out), export_truth(given, by_row=by is By.ROW, corpus=searched))
        say(f"wrote {out}")
