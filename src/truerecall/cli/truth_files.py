"""``truerecall truth import`` and ``truth export``: truths from and for other tools."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from truerecall.cli.options import (
    CorpusFile,
    DistanceName,
    Ids,
    Json,
    Model,
    QueriesFile,
    QueryIds,
    Rehash,
    Snapshot,
)
from truerecall.cli.output import say
from truerecall.cli.progress import shown_progress
from truerecall.cli.truth_card import show_truth


class By(StrEnum):
    """What neighbours are called by."""

    ID = "id"
    ROW = "row"


Called = Annotated[By, typer.Option("--by", help="Neighbours are ids of the corpus, or its row numbers.")]


def import_file(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Neighbours: .npy, .ivecs, .ibin, .knn, .hdf5, .parquet, .arrow or .json."),
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
    model: Model = None,
    snapshot: Snapshot = None,
    rehash: Rehash = False,
    json: Json = False,
) -> None:
    """Take the neighbours in another tool's file as a truth, unproved until it is verified.

    Distances are recomputed from the vectors; a file that does not fit them is refused.
    """
    from truerecall.model.distance import distance_named
    from truerecall.steps.import_truth import import_truth
    from truerecall.store.identities import IdentityCache
    from truerecall.store.lists import read_lists
    from truerecall.store.truths import save_truth
    from truerecall.store.vectors import open_corpus, open_queries

    name = distance_named(distance).name
    searched, asked = open_corpus(corpus, ids=ids), open_queries(queries, ids=query_ids)
    lists = read_lists(file)
    with shown_progress() as progress:
        truth = import_truth(
            lists, searched, asked, name,
            name=str(file), k=k, by_row=by is By.ROW, approximate=approximate, model=model, snapshot=snapshot,
            cache=IdentityCache.of_user("renew" if rehash else "use"), progress=progress,
        )  # fmt: skip
    save_truth(truth, out)
    say(f"wrote {out}")
    show_truth(out, json=json)


def export_file(
    truth: Annotated[Path, typer.Argument(metavar="TRUTH", help="A truth file.")],
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="What is written: .npy, .ivecs, .ibin, .hdf5, .parquet or .json.")
    ],
    *,
    by: Called = By.ID,
    corpus: Annotated[
        Path | None, typer.Option("--corpus", metavar="FILE", help="For --by row where the corpus has ids of its own.")
    ] = None,
    ids: Ids = None,
) -> None:
    """Write the neighbours of a truth in a format that other tools read."""
    from truerecall.steps.export_truth import export_truth
    from truerecall.store.lists import write_lists
    from truerecall.store.truths import load_truth
    from truerecall.store.vectors import open_corpus

    searched = None if corpus is None else open_corpus(corpus, ids=ids)
    write_lists(out, export_truth(load_truth(truth), by_row=by is By.ROW, corpus=searched))
    say(f"wrote {out}")
