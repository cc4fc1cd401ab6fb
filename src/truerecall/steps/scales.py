"""On which scale somebody else's distances are written, told by holding them against the true ones.

Tools write squared l2, similarities, or lengths of differences of unit vectors under one name. All of these are
functions of our own distance, so one of them must reproduce what a file holds; where none does, the file describes
other vectors, another geometry or other ids.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from truerecall.model.arrays import Booleans, Floats

RELATIVE, OF_LARGEST = 1e-3, 1e-4
"""How far a written distance may be off: float32, perhaps by the expanded square, and few digits."""

Scale = Callable[[Floats], Floats]
SAME: Scale = np.copy
SCALES: dict[str, dict[str, Scale]] = {
    "l2": {"l2": SAME, "squared l2": np.square, "negated l2": np.negative, "negated squared l2": lambda d: -(d**2)},
    "ip": {"-dot": SAME, "dot": np.negative, "1 - dot": lambda d: 1 + d},
    "cosine": {
        "1 - cos": SAME,
        "cos": lambda d: 1 - d,
        "-cos": lambda d: d - 1,
        "sqrt(2 (1 - cos))": lambda d: np.sqrt(2 * np.maximum(d, 0)),
        "2 (1 - cos)": lambda d: 2 * d,
        "(1 - cos) / 2": lambda d: d / 2,
        "the angle": lambda d: np.arccos(np.clip(1 - d, -1, 1)),
        "the angle / pi": lambda d: np.arccos(np.clip(1 - d, -1, 1)) / np.pi,
    },
}


@dataclass(frozen=True, eq=False)
class Fit:
    """The scale on which most of the distances agree, which of them do, and what would have been expected there."""

    scale: str
    agrees: Booleans
    expected: Floats

    @property
    def whole(self) -> bool:
        return bool(self.agrees.all())


def best_fit(distance: str, given: Floats, true: Floats, *, bits: int | None = None) -> Fit:
    """How the ``given`` distances relate to the ``true`` ones of that geometry; ``bits``: of a row, under hamming."""
    scales = dict(SCALES.get(distance, {distance: SAME}))
    if bits is not None:
        scales[f"{distance} / {bits} bits"] = lambda d: d / bits
    fits = []
    for name, scale in scales.items():
        expected = scale(true)
        room = RELATIVE * np.abs(expected) + OF_LARGEST * np.abs(expected).max(initial=0.0)
        fits.append(Fit(name, np.asarray(np.abs(given - expected) <= room), expected))
    return max(fits, key=lambda fit: int(fit.agrees.sum()))
