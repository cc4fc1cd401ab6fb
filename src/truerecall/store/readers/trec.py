"""TREC runs: ``query Q0 document rank score tag`` on every line, parted by white space. Ids are as they are spelt."""

from __future__ import annotations

from pathlib import Path

from truerecall.errors import FormatError
from truerecall.model.foreign import ForeignLists
from truerecall.store.attributes.files import text_lines
from truerecall.store.readers._pairs import lists_of_pairs
from truerecall.store.readers._table_answers import ids_and_held, numbers_of, spelt_column

COLUMNS = 6


def trec_answers(path: Path) -> ForeignLists:
    """The answers in a TREC run. Ranks order them; trec_eval goes by the scores, and a run in which both disagree is
    told of."""
    rows = [(number, line.split()) for number, line in enumerate(text_lines(path), 1) if line.strip()]
    if not rows:
        raise FormatError(f"{path} is empty", "write the answers again")
    for number, row in rows:
        if len(row) != COLUMNS:
            raise FormatError(
                f"{path}: line {number} has {len(row)} columns and a TREC run has {COLUMNS}",
                "write: query Q0 document rank score tag; separated values belong in a .csv",
            )
    queries, _, documents, ranks, scores, _ = zip(*(row for _, row in rows), strict=True)
    ids, held = ids_and_held(spelt_column(documents), what=f"{path} column 3")
    return lists_of_pairs(
        ids_and_held(spelt_column(queries), what=f"{path} column 1")[0],
        ids,
        held,
        what=str(path),
        ranks=numbers_of(spelt_column(ranks), what=f"{path} column rank"),
        numbers=numbers_of(spelt_column(scores), what=f"{path} column score"),
        nearer="larger",
    )
