"""``truerecall check``: can these runs be believed?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from truerecall.cli.options import DsnFile, Ids, Json, LabelsFile, Memory, QueryIds, RelevantFrom, Seed, TruthFile
from truerecall.cli.output import print_json, print_rich
from truerecall.cli.progress import shown_progress
from truerecall.errors import InputError, NotAMeasurement
from truerecall.model.amounts import parse_size

if TYPE_CHECKING:
    from truerecall.model.curve import Curve


def check(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run files, or folders of them.")],
    *,
    truth: TruthFile = None,
    labels: LabelsFile = None,
    relevant_from: RelevantFrom = None,
    corpus: Annotated[
        Path | None, typer.Option("--corpus", metavar="FILE", help="The vectors that were searched, to try more.")
    ] = None,
    queries: Annotated[
        Path | None, typer.Option("--queries", metavar="FILE", help="The vectors that searched them.")
    ] = None,
    ids: Ids = None,
    dsn_file: DsnFile = None,
    query_ids: QueryIds = None,
    memory: Memory = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Ask every check about stored runs: what fired, what passed, and what could not tell. No engine is needed.

    With the vectors the corpus and the queries are looked at, a sample of the truth is recomputed, and the answers are
    tried under other ids, queries and distances. Status 3 where a finding withholds a number, or nothing could be told.
    """
    from truerecall.cli.judging import labels_from
    from truerecall.steps.judge import judge_as_usual
    from truerecall.store.measured import inspected_beside, load_runs, truth_for, truths_behind

    if (corpus is None) != (queries is None):
        raise InputError("one of --corpus and --queries is given", "give both, or neither")
    if corpus is None and (ids is not None or query_ids is not None):
        raise InputError("ids are given without the vectors", "give --corpus and --queries too")
    memory_bytes = None if memory is None else parse_size(memory)
    loaded = load_runs(runs)
    found, behind = truth_for(loaded, runs, truth), truths_behind(loaded, runs)
    kinds = {"query_kind": found.queries.ids, "corpus_kind": found.corpus.ids}
    relevant = labels_from(labels, query_ids=found.query_ids, relevant_from=relevant_from, **kinds)
    outcomes = inspected_beside(loaded, runs)
    if corpus is not None and queries is not None:
        from truerecall.steps.corpora import open_corpus
        from truerecall.steps.look_again import look_again
        from truerecall.store.identities import IdentityCache
        from truerecall.store.vectors import open_queries

        searched, asked = open_corpus(corpus, ids=ids, dsn_file=dsn_file), open_queries(queries, ids=query_ids)
        with shown_progress() as progress:
            cache = IdentityCache.of_user("use")
            loaded, outcomes = look_again(
                loaded, found, searched, asked, behind=behind, cache=cache, memory_bytes=memory_bytes, seed=seed,
                progress=progress,
            )  # fmt: skip
    curves = judge_as_usual(loaded, found, labels=relevant, seed=seed, inspected=outcomes, behind=behind)
    if json:
        from truerecall.report.check_document import check_document

        print_json(check_document(curves, found))
    else:
        from truerecall.report.check_terminal import check_terminal

        print_rich(check_terminal(curves))
    _demand_believed(curves)


def _demand_believed(curves: Sequence[Curve]) -> None:
    """Raises NotAMeasurement where a number is withheld, and where nothing was checked, which is not a pass."""
    points = [point for curve in curves for point in curve.points]
    withheld = sum(point.verdict == "invalid" for point in points)
    if withheld:
        raise NotAMeasurement(f"{withheld} of {len(points)} points are no measurement", "see the findings above")
    if all(outcome.outcome == "cannot tell" for point in points for outcome in point.checks):
        raise NotAMeasurement("nothing was checked, and that is not a pass", "see what each check needs: checks")
