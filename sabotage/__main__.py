"""``python -m sabotage``: every lie, who caught it, and what was held against its honest twin."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import sabotage.lies
from sabotage.lie import Lie, Program, Seen, Trial, tried
from sabotage.workshop import Workshop

MOST_WARNINGS = 1
"""On all honest twins together, and nothing invalid."""


def all_lies() -> list[Lie]:
    found = sorted(module.name for module in iter_modules(sabotage.lies.__path__))
    return [lie for name in found for lie in import_module(f"sabotage.lies.{name}").LIES]


def honest_twins(trials: list[Trial]) -> dict[object, Trial]:
    """The twins, each once: several lies may share one."""
    return {trial.lie.honest: trial for trial in trials}


def failings(trials: list[Trial]) -> list[str]:
    """What is wrong with the detector, a line each; empty where nothing is."""
    missed = [
        f"{trial.lie.name} was missed: {trial.lie.caught_by} did not fire" for trial in trials if not trial.caught
    ]
    twins = honest_twins(trials).values()
    alarms = [f"{alarm} beside {trial.lie.name}" for trial in twins for alarm in trial.false_alarms]
    heavy = [alarm for alarm in alarms if "(warning)" not in alarm]
    light = [alarm for alarm in alarms if "(warning)" in alarm]
    return missed + heavy + (light if len(light) > MOST_WARNINGS else [])


def tried_all(lies: Iterable[Lie], shop: Workshop) -> Iterator[Trial]:
    known: dict[Program, Seen] = {}
    for lie in lies:
        yield tried(lie, shop, known)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m sabotage", description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000, help="how many of the bundled definitions are searched")
    parser.add_argument("--queries", type=int, default=400, help="how many are asked, at most 500")
    parser.add_argument("--only", metavar="TEXT", default="", help="lies with this in their name")
    given = parser.parse_args()
    lies = [lie for lie in all_lies() if given.only in lie.name]
    with tempfile.TemporaryDirectory() as folder, Progress(console=Console(stderr=True)) as progress:
        shop = Workshop(Path(folder), given.rows, given.queries)
        trials = list(progress.track(tried_all(lies, shop), len(lies), description="lies"))
    console = Console()
    console.print(as_table(trials))
    caught, twins = sum(trial.caught for trial in trials), len(honest_twins(trials))
    console.print(f"{caught} of {len(trials)} lies caught; {twins} honest runs.")
    wrong = failings(trials)
    for line in wrong:
        console.print(line)
    return 1 if wrong else 0


def as_table(trials: Iterable[Trial]) -> Table:
    table = Table("lie", "what is pretended", "who must catch it", "", "false alarms on the honest twin")
    for trial in trials:
        seen = ", ".join(trial.lying.findings) or trial.lying.refused or "nothing"
        said = "caught" if trial.caught else f"missed, seen: {seen}"
        table.add_row(trial.lie.name, trial.lie.told, trial.lie.caught_by, said, ", ".join(trial.false_alarms))
    return table


if __name__ == "__main__":
    sys.exit(main())
