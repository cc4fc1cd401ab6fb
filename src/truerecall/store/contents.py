"""What a corpus holds, read in one pass: its fingerprint and the digest of every row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from truerecall.kernels.fingerprint import ROW_DIGEST_BYTES, Digests, row_digests
from truerecall.model.arrays import Integers, Vectors
from truerecall.model.ledger import Ledger
from truerecall.model.progress import SILENT, Progress
from truerecall.model.vectors import Corpus, Fingerprint

BLOCK_BYTES = 4 << 20


@dataclass(frozen=True, eq=False)
class Contents:
    """``digests``: one for each row, in the order of rows."""

    fingerprint: Fingerprint
    digests: Digests


def contents_of(
    corpus: Corpus,
    *,
    look: Callable[[int, Vectors], None] = lambda start, block: None,
    progress: Progress = SILENT,
) -> Contents:
    """Read the corpus; ``look`` is called with each block and the number of its first row. Keeps 16 bytes a row."""
    source = corpus.source
    digests = np.empty(source.rows, np.dtype((np.void, ROW_DIGEST_BYTES)))
    progress.start(f"reading {source.name}", source.rows, "rows")
    for start, block in source.blocks(max(1, BLOCK_BYTES // (source.dimensions * source.dtype.itemsize))):
        look(start, block)
        digests[start : start + len(block)] = row_digests(block)
        progress.advance(len(block))
    ledger = Ledger.of_rows(corpus.given_ids, digests)
    return Contents(ledger.fingerprint(source.dimensions, source.dtype.name), digests)


def canonical_order(corpus: Corpus) -> Integers:
    """The row numbers in ascending order of ids: the order that does not hang on how the rows are stored."""
    if corpus.given_ids is None:
        return np.arange(corpus.source.rows)
    return np.argsort(corpus.given_ids, kind="stable")
