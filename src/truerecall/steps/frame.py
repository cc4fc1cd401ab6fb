"""Vectors as k-means and near duplicates see them: float64, shifted and scaled to the corpus's own middle and spread.

In this frame a tolerance needs no unit, and float32 keeps its digits however far from the origin the rows lie.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerecall.kernels.distances import squared_lengths
from truerecall.model.arrays import Floats, Integers, Vectors
from truerecall.model.source import CorpusSource

SAMPLE_ROWS = 10_000
LARGEST = 1e15
"""What values are clipped to before they become float32, so that no square overflows."""


@dataclass(frozen=True, eq=False)
class Frame:
    """``centre``: the median of each coordinate; ``spread``: the median distance of rows from it. Under cosine the
    rows are normalised first; packed bits are unpacked."""

    source: CorpusSource
    normalised: bool
    centre: Floats
    spread: float

    @classmethod
    def of(cls, source: CorpusSource, rows: Integers, *, normalised: bool) -> Frame:
        """The frame that a sample of rows shows. Medians, so that a few far rows do not make all others alike."""
        raw = cls(source, normalised, np.zeros(1), 1.0)
        sample = raw.take(rows)
        centre = np.median(sample, axis=0)
        lengths = np.sqrt(squared_lengths(sample - centre))
        spread = next((float(value) for value in (np.median(lengths), lengths.mean()) if value > 0), 1.0)
        return cls(source, normalised, centre, spread)

    @property
    def dimensions(self) -> int:
        return self.source.dimensions if self.source.bits is None else self.source.bits

    def take(self, rows: Integers) -> Floats:
        return self.see(self.source.take(rows))

    def see(self, vectors: Vectors) -> Floats:
        """A block of the source in this frame, as an array of its own."""
        if self.source.bits is not None:
            vectors = np.unpackbits(vectors, axis=1, count=self.source.bits)
        seen = vectors.astype(np.float64)
        if self.normalised:
            seen /= np.sqrt(squared_lengths(seen))[:, None]
        return np.asarray((seen - self.centre) / self.spread)


def small(rows: Floats) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Rows of a frame as float32."""
    return rows.clip(-LARGEST, LARGEST).astype(np.float32)
