"""A truth into a table of PostgreSQL, and back.

A table holds lists and a fingerprint, not what was proved about them. So what comes back is held against the vectors
like any other tool's lists, and is ``unproved`` until it is verified.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from truerecall.errors import InputError, NotAMeasurement
from truerecall.model.completeness import demand_complete
from truerecall.model.progress import SILENT, Progress
from truerecall.model.truth import APPROXIMATE, GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.export_truth import export_truth
from truerecall.steps.import_truth import import_truth
from truerecall.store.identities import IdentityCache
from truerecall.store.postgres import Connection, Table
from truerecall.store.truth_table import Edition, TableTruth, editions, read_edition
from truerecall.store.truth_upsert import write_edition
from truerecall.store.truths import truth_artefact

SHOWN = 5


def export_to_table(
    truth: GroundTruth,
    connection: Connection,
    table: Table,
    *,
    model: str,
    snapshot: str,
    by_row: bool = False,
    corpus: Corpus | None = None,
    progress: Progress = SILENT,
) -> bool:
    """Write the truth under its edition in one transaction; returns whether the table had to be made.

    Raises NotAMeasurement for lists that an index made, which a table could not say; StaleTruth where another truth
    stands there; FormatError for lists that end too early. ``by_row`` and ``corpus`` as in ``export_truth``.
    """
    if truth.state == APPROXIMATE:
        raise NotAMeasurement(
            "an index made these lists, and whoever reads the table would take them for the truth",
            "export a truth that was built",
        )
    demand_complete(
        truth.query_ids,
        truth.neighbors.lengths,
        np.minimum(truth.k, truth.eligible),
        name="the truth",
        remedy="build the truth again",
    )
    lists = export_truth(truth, by_row=by_row, corpus=corpus)
    digest = truth_artefact(truth).content_digest
    out = TableTruth(lists, digest, truth.provenance.get("made"))
    return write_edition(connection, table, Edition(model, snapshot, truth.k), out, progress=progress)


def import_from_table(
    connection: Connection,
    table: Table,
    corpus: Corpus,
    queries: QuerySet,
    distance: str,
    *,
    model: str | None = None,
    snapshot: str | None = None,
    k: int | None = None,
    by_row: bool = False,
    approximate: bool = False,
    cache: IdentityCache | None = None,
    progress: Progress = SILENT,
) -> GroundTruth:
    """The truth of an edition in the table: what ``import_truth`` makes of its lists, and raises.

    ``model``, ``snapshot`` and ``k`` may be left out where the table leaves no choice. Every query has to be there,
    with min(k, rows) neighbours.
    """
    edition = chosen_edition(editions(connection, table), str(table), model=model, snapshot=snapshot, k=k)
    there = read_edition(connection, table, edition)
    name = f"{table} ({edition})"
    lengths = np.diff(there.lists.offsets)
    wanted = np.full(len(lengths), min(edition.k, corpus.source.rows), np.int64)
    assert there.lists.query_ids is not None
    demand_complete(
        there.lists.query_ids, lengths, wanted, name=name, remedy="export the whole truth, of all rows of this corpus"
    )
    truth = import_truth(
        there.lists,
        corpus,
        queries,
        distance,
        name=name,
        k=k,
        by_row=by_row,
        approximate=approximate,
        model=edition.model,
        snapshot=edition.snapshot,
        cache=cache,
        progress=progress,
    )
    exported = {"truth_fingerprint": there.fingerprint, "generated_at": there.generated_at}
    return replace(truth, provenance={**truth.provenance, "exported": exported})


def chosen_edition(
    found: Sequence[Edition], table: str, *, model: str | None, snapshot: str | None, k: int | None
) -> Edition:
    """The one edition that the names leave; of one model and snapshot the shallowest that holds ``k``, where it is
    given. Raises InputError where they leave none or several."""
    left = [
        edition
        for edition in found
        if model in (None, edition.model) and snapshot in (None, edition.snapshot) and (k is None or edition.k >= k)
    ]
    if k is not None and len({(edition.model, edition.snapshot) for edition in left}) == 1:
        return min(left, key=lambda edition: edition.k)
    if len(left) != 1:
        shown = "; ".join(map(str, (left or found)[:SHOWN])) + (" and others" if len(left or found) > SHOWN else "")
        problem = f"{len(left)} truths in {table} fit" if left else f"no truth in {table} fits"
        raise InputError(f"{problem}; it holds {shown or 'none'}", "name one with --model, --snapshot and -k")
    return left[0]
