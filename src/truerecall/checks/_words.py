"""Numbers in the words of checks."""

from __future__ import annotations


def below_one(share: float, places: int = 2) -> str:
    """A share with so many decimals, or with as many as it takes not to read as 1 where it is less."""
    if share >= 1:
        return f"{share:.{places}f}"
    return next(text for more in range(places, 18) if float(text := f"{share:.{more}f}") < 1.0)


def below_hundred(share: float) -> str:
    """A share in per cent with two decimals, or with as many as it takes not to read as all where it is less."""
    if share >= 1:
        return f"{100 * share:.2f}"
    return next(text for more in range(2, 16) if float(text := f"{100 * share:.{more}f}") < 100)
