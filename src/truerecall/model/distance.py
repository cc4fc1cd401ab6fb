"""The geometries, and what each of them demands.

A distance here is always *nearer is smaller*: l2 is the unsquared Euclidean distance, ip is minus the dot product,
cosine is one minus the cosine, l1 the sum of absolute differences, hamming the number of bits that differ. The tie
band is the width within which two rows count as equally far from a query;
it hangs on the distance of the row at the cut alone, so that near ties never chain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerecall.errors import UnknownName, plain_name
from truerecall.model.arrays import Floats

RELATIVE_BAND = 1e-6


@dataclass(frozen=True)
class Distance:
    """A geometry.

    ``zero_vectors_defined``: whether a vector of zeros has a distance to others (it has no direction, so under
    cosine it has none).
    """

    name: str
    formula: str
    zero_vectors_defined: bool

    def tie_band(self, at_cut: Floats, *, integral: bool) -> Floats:
        """How far from the distance ``at_cut`` another row may lie and still count as tied with it.

        Zero for integer vectors, whose l2 and ip values are compared exactly.
        """
        if self.name == "cosine":
            return np.full_like(at_cut, RELATIVE_BAND)
        return np.zeros_like(at_cut) if integral else RELATIVE_BAND * np.abs(at_cut)


DISTANCES: dict[str, Distance] = {
    d.name: d
    for d in (
        Distance("l2", "sqrt(sum((x - q)^2))", zero_vectors_defined=True),
        Distance("ip", "-sum(x q)", zero_vectors_defined=True),
        Distance("cosine", "1 - sum(x q) / (|x| |q|)", zero_vectors_defined=False),
        Distance("l1", "sum(|x - q|)", zero_vectors_defined=True),
        Distance("hamming", "count(x xor q)", zero_vectors_defined=True),
    )
}


def distance_named(name: str) -> Distance:
    """The distance of that name. Raises UnknownName with a suggestion."""
    try:
        return DISTANCES[plain_name(name)]
    except KeyError:
        raise UnknownName("distance", name, DISTANCES) from None
