"""The command line: one file per verb, gathered here."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
import typer.core
import typer.main

import truerecall
from truerecall.cli import (
    check,
    checks,
    compare,
    demo,
    engines,
    inspect,
    measures,
    report,
    run,
    sample,
    sample_size,
    score,
    truth,
)  # fmt: skip
from truerecall.cli.failures import INTERRUPTED, end_with, interrupted
from truerecall.cli.output import print_text, speak_utf8
from truerecall.errors import InputError


class Verbs(typer.core.TyperGroup):
    """A verb may have two words: ``sample size`` stands beside ``sample CORPUS``."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        both = " ".join(args[:2])
        return super().resolve_command(ctx, [both, *args[2:]] if both in self.commands else args)


app = typer.Typer(
    cls=Verbs,
    help="Measures whether a vector index returns the right answers.",
    add_completion=False,
    rich_markup_mode=None,
    epilog="Exit status: 0 good, 1 a stated requirement is not met, 2 unusable input, 3 not a measurement, "
    "70 internal error, 130 interrupted.",
)
app.command()(demo.demo)
app.add_typer(truth.app, name="truth")
app.command("sample size")(sample_size.sample_size)
for verb in (
    sample.sample, inspect.inspect, run.run, score.score, report.report, check.check, compare.compare,
    engines.engines, measures.measures, checks.checks,
):  # fmt: skip
    app.command()(verb)


@app.callback(invoke_without_command=True)
def top(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print_text(f"truerecall {truerecall.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        raise InputError("no verb was named", "try: truerecall demo, or truerecall --help")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb; returns the exit status. ``arguments`` are those of the process where none are given."""
    speak_utf8()
    command = typer.main.get_command(app)
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        status = command.main(given, prog_name="truerecall", standalone_mode=False)
        sys.stdout.flush()
    except BaseException as error:
        return end_with(error)
    # Typer turns an interruption into a status of its own.
    return interrupted() if status == INTERRUPTED else int(status or 0)
