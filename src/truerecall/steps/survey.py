"""Read all vectors once: what is unusable, what is equal, how long rows are, and which dimensions never change."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerecall.kernels.distances import LARGEST_VALUE, squared_lengths
from truerecall.kernels.equal_rows import group_sizes
from truerecall.kernels.fingerprint import ROW_DIGEST_BYTES, row_digests
from truerecall.model.arrays import Booleans, Floats, Integers, Vectors
from truerecall.model.distance import Distance
from truerecall.model.progress import SILENT, Progress
from truerecall.model.shape import Duplicates, Faults
from truerecall.model.source import CorpusSource
from truerecall.model.vectors import QuerySet
from truerecall.steps.copies import Matches
from truerecall.steps.identify import HAMMING
from truerecall.steps.unusable import NAMED_ROWS, SHORTEST_SQUARE

BLOCK_BYTES = 4 << 20
BLOCK_ROWS = 1 << 14
NAN, INFINITY, TOO_LARGE, ZEROS = "NaN", "infinity", "values too large", "zeros"


@dataclass(frozen=True, eq=False)
class Survey:
    """``usable``: True for each row that the distance is defined for. ``lengths``: of all rows, NaN where unusable;
    None for bits. ``copies``: for each query asked about, how many usable rows have its values."""

    faults: Faults
    usable: Booleans
    duplicates: Duplicates
    lengths: Floats | None
    constant: tuple[int, ...]
    copies: Integers


def survey(
    source: CorpusSource, distance: Distance, queries: QuerySet | None = None, progress: Progress = SILENT
) -> Survey:
    """One pass in blocks. What is kept of a row is 16 bytes for its digest and 8 for its length."""
    faults = _FaultsFound(distance)
    usable = np.ones(source.rows, np.bool_)
    digests = np.empty(source.rows, np.dtype((np.void, ROW_DIGEST_BYTES)))
    bits = bits_of(source, distance)
    lengths = None if bits is not None else np.full(source.rows, np.nan)
    changing = _Changing(bits)
    matches = None if queries is None else Matches(queries, source.dtype)
    progress.start(f"looking at {source.name}", source.rows, "rows")
    row_bytes = max(1, source.dimensions * source.dtype.itemsize)
    for start, block in source.blocks(max(1, min(BLOCK_ROWS, BLOCK_BYTES // row_bytes))):
        part = slice(start, start + len(block))
        squares, usable[part] = faults.look(start, block)
        digests[part] = row_digests(block)
        if lengths is not None:
            lengths[part] = np.sqrt(squares, where=usable[part], out=np.full(len(block), np.nan))
        changing.look(block if usable[part].all() else block[usable[part]])
        if matches is not None:
            matches.look(start, digests[part])
        progress.advance(len(block))
    copies = np.empty(0, np.int64)
    if matches is not None and queries is not None:
        found = matches.copies()
        copies = np.array([int(usable[found.of(query)].sum()) for query in range(len(queries))], np.int64)
    duplicates = Duplicates(int(usable.sum()), group_sizes(digests[usable]))
    return Survey(faults.found(source.rows), usable, duplicates, lengths, changing.constant(), copies)


def bits_of(source: CorpusSource | QuerySet, distance: Distance) -> int | None:
    """How many bits a row has, None where rows are numbers."""
    if distance.name != HAMMING:
        return None
    return source.bits if source.bits is not None else 8 * source.dimensions


class _FaultsFound:
    def __init__(self, distance: Distance) -> None:
        self._zeros_defined = distance.zero_vectors_defined
        self._bits = distance.name == HAMMING
        self._counts: dict[str, int] = {}
        self._first: dict[str, list[int]] = {}

    def look(self, start: int, block: Vectors) -> tuple[Floats, Booleans]:
        """The squared length of each row of a block (0 where it is unusable), and whether it is usable."""
        if self._bits:
            return np.zeros(len(block)), np.ones(len(block), np.bool_)
        good = np.ones(len(block), np.bool_)
        if block.dtype.kind not in "iub":
            finite = np.isfinite(block).all(axis=1)
            nan = ~finite & np.isnan(block).any(axis=1)
            large = np.zeros(len(block), np.bool_)
            if block.dtype.itemsize > 4:  # narrower ones hold no such values
                large[finite] = (np.abs(block[finite]) > LARGEST_VALUE).any(axis=1)
            for kind, hit in ((NAN, nan), (INFINITY, ~finite & ~nan), (TOO_LARGE, large)):
                self._add(kind, start, np.asarray(hit))
            good = finite & ~large
        squares = np.zeros(len(block))
        squares[good] = squared_lengths(block if good.all() else block[good])
        zeros = good & (squares < SHORTEST_SQUARE)
        self._add(ZEROS, start, zeros)
        return squares, good if self._zeros_defined else good & ~zeros

    def found(self, n: int) -> Faults:
        first = {kind: tuple(rows) for kind, rows in self._first.items()}
        return Faults(n, self._counts, first, zeros_undefined=not self._zeros_defined)

    def _add(self, kind: str, start: int, hit: Booleans) -> None:
        places = np.flatnonzero(hit)
        if len(places):
            self._counts[kind] = self._counts.get(kind, 0) + len(places)
            first = self._first.setdefault(kind, [])
            first += (start + places[: NAMED_ROWS - len(first)]).tolist()


class _Changing:
    """Collects the least and the greatest value of each dimension, or the bits that were ever set and ever not."""

    def __init__(self, bits: int | None) -> None:
        self._bits = bits
        self._low: Vectors | None = None
        self._high: Vectors | None = None

    def look(self, block: Vectors) -> None:
        if not len(block):
            return
        least, most = (np.minimum, np.maximum) if self._bits is None else (np.bitwise_and, np.bitwise_or)
        low, high = least.reduce(block, axis=0), most.reduce(block, axis=0)
        self._low = low if self._low is None else least(self._low, low)
        self._high = high if self._high is None else most(self._high, high)

    def constant(self) -> tuple[int, ...]:
        if self._low is None or self._high is None:
            return ()
        if self._bits is None:
            return tuple(np.flatnonzero(self._low == self._high).tolist())
        moving = np.unpackbits(np.bitwise_xor(self._low, self._high).view(np.uint8))[: self._bits]
        return tuple(np.flatnonzero(moving == 0).tolist())
