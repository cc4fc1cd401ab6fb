"""``truerecall truth verify``: is a truth true? A second implementation recomputes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from truerecall.cli.options import (
    Allowed,
    AttributesFile,
    CorpusFile,
    DsnFile,
    Ids,
    Json,
    MaxDrift,
    Model,
    QueriesFile,
    QueryIds,
    Rehash,
    Rows,
    Seed,
    Where,
)
from truerecall.cli.output import print_json, print_text, say
from truerecall.cli.progress import shown_progress
from truerecall.errors import InputError, NotAMeasurement
from truerecall.model.amounts import parse_share

if TYPE_CHECKING:
    from truerecall.model.arrays import Booleans
    from truerecall.model.drift import Drift
    from truerecall.model.filter import Filter
    from truerecall.model.truth import GroundTruth
    from truerecall.model.vectors import Corpus, QuerySet
    from truerecall.model.verification import EngineOpinion

SAMPLE = 50


def verify(
    truth: Annotated[Path, typer.Argument(metavar="TRUTH", help="A truth file.")],
    *,
    corpus: CorpusFile,
    queries: QueriesFile,
    every: Annotated[bool, typer.Option("--all", help="Recompute every query.")] = False,
    sample: Annotated[
        int | None,
        typer.Option("--sample", metavar="N", min=1, help=f"Recompute N queries, drawn by the seed ({SAMPLE})."),
    ] = None,
    seed: Seed = 0,
    ids: Ids = None,
    query_ids: QueryIds = None,
    rows: Rows = None,
    where: Where = None,
    attributes: AttributesFile = None,
    allowed: Allowed = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the truth with its new state to this file.")
    ] = None,
    ask: Annotated[
        str | None,
        typer.Option(
            "--ask",
            metavar="ENGINE:NAME",
            help="Hold it against the exhaustive search of that index too.",
        ),
    ] = None,
    dsn_file: DsnFile = None,
    model: Model = None,
    max_drift: MaxDrift = None,
    rehash: Rehash = False,
    update: Annotated[bool, typer.Option("--update", help="Write the new state into TRUTH itself.")] = False,
    json: Json = False,
) -> None:
    """Recompute a sample of the queries, or all, by another implementation; a truth that disagrees is refused.

    First the vectors have to be those of the truth: what differs is named. Within --max-drift nothing is recomputed.

    A truth made with --rows, --filter or --allowed is verified with the same; what else was left out tells itself.
    """
    if every and sample is not None:
        raise InputError("--all and --sample are both given", "give one of them")
    if update and out is not None:
        raise InputError("--update and --out are both given", "give one of them")
    from truerecall.cli.choice import chosen_rows
    from truerecall.model.distance import distance_named
    from truerecall.report.verification_card import agreement_text, verification_card
    from truerecall.steps.corpora import open_corpus
    from truerecall.steps.fitting import identify_for
    from truerecall.steps.staleness import demand_truth_fits
    from truerecall.steps.verify import verify_truth
    from truerecall.store.attributes import read_allowed
    from truerecall.store.identities import IdentityCache
    from truerecall.store.places import demand_outside
    from truerecall.store.truths import load_truth, save_truth
    from truerecall.store.vectors import open_queries

    share = None if max_drift is None else parse_share(max_drift)
    if out is not None:
        demand_outside(out, corpus, queries)
    given = load_truth(truth)
    searched, asked = (
        open_corpus(corpus, ids=ids, attributes=attributes, dsn_file=dsn_file),
        open_queries(queries, ids=query_ids),
    )
    cache = IdentityCache.of_user("renew" if rehash else "use")
    with shown_progress() as progress:
        sides = identify_for(given, searched, asked, cache=cache, progress=progress)
        subject = sides.subject(distance_named(given.distance), model)
        drift = demand_truth_fits(given, searched, asked, sides, subject, max_drift=share, name=str(truth))
        if drift is not None:
            _show_drift(drift, writes=update or out is not None, json=json)
            return
        chosen = chosen_rows(searched, rows, where, seed=seed)
        verification, verified = verify_truth(
            given,
            searched,
            asked,
            rows=chosen.rows,
            allowed=None if allowed is None else read_allowed(allowed, searched, asked),
            identities=sides,
            model=model,
            sample=None if every else sample or SAMPLE,
            seed=seed,
            name=str(truth),
            progress=progress,
        )
    opinion = None
    if ask is not None and verification.first is None:
        opinion = _asked(
            given, searched, asked, ask, where=chosen.where, left_out=sides.queries.left_out.mask,
            sample=None if every else sample or SAMPLE, seed=seed, dsn_file=dsn_file,
        )  # fmt: skip
    if json:
        print_json(verification_card(verification, opinion))
    if verification.first is not None:
        disagree = verification.checked - verification.agreed
        cause = verification.cause or "no pattern was recognised; build the truth again"
        raise NotAMeasurement(
            f"{truth} is wrong: {disagree:,} of {verification.checked:,} recomputed queries disagree;"
            f" {verification.first.message}",
            f"likely cause: {cause}" if verification.cause else cause,
        )
    if not json:
        print_text(agreement_text(verification))
    if opinion is not None:
        _show_opinion(opinion, ask or "", json=json)
    if update or out is not None:
        save_truth(verified, out or truth)
        say(f"wrote {out or truth}")


def _asked(
    truth: GroundTruth,
    corpus: Corpus,
    queries: QuerySet,
    address: str,
    *,
    where: Filter | None,
    left_out: Booleans | None,
    sample: int | None,
    seed: int,
    dsn_file: Path | None,
) -> EngineOpinion:
    from truerecall.model.eligibility import FILTER
    from truerecall.steps.ask_engine import ask_engine
    from truerecall.steps.unusable import FAULTS

    reasons = set(truth.reasons) - FAULTS.keys() - ({FILTER} if where is not None else set())
    if reasons:
        raise InputError(
            f"the truth leaves rows out ({', '.join(sorted(reasons))}), and an engine cannot be told which",
            "leave out --ask, or give the --filter that it was made with",
        )
    return ask_engine(
        truth, corpus, queries, address, where=where, left_out=left_out, sample=sample, seed=seed, dsn_file=dsn_file
    )


def _show_opinion(opinion: EngineOpinion, address: str, *, json: bool) -> None:
    from truerecall.report.verification_card import opinion_text

    if not json:
        print_text(opinion_text(opinion))
    if opinion.apart:
        raise NotAMeasurement(
            f"{address} finds other neighbours by its own exhaustive search for {opinion.apart:,} of"
            f" {opinion.asked:,} queries; {opinion.first}",
            "the recomputation stands: look whether the index holds these very rows, and in which precision",
        )


def _show_drift(drift: Drift, *, writes: bool, json: bool) -> None:
    """What a truth is still worth for a corpus that has drifted from it as far as is allowed."""
    from truerecall.report.document import finding_document, plain
    from truerecall.steps.check import examine

    (finding,) = (outcome.finding for outcome in examine({"drift": drift}) if outcome.finding is not None)
    if writes:
        raise InputError(
            f"{finding.message}; its lists were not recomputed, so there is no new state to write", finding.remedy
        )
    if json:
        print_json(plain({"drifted": True, "checked": 0, "findings": [finding_document(finding)]}))
    else:
        print_text(f"{finding.severity}: {finding.message}; {finding.remedy}\n0 queries recomputed")
