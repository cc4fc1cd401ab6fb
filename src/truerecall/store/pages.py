"""Text files that a person or a program asked for: pages, Markdown, JSON."""

from __future__ import annotations

from pathlib import Path

from truerecall.errors import InputError
from truerecall.store.places import demand_file_place, is_text, put_in_place


def demand_page_place(path: Path) -> None:
    """Raises InputError where no page can be written, or where it would replace what is no text, such as vectors."""
    demand_file_place(path)
    if path.exists() and not is_text(path):
        raise InputError(f"{path} is no text and would be replaced", "name another file")


def write_page(path: Path, text: str) -> None:
    """Write the text in one step: a page that is there is whole. Folders are made; see ``demand_page_place``."""
    demand_page_place(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with put_in_place(path) as partial:
        partial.write_text(text if text.endswith("\n") else text + "\n", encoding="utf-8", errors="backslashreplace")
