"""``truerecall truth diff``: what differs from one truth to another, and whether ties explain it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from truerecall.cli.options import Json
from truerecall.cli.output import print_json, print_rich, print_text
from truerecall.errors import NotAMeasurement

WORST = 10


def diff(
    first: Annotated[Path, typer.Argument(metavar="TRUTH", help="A truth file.")],
    second: Annotated[Path, typer.Argument(metavar="OTHER", help="The truth file that it is compared with.")],
    *,
    k: Annotated[
        int | None, typer.Option("-k", metavar="K", min=1, help="Compare K neighbours; else as many as both hold.")
    ] = None,
    json: Json = False,
) -> None:
    """Compare two truths query by query: what entered and left, how far distances changed, and whether it is ties.

    Status 0 where they agree, ties aside; 3 where a list differs beyond ties, or they are about different things.
    """
    from truerecall.report.truth_diff_card import HEADER, diff_rows, diff_text, truth_diff_card
    from truerecall.steps.truth_diff import diff_truths
    from truerecall.store.truths import load_truth

    found = diff_truths(load_truth(first), load_truth(second), k=k)
    rows = diff_rows(found, WORST)
    if json:
        print_json(truth_diff_card(found))
    else:
        print_text(diff_text(found))
        if rows:
            from truerecall.cli.tables import table

            print_rich(table(HEADER, rows))
    if not found.agrees:
        about = "are about different things, and " if found.differences else ""
        raise NotAMeasurement(
            f"{first} and {second} {about}differ for {int(found.beyond_ties.sum()):,} of {len(found):,} queries",
            "ask truerecall truth verify which of them is right for your vectors",
        )
