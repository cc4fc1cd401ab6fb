"""From files to judged answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from truerecall.cli.choice import chosen_rows
from truerecall.cli.judging import clusters_of, labels_from, strata_of
from truerecall.cli.output import json_text
from truerecall.errors import InputError, UnknownName
from truerecall.model.judged import Judged
from truerecall.model.measure_name import MeasureName
from truerecall.model.progress import Progress
from truerecall.model.truth import GroundTruth
from truerecall.steps.corpora import open_corpus
from truerecall.steps.fitting import identify_for
from truerecall.steps.score_answers import score
from truerecall.store.artefact import kind_of
from truerecall.store.attributes import read_allowed, read_ids
from truerecall.store.identities import IdentityCache
from truerecall.store.measured import truth_for
from truerecall.store.pages import demand_page_place, write_page
from truerecall.store.runs import load_run
from truerecall.store.truths import load_truth
from truerecall.store.vectors import open_queries

PAGES = (".html", ".htm", ".md", ".json")


@dataclass(frozen=True)
class Sources:
    """The files that the user named; ``strata`` and ``clusters`` perhaps with a column. ``relevant_from``: a grade."""

    answers: Path
    truth: Path | None = None
    labels: Path | None = None
    corpus: Path | None = None
    queries: Path | None = None
    query_ids: Path | None = None
    ids: Path | None = None
    rows: Path | None = None
    allowed: Path | None = None
    strata: str | None = None
    clusters: str | None = None
    relevant_from: float | None = None
    where: str | None = None
    attributes: Path | None = None
    dsn_file: Path | None = None


def judged_answers(
    sources: Sources,
    k: int,
    measures: Sequence[MeasureName],
    *,
    by_row: bool = False,
    asked_k: int | None = None,
    max_drift: float | None = None,
    nearer: Literal["smaller", "larger"] | None = None,
    seed: int = 0,
    progress: Progress,
) -> tuple[Judged, GroundTruth]:
    """The answers with their scores and findings, and the truth that they were judged by."""
    answers = sources.answers
    demand_vectors(sources)
    if sources.corpus is None and max_drift is not None:
        raise InputError("--max-drift is given without the vectors", "give --corpus and --queries too")
    kind = kind_of(answers) if answers.suffix.lower() == ".parquet" else None
    if kind not in (None, "run"):
        raise InputError(f"{answers} is a {kind} file and holds no answers", "give answers, or a Run file")
    run = load_run(answers) if kind == "run" else None
    if run is not None:
        truth = truth_for([run], [answers], sources.truth)
    elif sources.truth is None:
        raise InputError(f"{answers} is no Run file, and no truth is given", "name it with --truth")
    else:
        truth = load_truth(sources.truth)
    judged = score(
        truth, answers if run is None else run, k=k, measures=measures or None,
        by_row=by_row, asked_k=asked_k, max_drift=max_drift, nearer=nearer, seed=seed, name=str(answers),
        strata=strata_of(sources.strata, truth.queries.ids), clusters=clusters_of(sources.clusters, truth.queries.ids),
        progress=progress, **reading_of(sources, truth, progress),
    )  # fmt: skip
    return judged, truth


def reading_of(sources: Sources, truth: GroundTruth, progress: Progress) -> dict[str, Any]:
    """What the files beside the answers hold, as ``score`` takes it."""
    kinds = {"query_kind": truth.queries.ids, "corpus_kind": truth.corpus.ids}
    labels = labels_from(sources.labels, query_ids=truth.query_ids, relevant_from=sources.relevant_from, **kinds)
    corpus = None if sources.corpus is None else open_corpus(
        sources.corpus, ids=sources.ids, attributes=sources.attributes, dsn_file=sources.dsn_file
    )  # fmt: skip
    queries = None if sources.queries is None else open_queries(sources.queries, ids=sources.query_ids)
    lists = None if sources.allowed is None or corpus is None or queries is None else read_allowed(
        sources.allowed, corpus, queries
    )  # fmt: skip
    sides = None
    if corpus is not None and queries is not None:
        sides = identify_for(truth, corpus, queries, cache=IdentityCache.of_user("use"), progress=progress)
    return {
        "query_ids": None if sources.query_ids is None else read_ids(sources.query_ids),
        "corpus": corpus,
        "queries": queries,
        "corpus_ids": None if sources.ids is None else read_ids(sources.ids),
        "rows": None if corpus is None else chosen_rows(corpus, sources.rows, sources.where),
        "allowed": lists,
        "identities": sides,
        "labels": labels,
    }


def demand_vectors(sources: Sources) -> None:
    """Raises InputError where one side of the vectors is named without the other, or a choice of rows without both."""
    if (sources.corpus is None) != (sources.queries is None):
        raise InputError("one of --corpus and --queries is given", "give both: distances are between them")
    if sources.corpus is None and (sources.rows or sources.where or sources.allowed):
        raise InputError(
            "--rows, --filter or --allowed is given without the vectors", "give --corpus and --queries too"
        )


def demand_page(out: Path) -> None:
    """Raises InputError where ``out`` cannot be a page: of another format, or in a place that cannot be written to."""
    if out.suffix.lower() not in PAGES:
        raise UnknownName("format", out.suffix.removeprefix("."), (own.removeprefix(".") for own in PAGES))
    demand_page_place(out)


def write_judged(judged: Judged, truth: GroundTruth, out: Path) -> None:
    """Write a page of judged answers, in the format that the ending of the file says."""
    from truerecall.report.judged_document import judged_document
    from truerecall.report.judged_page import judged_html, judged_markdown

    ending = out.suffix.lower()
    if ending == ".json":
        write_page(out, json_text(judged_document(judged, truth)))
        return
    write_page(out, judged_markdown(judged, truth) if ending == ".md" else judged_html(judged, truth))
