"""``truerecall demo``: the whole job on bundled real vectors.

Definitions from WordNet, embedded by all-MiniLM-L6-v2; see the README beside the vectors.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from truerecall.cli.options import Json
from truerecall.cli.output import print_json, print_rich, print_text
from truerecall.cli.progress import shown_progress

if TYPE_CHECKING:
    from truerecall.model.plan import Plan

WORDNET = Path(__file__).parent / "wordnet"
DISTANCE = "cosine"
K = 10


def demo(
    *,
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where everything is kept.")] = Path("demo"),
    json: Json = False,
) -> None:
    """Measure two indexes over 22,000 dictionary definitions and write a page about them.

    Started again it uses what is there.
    """
    from truerecall.cli.measuring import opened
    from truerecall.steps.measurement import measure

    texts, query_texts = WORDNET / "corpus.parquet", WORDNET / "queries.parquet"
    inputs = opened(
        WORDNET / "corpus.npy",
        WORDNET / "queries.npy",
        ids=texts,
        query_ids=query_texts,
        labels=WORDNET / "labels.parquet",
    )
    with shown_progress() as progress:
        curves, truth = measure(demo_plan(), inputs, out, progress=progress)
    from truerecall.report.document import to_document
    from truerecall.report.html import to_html
    from truerecall.report.summary import summarise
    from truerecall.report.terminal import to_terminal
    from truerecall.store.attributes import read_texts
    from truerecall.store.pages import write_page

    summary = summarise(
        curves,
        truth,
        measure=curves[0].measure,
        corpus_texts=read_texts(texts, kind=truth.corpus.ids),
        query_texts=read_texts(query_texts, kind=truth.queries.ids),
        labels=inputs.labels,
    )
    page = out / "report.html"
    write_page(page, to_html(summary))
    if json:
        print_json(to_document(curves, truth))
        return
    print_rich(to_terminal(summary))
    print_text(f"\nThe page: {page.resolve()}")


def demo_plan() -> Plan:
    """A graph and an inverted file, each swept from careless to thorough."""
    from truerecall.model.plan import EnginePlan, Plan

    return Plan(
        (
            EnginePlan("faiss", {"factory": "HNSW32"}, {"efSearch": (10, 16, 24, 32, 48, 64, 96, 128, 256)}),
            EnginePlan("faiss", {"factory": "IVF256,Flat"}, {"nprobe": (1, 2, 4, 8, 16, 32, 64)}),
        ),
        distance=DISTANCE,
        k=K,
    )
