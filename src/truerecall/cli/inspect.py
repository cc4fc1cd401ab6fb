"""``truerecall inspect``: the shape of vectors, before anything is measured on them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from truerecall.cli.options import DsnFile, Ids, Json, Memory, QueryIds, Seed
from truerecall.cli.output import json_text, print_json, print_rich, say
from truerecall.cli.progress import shown_progress
from truerecall.errors import UnknownName
from truerecall.model.amounts import parse_size

if TYPE_CHECKING:
    from truerecall.model.shape import Inspection

FORMATS = ("html", "md", "json")


def inspect(
    corpus: Annotated[
        Path, typer.Argument(metavar="CORPUS", help="The vectors: a file, or a folder of .parquet files.")
    ],
    *,
    queries: Annotated[
        Path | None, typer.Option("--queries", metavar="FILE", help="The vectors that search, to look at them too.")
    ] = None,
    distance: Annotated[
        str | None,
        typer.Option(
            "--distance", metavar="NAME", help="l2, ip, cosine, l1 or hamming; else l2, and hamming for bits."
        ),
    ] = None,
    k: Annotated[int, typer.Option("-k", metavar="K", min=1, help="At which depth ties and contrast are taken.")] = 10,
    ids: Ids = None,
    dsn_file: DsnFile = None,
    query_ids: QueryIds = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write a page with pictures: .html, .md or .json.")
    ] = None,
    memory: Memory = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Look for what in the vectors themselves makes recall mislead: duplicates, zeros, lengths, dimension, shift.

    Every row is read once or twice; what needs neighbours is taken from samples, and the answer says of what size.
    """
    face = None if out is None else _face(out)
    memory_bytes = None if memory is None else parse_size(memory)
    from truerecall.report.inspection_document import inspection_document
    from truerecall.steps.corpora import open_corpus
    from truerecall.steps.inspect import inspect as look
    from truerecall.store.pages import demand_page_place, write_page
    from truerecall.store.vectors import open_queries

    if out is not None:
        demand_page_place(out)
    searched = open_corpus(corpus, ids=ids, dsn_file=dsn_file)
    asked = None if queries is None else open_queries(queries, ids=query_ids)
    named = distance or ("l2" if searched.source.bits is None else "hamming")
    with shown_progress() as progress:
        found = look(searched, asked, named, k, memory_bytes=memory_bytes, seed=seed, progress=progress)
    if face is not None and out is not None:
        write_page(out, _faced(found, face))
        say(f"wrote {out}")
    if json:
        print_json(inspection_document(found))
    else:
        from truerecall.report.inspection import summarise_inspection
        from truerecall.report.inspection_terminal import inspection_terminal

        print_rich(inspection_terminal(summarise_inspection(found)))


def _face(out: Path) -> str:
    """The format that the ending of the file says."""
    name = out.suffix.removeprefix(".").lower()
    name = {"htm": "html", "markdown": "md"}.get(name, name)
    if name not in FORMATS:
        raise UnknownName("format", name or out.name, FORMATS)
    return name


def _faced(found: Inspection, face: str) -> str:
    if face == "json":
        from truerecall.report.inspection_document import inspection_document

        return json_text(inspection_document(found))
    from truerecall.report.inspection import summarise_inspection

    summary = summarise_inspection(found)
    if face == "html":
        from truerecall.report.inspection_html import inspection_html

        return inspection_html(summary)
    from truerecall.report.inspection_markdown import inspection_markdown

    return inspection_markdown(summary)
