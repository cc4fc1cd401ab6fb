"""``truerecall report``: a page, a text or a document of runs that were measured before."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from truerecall.cli.options import Clusters, Json, LabelsFile, RelevantFrom, Seed, Strata, TruthFile
from truerecall.cli.output import json_text, print_text, say
from truerecall.cli.values import parse_measures
from truerecall.errors import InputError, UnknownName

if TYPE_CHECKING:
    from truerecall.model.arrays import Ids
    from truerecall.report.summary_parts import Summary

FORMATS = ("html", "md", "json")


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run files, or folders of them.")],
    *,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Where it is written.")] = None,
    format: Annotated[
        str | None, typer.Option("--format", metavar="F", help="html, md or json; else the ending of --out says.")
    ] = None,
    truth: TruthFile = None,
    texts: Annotated[
        Path | None, typer.Option("--texts", metavar="FILE", help="Texts of the corpus: .parquet, .jsonl or .txt.")
    ] = None,
    query_texts: Annotated[
        Path | None, typer.Option("--query-texts", metavar="FILE", help="Texts of the queries.")
    ] = None,
    measures: Annotated[
        list[str] | None,
        typer.Option(
            "--measures",
            metavar="NAME,NAME",
            help="What is measured beside recall, as tolerant_recall@10:1%; may be repeated.",
        ),
    ] = None,
    labels: LabelsFile = None,
    relevant_from: RelevantFrom = None,
    strata: Strata = None,
    clusters: Clusters = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Judge stored runs against their truth and write a report. No engine is needed.

    Without --out, md and json are printed. With --out and --json the report is written and the document printed.
    """
    face = _face(format, out, json=json)
    if face == "html" and out is None:
        raise InputError("an HTML page needs a file", "add --out report.html, or --format md")
    from truerecall.cli.judging import clusters_of, labels_from, strata_of
    from truerecall.report.document import to_document
    from truerecall.report.summary import summarise
    from truerecall.steps.judge import judge_as_usual
    from truerecall.store.measured import inspected_beside, load_runs, truth_for, truths_behind
    from truerecall.store.pages import demand_page_place

    if out is not None:
        demand_page_place(out)
    loaded = load_runs(runs)
    found, behind = truth_for(loaded, runs, truth), truths_behind(loaded, runs)
    kinds = {"query_kind": found.queries.ids, "corpus_kind": found.corpus.ids}
    relevant = labels_from(labels, query_ids=found.query_ids, relevant_from=relevant_from, **kinds)
    named = parse_measures(measures or (), default_k=loaded[0].setup.k)
    curves = judge_as_usual(
        loaded, found, measures=named, labels=relevant, seed=seed,
        strata=strata_of(strata, found.queries.ids), clusters=clusters_of(clusters, found.queries.ids),
        inspected=inspected_beside(loaded, runs), behind=behind,
    )  # fmt: skip
    document = json_text(to_document(curves, found)) if json or face == "json" else ""
    if face == "json":
        _deliver(document, out)
    else:
        summary = summarise(
            curves,
            found,
            measure=curves[0].measure,
            corpus_texts=_texts(texts, found.corpus.ids, rows=found.corpus.rows),
            query_texts=_texts(query_texts, found.queries.ids, ids=found.query_ids),
            labels=relevant,
            seed=seed,
        )
        _deliver(_faced(summary, face), out)
    if json and out is not None:
        print_text(document)


def _faced(summary: Summary, face: str) -> str:
    if face == "html":
        from truerecall.report.html import to_html

        return to_html(summary)
    from truerecall.report.markdown import to_markdown

    return to_markdown(summary)


def _face(asked: str | None, out: Path | None, *, json: bool) -> str:
    """The format that is asked for, or that the file's ending says; a page where neither does."""
    if json and out is None:
        return "json"
    name = (asked or (out.suffix.removeprefix(".") if out is not None else "") or "html").lower()
    name = {"htm": "html", "markdown": "md"}.get(name, name)
    if name not in FORMATS:
        raise UnknownName("format", name, FORMATS)
    return name


def _texts(path: Path | None, kind: str, *, ids: Ids | None = None, rows: int = 0) -> Mapping[str, str] | None:
    """The texts in a file; where ids are row numbers, ``rows`` says how many there are."""
    if path is None:
        return None
    from truerecall.model.ids import row_numbers
    from truerecall.store.attributes import read_texts

    return read_texts(path, kind=kind, ids=row_numbers(rows) if ids is None and kind == "row" else ids)


def _deliver(text: str, out: Path | None) -> None:
    """Write to the file, or print where there is none."""
    if out is None:
        print_text(text)
        return
    from truerecall.store.pages import write_page

    write_page(out, text)
    say(f"wrote {out}")
