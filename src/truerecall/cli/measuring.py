"""From the files that a user names to what a measurement starts from: what ``run`` and ``demo`` both do."""

from __future__ import annotations

from pathlib import Path

from truerecall.cli.judging import labels_from
from truerecall.steps.corpora import open_corpus
from truerecall.steps.measurement import Inputs
from truerecall.store.identities import IdentityCache
from truerecall.store.truths import load_truth
from truerecall.store.vectors import open_queries


def opened(
    corpus: Path,
    queries: Path,
    *,
    ids: Path | None = None,
    query_ids: Path | None = None,
    labels: Path | None = None,
    relevant_from: float | None = None,
    truth: Path | None = None,
    model: str | None = None,
    max_drift: float | None = None,
    dsn_file: Path | None = None,
    attributes: Path | None = None,
    rehash: bool = False,
) -> Inputs:
    """The files, opened. ``truth``: None to look for one beside the runs, or build it."""
    searched, asked = (
        open_corpus(corpus, ids=ids, attributes=attributes, dsn_file=dsn_file),
        open_queries(queries, ids=query_ids),
    )
    kinds = {"query_kind": asked.id_kind, "corpus_kind": searched.id_kind}
    return Inputs(
        searched,
        asked,
        labels=labels_from(labels, query_ids=asked.ids, relevant_from=relevant_from, **kinds),
        truth=None if truth is None else load_truth(truth),
        truth_name=str(truth),
        model=model,
        max_drift=max_drift,
        cache=IdentityCache.of_user("renew" if rehash else "use"),
    )
