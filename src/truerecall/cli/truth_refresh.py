"""``truerecall truth refresh``: a truth brought up to date at the cost of what changed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from truerecall.cli.options import (
    CorpusFile,
    DsnFile,
    Ids,
    Json,
    Memory,
    Model,
    NotFinite,
    QueriesFile,
    QueryIds,
    Rehash,
    Slack,
    Snapshot,
    ZeroVectors,
)
from truerecall.cli.output import print_json, print_text, say
from truerecall.cli.progress import shown_progress
from truerecall.cli.values import parse_policies
from truerecall.model.amounts import parse_size


def refresh(
    truth: Annotated[Path, typer.Argument(metavar="TRUTH", help="A proved truth that keeps its ledger.")],
    *,
    corpus: CorpusFile,
    queries: QueriesFile,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the truth of today is written.")],
    ids: Ids = None,
    dsn_file: DsnFile = None,
    query_ids: QueryIds = None,
    model: Model = None,
    snapshot: Snapshot = None,
    slack: Slack = None,
    zero_vectors: ZeroVectors = "refuse",
    not_finite: NotFinite = "refuse",
    memory: Memory = None,
    rehash: Rehash = False,
    json: Json = False,
) -> None:
    """Bring a truth up to date with a corpus in which rows were added, removed or changed.

    The outcome is that of a new build. Only queries that lost too many neighbours are searched for anew.
    """
    memory_bytes = None if memory is None else parse_size(memory)
    policies = parse_policies(zero_vectors, not_finite)
    from truerecall.report.refresh_card import refresh_card, refresh_text
    from truerecall.steps.corpora import open_corpus
    from truerecall.steps.refresh import refresh_truth
    from truerecall.store.artefact import demand_artefact_place
    from truerecall.store.identities import IdentityCache
    from truerecall.store.places import demand_outside
    from truerecall.store.scan_journal import ScanJournal
    from truerecall.store.truths import KIND, load_truth, save_truth, truth_artefact
    from truerecall.store.vectors import open_queries

    demand_outside(out, corpus, queries)
    demand_artefact_place(out, KIND)
    before = load_truth(truth)
    searched, asked = open_corpus(corpus, ids=ids, dsn_file=dsn_file), open_queries(queries, ids=query_ids)
    journal = ScanJournal.beside(out)
    with shown_progress() as progress:
        after, done = refresh_truth(
            before,
            searched,
            asked,
            model=model,
            snapshot=snapshot,
            slack=slack,
            policies=policies,
            name=str(truth),
            memory_bytes=memory_bytes,
            cache=IdentityCache.of_user("renew" if rehash else "use"),
            journal=journal,
            progress=progress,
        )
    save_truth(after, out)
    journal.forget()
    say(f"wrote {out}")
    if json:
        print_json(refresh_card(done, truth_artefact(after).content_digest))
    else:
        print_text(refresh_text(done, truth_artefact(after).content_digest))
