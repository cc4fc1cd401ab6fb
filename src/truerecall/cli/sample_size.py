"""``truerecall sample size``: how many queries a claim needs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from truerecall.cli.options import Json, TruthFile
from truerecall.cli.output import print_json, print_text
from truerecall.errors import InputError

if TYPE_CHECKING:
    from truerecall.steps.sample_size import QueriesNeeded, Spread


def sample_size(
    *,
    half_width: Annotated[
        float | None,
        typer.Option("--half-width", metavar="H", help="The 95 % interval is to be the mean plus or minus H."),
    ] = None,
    detect: Annotated[
        float | None,
        typer.Option("--detect", metavar="D", help="A paired difference of D is to be seen, with 80 % power."),
    ] = None,
    pilot: Annotated[
        list[Path] | None,
        typer.Option("--pilot", metavar="RUN", help="A Run that was measured; with --detect best the two compared."),
    ] = None,
    sd: Annotated[
        float | None,
        typer.Option("--sd", metavar="SD", help="The standard deviation over queries (--detect: of differences)."),
    ] = None,
    truth: TruthFile = None,
    json: Json = False,
) -> None:
    """Say how many queries a claim about recall needs. The query is the sampling unit, not the neighbour."""
    if (half_width is None) == (detect is None):
        raise InputError("--half-width and --detect are one claim each", "give one of the two")
    if (sd is None) == (not pilot):
        raise InputError("how much queries differ is said twice or not at all", "give --sd, or --pilot RUN")
    from truerecall.steps.sample_size import for_half_width, to_detect

    spread = _spread(sd, pilot or [], truth, paired=detect is not None)
    if half_width is not None:
        needed = for_half_width(half_width, spread)
        claim = f"the 95 % interval is the mean ± {half_width:g}"
    else:
        needed = to_detect(detect or 0.0, spread)
        claim = f"a paired difference of {needed.target:g} is seen with 95 % confidence and 80 % power"
    if json:
        print_json(_document(needed, "half_width" if half_width is not None else "detect"))
    else:
        assumed = f"; assumed: {spread.assumed}" if spread.assumed else ""
        print_text(
            f"{needed.queries} queries: {claim}, with a standard deviation of {spread.sd:.4g}"
            f" ({spread.source}){assumed}; n = {needed.formula}"
        )


def _spread(sd: float | None, pilot: list[Path], truth: Path | None, *, paired: bool) -> Spread:
    from truerecall.steps.sample_size import Spread, spread_of, spread_of_differences

    if sd is not None:
        return Spread(sd, "as given by --sd")
    from truerecall.store.measured import behind_one_filter, load_runs, truth_for

    runs = behind_one_filter(load_runs(pilot))
    found = truth_for(runs, pilot, truth)
    return spread_of_differences(runs, found) if paired else spread_of(runs, found)


def _document(needed: QueriesNeeded, claim: str) -> dict[str, object]:
    return {
        "queries": needed.queries,
        claim: needed.target,
        "sd": needed.spread.sd,
        "sd_from": needed.spread.source,
        "assumed": needed.spread.assumed,
        "formula": f"n = {needed.formula}",
    }
