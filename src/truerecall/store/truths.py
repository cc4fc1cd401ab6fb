"""Ground truth on disk: one Parquet file, a row per query."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa

from truerecall.errors import FormatError
from truerecall.model.completeness import demand_complete
from truerecall.model.truth import NORMALISATION, Card, GroundTruth
from truerecall.model.vectors import Fingerprint
from truerecall.store.artefact import Artefact, read_artefact, write_artefact
from truerecall.store.columns import id_array, ids_from, neighbor_columns, neighbors_from
from truerecall.store.upkeep import upkeep_attachments, upkeep_from

KIND = "truth"
FORMAT = 2
"""1: query_id, neighbor_ids, distances, and the counts eligible, nearer, tied, copies; in the content the reasons why
rows or queries were left out.
2: in the content the card (model, snapshot, drawing, drawn_from) and the normalisation; the upkeep as attachments.
A file of format 1 is read as a truth without card and upkeep."""

COUNTS = ("eligible", "nearer", "tied", "copies")


def save_truth(truth: GroundTruth, path: Path | str) -> None:
    """Write the truth in one step; a file that was there is replaced."""
    artefact = truth_artefact(truth)
    attachments = {} if truth.upkeep is None else upkeep_attachments(truth.upkeep)
    write_artefact(Path(path), replace(artefact, attachments=attachments))


def load_truth(path: Path | str, *, upkeep: Literal["read", "skip"] = "read") -> GroundTruth:
    """The truth at ``path``, its checksum verified. Raises InputError or FormatError.

    Who wants to know the neighbours alone may ``skip`` the upkeep; the truth is then as one that keeps none. A list
    that is short without a reason is a truncated pass and is refused.
    """
    path = Path(path)
    artefact = read_artefact(path, KIND, FORMAT)
    content, table = artefact.content, artefact.table
    truth = GroundTruth(
        distance=content["distance"],
        k=content["k"],
        state=content["state"],
        corpus=Fingerprint(**content["corpus"]),
        queries=Fingerprint(**content["queries"]),
        query_ids=ids_from(table.column("query_id"), what=str(path)),
        neighbors=neighbors_from(table, what=str(path)),
        **{name: table.column(name).to_numpy().astype(np.int64) for name in COUNTS},
        reasons=content["reasons"],
        provenance=artefact.provenance,
        card=Card(**content.get("card", {})),
    )
    _refuse_truncated(truth, path)
    return (
        truth if upkeep == "skip" else replace(truth, upkeep=upkeep_from(artefact.attachments, truth, what=str(path)))
    )


def truth_artefact(truth: GroundTruth) -> Artefact:
    """The truth as it is stored, without its upkeep, which is no part of what it says."""
    columns = {"query_id": id_array(truth.query_ids), **neighbor_columns(truth.neighbors)}
    columns |= {name: pa.array(getattr(truth, name)) for name in COUNTS}
    content = {
        "distance": truth.distance,
        "k": truth.k,
        "state": truth.state,
        "corpus": asdict(truth.corpus),
        "queries": asdict(truth.queries),
        "reasons": dict(truth.reasons),
        "card": asdict(truth.card),
        "normalisation": NORMALISATION,
    }
    return Artefact(KIND, FORMAT, pa.table(columns), content, truth.provenance)


@lru_cache(maxsize=1)
def content_digest(truth: GroundTruth) -> str:
    """The digest of what the truth says, as ``truth show`` prints it; kept for the truth that was asked about last."""
    return truth_artefact(truth).content_digest


def _refuse_truncated(truth: GroundTruth, path: Path) -> None:
    wanted = np.minimum(truth.k, truth.eligible)
    demand_complete(truth.query_ids, truth.neighbors.lengths, wanted, name=str(path), remedy="build the truth again")
    unexplained = int((truth.eligible != truth.corpus.rows).sum())
    if unexplained and not truth.reasons:
        problem = (
            f"{path} is the outcome of a truncated pass: for {unexplained} of {len(truth)} queries not every one of"
            f" {truth.corpus.rows:,} rows was eligible, and it gives no reason"
        )
        raise FormatError(problem, "build the truth again")
