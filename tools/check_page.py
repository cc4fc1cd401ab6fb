"""Write the table of all checks into docs/check.md, from the files on the shelf.

python tools/check_page.py           writes the table
python tools/check_page.py --check   says whether it is up to date, status 1 where it is not
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from truerecall.model.check import code_of
from truerecall.shelf import checks
from truerecall.steps.check import subject_of

PAGE = Path(__file__).parents[1] / "docs" / "check.md"
BEGIN = "<!-- Made by `make pages` from the docstrings of src/truerecall/checks/: change those. -->\n"
END = "<!-- The end of what is made. -->\n"
ASKED_OF = {
    "curve": "a curve",
    "curves": "all curves together",
    "corpus_shape": "the vectors",
    "query_shape": "the vectors",
    "comparison": "two sides (`compare`)",
    "sides": "two sides (`compare`)",
    "returned": "answers from elsewhere (`score`)",
    "reported": "answers from elsewhere (`score`)",
}
POINT = "a point, over all its passes"


def table() -> str:
    """A row for each check: its code, the question that it asks, and of what."""
    rows = [f"| `{code_of(name)}` | {question_of(name)} | {ASKED_OF.get(subject_of(checks.get(name)), POINT)} |"
            for name in checks.names()]  # fmt: skip
    return "\n".join(["| check | what it asks | of what |", "|---|---|---|", *rows]) + "\n"


def question_of(name: str) -> str:
    """The first sentence of the docstring of a check's file, which is a question. Raises ValueError for another."""
    head = " ".join((import_module(f"{checks.package}.{name}").__doc__ or "").split("\n\n")[0].split())
    question, mark, _ = head.partition("?")
    if not mark:
        raise ValueError(f"the docstring of {name} does not begin with a question")
    return f"{question}?"


def made(page: str) -> str:
    """The page with the table of now. Raises ValueError where it has no place for one."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("docs/check.md has no place for the table")
    return f"{before}{begin}{table()}{end}{after}"


def main(arguments: list[str]) -> int:
    page = PAGE.read_text(encoding="utf-8")
    wanted = made(page)
    if arguments == ["--check"]:
        print("the table is up to date" if wanted == page else "docs/check.md is not up to date")
        return int(wanted != page)
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
