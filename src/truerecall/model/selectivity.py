"""Filters that keep a given share of the rows, whatever these are."""

from __future__ import annotations

import numpy as np

from truerecall.errors import InputError
from truerecall.model.attributes import Column
from truerecall.model.filter import Compared, Filter

PER_CENT = "give per cent between 0 and 100, as 50,10,1"
DRAWN = "drawn_percent"
"""A column that every corpus has: each row's place in a drawn order, from 0 up to but not including 100. A filter on it
keeps rows that have nothing to do with where their vectors lie."""


def drawn_column(rows: int, seed: int) -> Column:
    """The column DRAWN of so many rows."""
    places = np.random.default_rng([seed, rows]).permutation(rows)
    return Column(places * (100 / rows), np.zeros(rows, np.bool_))


def share_filter(percent: float) -> Filter:
    """The filter that keeps so many per cent of the rows. Raises InputError for a share that is none."""
    if not 0 < percent < 100:
        raise InputError(f"no filter keeps {percent:g} % of the rows", PER_CENT)
    return Filter(Compared(DRAWN, "<", int(percent) if percent == int(percent) else percent))


def parse_shares(text: str) -> tuple[float, ...]:
    """``100,50,10%,1``: per cent of all rows; 100, which needs no filter, is left out."""
    shares = []
    for part in text.split(","):
        try:
            shares.append(float(part.strip().removesuffix("%")))
        except ValueError:
            raise InputError(f"{part.strip()!r} is no share", PER_CENT) from None
    return tuple(share for share in shares if share != 100)
