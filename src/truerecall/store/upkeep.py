"""What a truth keeps beside its content, as attachments of its file: the ledgers of both sides, and the slack."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from truerecall.errors import FormatError
from truerecall.kernels.fingerprint import ROW_DIGEST_BYTES, Digests
from truerecall.model.ledger import Ledger
from truerecall.model.truth import GroundTruth, Upkeep
from truerecall.model.vectors import Fingerprint
from truerecall.store.artefact import attached, table_of
from truerecall.store.columns import id_array, ids_from, neighbor_columns, neighbors_from

CORPUS, QUERIES, SLACK = "corpus_ledger", "query_ledger", "slack"


def upkeep_attachments(upkeep: Upkeep) -> dict[str, pa.Buffer]:
    """The upkeep as it is stored: ``id`` (where ids are given) and ``digest`` of every row, and lists of neighbours."""
    return {
        CORPUS: attached(ledger_table(upkeep.corpus)),
        QUERIES: attached(ledger_table(upkeep.queries)),
        SLACK: attached(pa.table(neighbor_columns(upkeep.slack))),
    }


def upkeep_from(attachments: Mapping[str, pa.Buffer], truth: GroundTruth, *, what: str) -> Upkeep | None:
    """The upkeep of a truth, None where it was dropped. Raises FormatError where it is that of another truth."""
    if CORPUS not in attachments:
        return None
    corpus, queries = (ledger_from(table_of(attachments[name]), what=what) for name in (CORPUS, QUERIES))
    for ledger, own in ((corpus, truth.corpus), (queries, truth.queries)):
        _demand_own(ledger, own, what)
    slack = neighbors_from(table_of(attachments[SLACK]), what=what)
    if len(slack) != len(truth):
        raise FormatError(f"{what} holds the slack of {len(slack)} queries and is of {len(truth)}", "build it anew")
    return Upkeep(corpus, queries, slack)


def ledger_table(ledger: Ledger) -> pa.Table:
    """A row for each record of the ledger."""
    columns = {} if ledger.ids is None else {"id": id_array(ledger.ids)}
    return pa.table({**columns, "digest": digest_array(ledger.digests)})


def ledger_from(table: pa.Table, *, what: str) -> Ledger:
    """The inverse of ``ledger_table``."""
    ids = ids_from(table.column("id"), what=what) if "id" in table.column_names else None
    return Ledger(ids, digests_from(table.column("digest")))


def digest_array(digests: Digests) -> pa.Array:
    """Digests as a column."""
    kind = pa.binary(ROW_DIGEST_BYTES)
    return pa.Array.from_buffers(kind, len(digests), [None, pa.py_buffer(np.ascontiguousarray(digests))])


def digests_from(column: pa.ChunkedArray) -> Digests:
    """The inverse of ``digest_array``."""
    kind = np.dtype((np.void, ROW_DIGEST_BYTES))
    parts = [np.frombuffer(part.buffers()[1], kind, len(part), part.offset * kind.itemsize) for part in column.chunks]
    return np.concatenate(parts) if parts else np.empty(0, kind)


def _demand_own(ledger: Ledger, own: Fingerprint, what: str) -> None:
    if ledger.fingerprint(own.dimensions, own.dtype) != own:
        raise FormatError(f"{what} holds the ledger of other vectors than its fingerprint", "build it anew")
