"""``truerecall truth``: build the ground truth, and look at one; the other verbs of truths are beside."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from truerecall.cli.options import (
    Allowed,
    AttributesFile,
    Depth,
    DistanceName,
    DsnFile,
    ExcludeSelf,
    Ids,
    Json,
    Memory,
    Model,
    NotFinite,
    QueriesFile,
    QueryIds,
    Rehash,
    Rows,
    Slack,
    Snapshot,
    Where,
    ZeroVectors,
)
from truerecall.cli.output import say
from truerecall.cli.progress import shown_progress
from truerecall.cli.truth_card import show_truth
from truerecall.cli.truth_diff import diff
from truerecall.cli.truth_files import export_file, import_file
from truerecall.cli.truth_refresh import refresh
from truerecall.cli.truth_verify import verify
from truerecall.cli.values import parse_choice, parse_policies
from truerecall.errors import InputError
from truerecall.model.amounts import parse_size

app = typer.Typer(
    help="Exact neighbours: build, look at, verify, refresh and compare them, exchange them with other tools.",
    rich_markup_mode=None,
    no_args_is_help=False,
)


@app.command()
def build(
    corpus: Annotated[
        Path,
        typer.Argument(
            metavar="CORPUS",
            help="The vectors that are searched: a file, folder of .parquet, row selection, or ENGINE:NAME.",
        ),
    ],
    *,
    queries: QueriesFile,
    distance: DistanceName,
    k: Depth,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the truth is written (truth.parquet).")],
    ids: Ids = None,
    dsn_file: DsnFile = None,
    query_ids: QueryIds = None,
    rows: Rows = None,
    where: Where = None,
    attributes: AttributesFile = None,
    allowed: Allowed = None,
    exclude_self: ExcludeSelf = None,
    zero_vectors: ZeroVectors = "refuse",
    not_finite: NotFinite = "refuse",
    memory: Memory = None,
    model: Model = None,
    snapshot: Snapshot = None,
    slack: Slack = None,
    no_ledger: Annotated[
        bool, typer.Option("--no-ledger", help="Keep no digests of rows: a change is then refused without counts.")
    ] = False,
    rehash: Rehash = False,
    json: Json = False,
) -> None:
    """Find the exact neighbours of every query, ordered by float64 distances, and write them to one file."""
    memory_bytes = None if memory is None else parse_size(memory)
    if no_ledger and slack is not None:
        raise InputError("--slack and --no-ledger are both given", "slack serves a refresh, which needs the ledger")
    from truerecall.cli.choice import chosen_rows
    from truerecall.model.distance import distance_named
    from truerecall.model.vectors import demand_fit
    from truerecall.steps.choice import EXCLUDE_SELF, eligibility_of
    from truerecall.steps.corpora import open_corpus
    from truerecall.steps.identify import identify
    from truerecall.steps.truth import build_truth
    from truerecall.store.artefact import demand_artefact_place
    from truerecall.store.attributes import read_allowed
    from truerecall.store.identities import IdentityCache
    from truerecall.store.places import demand_outside
    from truerecall.store.scan_journal import ScanJournal
    from truerecall.store.truths import KIND, save_truth
    from truerecall.store.vectors import open_queries

    geometry = distance_named(distance)
    policies = parse_policies(zero_vectors, not_finite)
    own = None if exclude_self is None else parse_choice(exclude_self, EXCLUDE_SELF, option="--exclude-self")
    demand_outside(out, corpus, queries)
    demand_artefact_place(out, KIND)
    searched = open_corpus(corpus, ids=ids, attributes=attributes, dsn_file=dsn_file)
    asked = open_queries(queries, ids=query_ids)
    demand_fit(searched, asked, k)
    mask = chosen_rows(searched, rows, where)
    lists = None if allowed is None else read_allowed(allowed, searched, asked)
    journal = ScanJournal.beside(out)
    with shown_progress() as progress:
        sides = identify(
            searched,
            asked,
            geometry,
            policies=policies,
            keep="nothing" if no_ledger else "ledger",
            cache=IdentityCache.of_user("renew" if rehash else "use"),
            progress=progress,
        )
        chosen = eligibility_of(searched, asked, sides.copies, rows=mask, allowed=lists, exclude_self=own)
        truth = build_truth(
            searched,
            asked,
            geometry.name,
            k,
            identities=sides,
            eligibility=chosen,
            model=model,
            snapshot=snapshot,
            slack=slack,
            memory_bytes=memory_bytes,
            journal=journal,
            progress=progress,
        )
    save_truth(truth, out)
    journal.forget()
    del truth  # it is read again, and two would not fit where one does
    say(f"wrote {out}")
    show_truth(out, json=json)


@app.command()
def show(
    truth: Annotated[Path, typer.Argument(metavar="TRUTH", help="A truth file.")],
    *,
    json: Json = False,
) -> None:
    """Print the identity card of a truth: what it was made from, and the digest of its content."""
    show_truth(truth, json=json)


app.command()(verify)
app.command()(refresh)
app.command()(diff)
app.command("import")(import_file)
app.command("export")(export_file)
