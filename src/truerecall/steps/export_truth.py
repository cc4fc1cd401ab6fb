"""A truth as neighbour lists for other tools: by id, or by row number of the corpus."""

from __future__ import annotations

from truerecall.errors import InputError, StaleTruth
from truerecall.model.foreign import ForeignLists
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus


def export_truth(truth: GroundTruth, *, by_row: bool = False, corpus: Corpus | None = None) -> ForeignLists:
    """The lists of the truth. ``by_row``: neighbours are row numbers, which a truth whose corpus has ids of its own
    only knows from the ``corpus``.

    Raises InputError where that is not given, StaleTruth where it is another one.
    """
    ids = truth.neighbors.ids
    if by_row and truth.corpus.ids != "row":
        if corpus is None:
            raise InputError("the truth names neighbours by id and not by row", "add --corpus (and --ids), or --by id")
        ids = rows_of(ids, corpus.ids)
        if corpus.source.rows != truth.corpus.rows or bool((ids == NO_ROW).any()):
            raise StaleTruth(
                f"{corpus.source.name} is not the corpus of this truth: {corpus.source.rows} rows, not"
                f" {truth.corpus.rows}, and {int((ids == NO_ROW).sum())} neighbours that it does not have",
                "give the corpus that the truth was made from",
            )
    return ForeignLists(ids, truth.neighbors.offsets, truth.neighbors.distances, truth.query_ids, truth.distance)
