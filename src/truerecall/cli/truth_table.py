"""The word ``postgres`` in place of a file: ``truth export`` into a table, and ``truth import`` from one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from truerecall.cli.output import say
from truerecall.cli.progress import shown_progress
from truerecall.errors import InputError
from truerecall.model.progress import Progress

if TYPE_CHECKING:
    from truerecall.model.truth import GroundTruth
    from truerecall.model.vectors import Corpus, QuerySet
    from truerecall.store.identities import IdentityCache

POSTGRES = "postgres"
TABLE = "recall_ground_truth"


def names_table(place: str, flags: Mapping[str, object]) -> bool:
    """Whether a table is meant and not a file; ``./postgres`` is one. Raises InputError for flags of a table that are
    given with a file."""
    given = [flag for flag, value in flags.items() if value is not None]
    if place != POSTGRES and given:
        raise InputError(
            f"{given[0]} is given with the file {place}", f"write {POSTGRES} in its place, or leave it out"
        )
    return place == POSTGRES


def export_table(
    truth: GroundTruth,
    table: str | None,
    dsn_file: Path | None,
    *,
    model: str | None,
    snapshot: str | None,
    by_row: bool,
    corpus: Corpus | None,
) -> None:
    from truerecall.model.truth import PROVED
    from truerecall.steps.truth_table import export_to_table
    from truerecall.store.postgres import Table, connected

    model, snapshot = model or truth.card.model, snapshot or truth.card.snapshot
    if not model or not snapshot:
        raise InputError(
            f"a table names each truth by the embedding model and the snapshot of the corpus, and the"
            f" {'snapshot' if model else 'model'} is not known",
            "add --model NAME and --snapshot NAME",
        )
    place = Table(TABLE if table is None else table)
    with connected(dsn_file) as connection, shown_progress() as progress:
        made = export_to_table(
            truth,
            connection,
            place,
            model=model,
            snapshot=snapshot,
            by_row=by_row,
            corpus=corpus,
            progress=progress,
        )
    if truth.state != PROVED:
        say(f"the truth is {truth.state}, and the table does not say so")
    say(f"wrote {len(truth):,} rows to {'the new table ' if made else ''}{place}")


def import_table(
    table: str | None,
    dsn_file: Path | None,
    corpus: Corpus,
    queries: QuerySet,
    distance: str,
    *,
    model: str | None,
    snapshot: str | None,
    k: int | None,
    by_row: bool,
    approximate: bool,
    cache: IdentityCache,
    progress: Progress,
) -> GroundTruth:
    from truerecall.steps.truth_table import import_from_table
    from truerecall.store.postgres import Table, connected

    with connected(dsn_file) as connection:
        return import_from_table(
            connection,
            Table(TABLE if table is None else table),
            corpus,
            queries,
            distance,
            model=model,
            snapshot=snapshot,
            k=k,
            by_row=by_row,
            approximate=approximate,
            cache=cache,
            progress=progress,
        )
