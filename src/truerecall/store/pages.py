"""Text files that a person or a program asked for: pages, Markdown, JSON."""

from __future__ import annotations

from pathlib import Path


def write_page(path: Path, text: str) -> None:
    """Write the text in one step: a page that is there is whole. Folders are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".writing")
    partial.write_text(text if text.endswith("\n") else text + "\n", encoding="utf-8")
    partial.replace(path)
