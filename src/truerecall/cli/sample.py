"""``truerecall sample``: draw queries from a corpus or a query log, or a smaller corpus."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from truerecall.cli.options import DsnFile, Ids, Json, Seed
from truerecall.cli.output import print_json, print_text, say
from truerecall.cli.progress import shown_progress
from truerecall.cli.values import parse_choice
from truerecall.errors import InputError

if TYPE_CHECKING:
    from truerecall.model.drawing import Allocation, Drawn

TOLERANCE = 0.01


class As(StrEnum):
    """What is drawn."""

    QUERIES = "queries"
    CORPUS = "corpus"


def sample(
    corpus: Annotated[
        Path | None,
        typer.Argument(metavar="CORPUS", help="What is drawn from: a file, a folder of .parquet, or a row selection."),
    ] = None,
    *,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the sample is written (.parquet).")],
    n: Annotated[int | None, typer.Option("-n", "--n", metavar="N", min=1, help="How many are drawn in all.")] = None,
    log: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Draw from these user queries or this query log, not from CORPUS."),
    ] = None,
    drawn_as: Annotated[
        As, typer.Option("--as", help="Draw queries, or a smaller corpus: FILE then stands for its rows.")
    ] = As.QUERIES,
    strata: Annotated[
        str | None,
        typer.Option(
            "--strata", metavar="COLUMN", help="Each value is a stratum: a column of CORPUS, or another FILE::COLUMN."
        ),
    ] = None,
    per_stratum: Annotated[
        str | None,
        typer.Option(
            "--per-stratum",
            metavar="HOW",
            help="So many from each stratum; or with -n in parts: equal (queries) or proportional (a corpus).",
        ),
    ] = None,
    clusters: Annotated[
        int | None,
        typer.Option(
            "--clusters", metavar="N", min=1, help="Strata by k-means; 1 for none. Queries: one for 20, at most 64."
        ),
    ] = None,
    hold_out: Annotated[
        Path | None,
        typer.Option("--hold-out", metavar="FILE", help="Write the corpus without the queries, as a row selection."),
    ] = None,
    dedupe: Annotated[
        bool, typer.Option("--dedupe", help="Rows that equal others, or nearly, count once. Drops are counted.")
    ] = False,
    tolerance: Annotated[
        float | None,
        typer.Option(
            "--tolerance",
            metavar="T",
            help=f"With --dedupe: how near is nearly, as a share of the median distance to the centre ({TOLERANCE}).",
        ),
    ] = None,
    distance: Annotated[
        str, typer.Option("--distance", metavar="NAME", help="Of k-means and --dedupe; cosine leaves lengths aside.")
    ] = "l2",
    seed: Seed = 0,
    ids: Ids = None,
    dsn_file: DsnFile = None,
    json: Json = False,
) -> None:
    """Draw queries, stratum by stratum, and write them with the record of how they were drawn.

    How many a claim needs: truerecall sample size.
    """
    source = _source(corpus, log, drawn_as, hold_out)
    if tolerance is not None and not dedupe:
        raise InputError("--tolerance is given without --dedupe", "add --dedupe")
    _demand_apart(source, out, hold_out)
    from truerecall.model.distance import distance_named
    from truerecall.model.drawing import Dedupe
    from truerecall.report.drawing_card import drawing_text, drawing_warnings
    from truerecall.steps.corpora import open_corpus
    from truerecall.steps.sample import Wish, draw
    from truerecall.steps.save_sample import save_drawn_queries, save_sampled_corpus
    from truerecall.store import query_files, selections
    from truerecall.store.artefact import demand_artefact_place
    from truerecall.store.attributes import read_attribute
    from truerecall.store.live import live_name
    from truerecall.store.vectors import open_log

    geometry = distance_named(distance).name
    count, allocation = _parts(per_stratum, drawn_as)
    once = Dedupe(TOLERANCE if tolerance is None else tolerance, geometry) if dedupe else None
    wish = Wish(n, count, allocation, clusters, once, geometry, seed)
    demand_artefact_place(out, selections.KIND if drawn_as is As.CORPUS else query_files.KIND)
    if hold_out is not None:
        demand_artefact_place(hold_out, selections.KIND)
    if (drawn_as is As.CORPUS or hold_out is not None) and live_name(source) is not None:
        raise InputError(f"a row selection stands for rows of files, and {source} changes", "write it to a file first")
    opened = open_corpus(source, ids=ids, dsn_file=dsn_file) if log is None else open_log(source, ids=ids)
    attribute = None if strata is None else read_attribute(strata, source, opened)
    what = _drawn(drawn_as, log)
    with shown_progress() as progress:
        drawn = draw(opened, wish, attribute=attribute, what=what, progress=progress)
    drawing = drawn.drawing
    if drawn_as is As.CORPUS:
        save_sampled_corpus(drawn, out, source=source, ids=ids)
    else:
        drawing = save_drawn_queries(drawn, opened, out, source=source, ids=ids, hold_out=hold_out)
    say(f"wrote {out}" + ("" if hold_out is None else f" and {hold_out}"))
    for line in drawing_warnings(drawing):
        say(f"warning: {line}")
    if json:
        print_json({"out": str(out), "from": str(source), **drawing.record()})
    else:
        print_text(drawing_text(drawing, str(source)))


def _source(corpus: Path | None, log: Path | None, drawn_as: As, hold_out: Path | None) -> Path:
    """What is drawn from. Raises InputError for flags that contradict each other."""
    if (corpus is None) == (log is None):
        seen = "neither CORPUS nor --from is given" if corpus is None else "CORPUS and --from are both given"
        raise InputError(seen, "name one thing to draw from")
    if drawn_as is As.CORPUS and (log is not None or hold_out is not None):
        flag = "--from" if log is not None else "--hold-out"
        raise InputError(f"--as corpus and {flag} are both given", "draw a corpus first, then queries from it")
    if log is not None and hold_out is not None:
        raise InputError("--from and --hold-out are both given", "user queries are no rows of the corpus")
    source = log or corpus
    assert source is not None
    return source


def _drawn(drawn_as: As, log: Path | None) -> Drawn:
    if drawn_as is As.CORPUS:
        return "sampled corpus"
    return "queries of the corpus" if log is None else "user queries"


def _demand_apart(source: Path, out: Path, hold_out: Path | None) -> None:
    """Raises InputError where one file would take the place of another, or join what is drawn from."""
    if hold_out is not None and hold_out.resolve() == out.resolve():
        raise InputError(f"--out and --hold-out are both {out}", "name two files")
    from truerecall.store.parts import parted
    from truerecall.store.places import demand_outside

    for written in (out, hold_out):
        if written is not None:
            demand_outside(written, source)
        if written is not None and written.resolve() == parted(source)[0].resolve():
            raise InputError(f"{written} is what is drawn from and would be replaced", "name another file")
        if written is not None and written.suffix.lower() != ".parquet":
            raise InputError(f"{written} is to be a Parquet file", "give it a name that ends in .parquet")


def _parts(text: str | None, drawn_as: As) -> tuple[int | None, Allocation]:
    """``--per-stratum``: a count from each stratum, or the allocation of n."""
    from truerecall.model.drawing import ALLOCATIONS

    if text is None:
        return None, "proportional" if drawn_as is As.CORPUS else "equal"
    if text.strip().isdecimal():
        return int(text), "equal"
    return None, parse_choice(text, ALLOCATIONS, option="--per-stratum")
