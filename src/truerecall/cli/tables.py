"""Plain tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich import box
from rich.table import Table
from rich.text import Text


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """A table of texts as they stand, without Rich's markup; where it is narrow, cells fold and lose nothing."""
    built = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in header:
        built.add_column(name, overflow="fold")
    for row in rows:
        built.add_row(*(Text(cell) for cell in row))
    return built
