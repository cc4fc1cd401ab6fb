"""Is a corpus that nothing holds still the same after a long look at it as it was before?"""

from __future__ import annotations

import numpy as np

from truerecall.errors import EngineFailed
from truerecall.kernels.fingerprint import ROW_DIGEST_BYTES, row_digests
from truerecall.model.ledger import Ledger
from truerecall.model.progress import Progress
from truerecall.model.vectors import Corpus, Fingerprint
from truerecall.steps.identify import BLOCK_BYTES


def demand_unmoved(corpus: Corpus, before: Fingerprint, progress: Progress) -> None:
    """Read a corpus without a snapshot once more. Raises EngineFailed where it is not what it was ``before``. One that
    has a snapshot, or lies in files, is not read."""
    if not corpus.moving:
        return
    source = corpus.source
    digests = np.empty(source.rows, np.dtype((np.void, ROW_DIGEST_BYTES)))
    progress.start(f"reading {source.name} once more", source.rows, "rows")
    for start, block in source.blocks(max(1, BLOCK_BYTES // (source.dimensions * source.dtype.itemsize))):
        digests[start : start + len(block)] = row_digests(block)
        progress.advance(len(block))
    if Ledger.of_rows(corpus.given_ids, digests).fingerprint(source.dimensions, source.dtype.name) != before:
        raise EngineFailed(
            f"vectors of {source.name} changed while the truth was made", "let nobody write meanwhile, and start again"
        )
