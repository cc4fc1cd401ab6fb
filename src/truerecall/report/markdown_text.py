"""Texts and tables in Markdown: whatever a user wrote stands as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

SPECIAL = re.compile(r"([\\`*_\[\]|~])")


def escaped(text: str) -> str:
    """Text that Markdown and HTML leave alone, on one line."""
    plain = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return SPECIAL.sub(r"\\\1", plain)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1) -> str:
    """A table whose first ``left`` columns are set left and the others right; cells are escaped here."""
    lines = [
        "| " + " | ".join(escaped(cell) for cell in head) + " |",
        "|" + "|".join("---" if place < left else "---:" for place in range(len(head))) + "|",
    ]
    lines += ["| " + " | ".join(escaped(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)
