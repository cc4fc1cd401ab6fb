"""Write docs/measures/: a page for each measure on the shelf, from the docstring of its file, and an index.

python tools/measure_pages.py           writes the pages
python tools/measure_pages.py --check   says which are not up to date, status 1 where any is
"""

from __future__ import annotations

import sys
import textwrap
from importlib import import_module
from pathlib import Path
from typing import Any

from truerecall.cli.measures import needs_of
from truerecall.shelf import measures

PAGES = Path(__file__).parents[1] / "docs" / "measures"
SECTIONS = ("Formula", "Edge cases", "Example", "Elsewhere", "Source")
HEADINGS = {"Example": "Example", "Elsewhere": "What other tools compute"}
MADE = "<!-- Made by `make pages` from the docstring of src/truerecall/measures/{name}.py: change that. -->"


def pages() -> dict[str, str]:
    """Every page by the name of its file."""
    names = sorted(measures.names(), key=str.lower)
    return {"README.md": _index(names)} | {f"{name}.md": _page(name) for name in names}


def _page(name: str) -> str:
    head, sections = parts_of(_docstring(name))
    measure = measures.get(name)
    lines = [MADE.format(name=name), "", f"# {_spelling(name, measure)}", "", head, ""]
    facts = ["; ".join(needs_of(measure)), measure.argument]
    lines += [f"{label}: {fact}.  " for label, fact in zip(("Needs", "Argument"), facts, strict=True) if fact]
    for title in SECTIONS:
        lines += ["", f"## {HEADINGS.get(title, title)}", "", *_body(sections[title])]
    return "\n".join(lines).rstrip() + "\n"


def _index(names: list[str]) -> str:
    rows = [f"| [{_spelling(name, measure)}]({name}.md) | {measure.title} | {'; '.join(needs_of(measure))} |"
            for name in names for measure in (measures.get(name),)]  # fmt: skip
    intro = (
        "A measure is written as its name, a depth and perhaps an argument, the same in code, flags, files and table"
        " headers: `recall@10`, `10-recall@100` (or `recall@10/100`), `tolerant_recall@100(1%)` (or, where a shell"
        " would take the brackets, `tolerant_recall@100:1%`)."
    )
    head = ["<!-- Made by `make pages`. -->", "", "# Measures", "", intro, "", "| measure | what it is | needs |"]
    return "\n".join([*head, "|---|---|---|", *rows]) + "\n"


def parts_of(docstring: str) -> tuple[str, dict[str, str]]:
    """The first line, and the text of each section without its indent: all of SECTIONS, in order."""
    head, *rest = docstring.strip().split("\n\n", 1)
    sections: dict[str, list[str]] = {}
    for line in rest[0].splitlines() if rest else []:
        if line and not line.startswith(" "):
            sections[line] = []
        else:
            sections[list(sections)[-1]].append(line)
    if tuple(sections) != SECTIONS:
        raise ValueError(f"{head!r} has the sections {', '.join(sections)}, and not {', '.join(SECTIONS)}")
    return head, {title: textwrap.dedent("\n".join(lines)).strip() for title, lines in sections.items()}


def _body(text: str) -> list[str]:
    """Paragraphs as they stand, examples as code; two backquotes become one."""
    lines = []
    for block in text.split("\n\n"):
        lines += ["```python", block, "```", ""] if block.startswith(">>>") else [block.replace("``", "`"), ""]
    return lines[:-1]


def _docstring(name: str) -> str:
    return import_module(f"{measures.package}.{name}").__doc__ or ""


def _spelling(name: str, measure: Any) -> str:
    head = _docstring(name).split(":")[0]
    if not head.startswith(f"{name}@k"):
        raise ValueError(f"the docstring of {name} does not begin with {name}@k")
    return head


def written(folder: Path, wanted: dict[str, str], *, check: bool) -> int:
    """Write what is not there as it should be, and take away what should not; to ``check`` is only to name it, with
    status 1 where there is any."""
    there = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")} if folder.exists() else {}
    stale = sorted(name for name in {*wanted, *there} if wanted.get(name) != there.get(name))
    if check:
        print("\n".join(stale) or "all pages are up to date")
        return 1 if stale else 0
    folder.mkdir(parents=True, exist_ok=True)
    for name in stale:
        path = folder / name
        if name in wanted:
            path.write_text(wanted[name], encoding="utf-8")
        else:
            path.unlink()
    return 0


def main(arguments: list[str]) -> int:
    return written(PAGES, pages(), check=arguments == ["--check"])


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
