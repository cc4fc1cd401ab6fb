"""``truerecall truth``: build the ground truth, and look at one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from truerecall.cli.options import Depth, DistanceName, Ids, Json, Memory, QueriesFile, QueryIds
from truerecall.cli.output import print_json, print_text, say
from truerecall.cli.progress import shown_progress
from truerecall.cli.values import parse_size

app = typer.Typer(help="Exact neighbours: build them, look at them.", rich_markup_mode=None, no_args_is_help=False)


@app.command()
def build(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="The vectors that are searched (.npy).")],
    *,
    queries: QueriesFile,
    distance: DistanceName,
    k: Depth,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the truth is written (truth.parquet).")],
    ids: Ids = None,
    query_ids: QueryIds = None,
    memory: Memory = None,
    json: Json = False,
) -> None:
    """Find the exact neighbours of every query, ordered by float64 distances, and write them to one file."""
    memory_bytes = None if memory is None else parse_size(memory)
    from truerecall.model.distance import distance_named
    from truerecall.steps.truth import build_truth
    from truerecall.store.artefact import demand_artefact_place
    from truerecall.store.scan_journal import ScanJournal
    from truerecall.store.truths import KIND, save_truth
    from truerecall.store.vectors import open_corpus, open_queries

    name = distance_named(distance).name
    demand_artefact_place(out, KIND)
    searched, asked = open_corpus(corpus, ids=ids), open_queries(queries, ids=query_ids)
    journal = ScanJournal.beside(out)
    with shown_progress() as progress:
        truth = build_truth(searched, asked, name, k, memory_bytes=memory_bytes, journal=journal, progress=progress)
    save_truth(truth, out)
    journal.forget()
    say(f"wrote {out}")
    _show(out, json=json)


@app.command()
def show(
    truth: Annotated[Path, typer.Argument(metavar="TRUTH", help="A truth file.")],
    *,
    json: Json = False,
) -> None:
    """Print what a truth was made from, and the digest of its content."""
    _show(truth, json=json)


def _show(path: Path, *, json: bool) -> None:
    from truerecall.report.truth_card import truth_card
    from truerecall.store.truths import load_truth, truth_artefact

    truth = load_truth(path)
    card = truth_card(truth, truth_artefact(truth).content_digest)
    if json:
        print_json(card)
    else:
        facts = list(_facts(card))
        width = max(len(name) for name, _ in facts)
        print_text("\n".join(f"{name:<{width}}  {value}" for name, value in facts))


def _facts(card: dict[str, Any], outer: str = "") -> Iterator[tuple[str, Any]]:
    """The facts of a card one by one; those of an inner card are called ``outer.inner``."""
    for name, value in card.items():
        if isinstance(value, dict):
            yield from _facts(value, f"{outer}{name}.")
        else:
            yield outer + name, value
