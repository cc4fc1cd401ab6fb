"""Plain tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich import box
from rich.table import Table
from rich.text import Text


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """A table of texts as they stand, without Rich's markup."""
    built = Table(*header, box=box.SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        built.add_row(*(Text(cell) for cell in row))
    return built
