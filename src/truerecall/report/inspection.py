"""One pure summary of an inspection: everything that any face shows."""

from __future__ import annotations

from dataclasses import replace

from truerecall.model.finding import SEVERITIES, Finding
from truerecall.model.shape import Inspection
from truerecall.report.inspection_parts import InspectionSummary, Quality
from truerecall.report.inspection_queries import query_qualities
from truerecall.report.inspection_rows import row_qualities
from truerecall.report.parts import Fact
from truerecall.report.wording import count

TITLE = "Are these vectors fit to measure recall on?"


def summarise_inspection(inspection: Inspection) -> InspectionSummary:
    """Findings by weight; qualities in a fixed order, those of queries last."""
    corpus, queries = inspection.corpus, inspection.queries
    plain = row_qualities(corpus, inspection.ties_at_cut)
    if queries is not None:
        plain += query_qualities(queries)
    qualities = tuple(_judged(quality, inspection) for quality in plain)
    findings = tuple(sorted(inspection.findings, key=lambda f: (-SEVERITIES.index(f.severity), f.code)))
    shown = {quality.code for quality in qualities}
    answer, sentence = _answer(inspection, findings)
    return InspectionSummary(
        title=TITLE,
        subject=corpus.name,
        distance=corpus.distance,
        verdict=inspection.verdict,
        answer=answer,
        sentence=sentence,
        qualities=qualities,
        others=tuple(finding for finding in findings if finding.code not in shown),
        findings=findings,
        facts=_facts(inspection),
        sampled=inspection.sampled,
        seed=inspection.seed,
    )


def _judged(quality: Quality, inspection: Inspection) -> Quality:
    outcome = next((check for check in inspection.checks if check.code == quality.code), None)
    if outcome is None:
        return quality
    return replace(quality, outcome=outcome.outcome, reason=outcome.reason, finding=outcome.finding)


def _answer(inspection: Inspection, findings: tuple[Finding, ...]) -> tuple[str, str]:
    silent = sum(check.outcome == "cannot tell" for check in inspection.checks)
    told = len(inspection.checks) - silent
    aside = f" {count(silent, 'check')} could not tell." if silent else ""
    if inspection.queries is None:
        aside += " No queries were given, so nothing about them was examined."
    warnings = sum(finding.severity != "note" for finding in findings)
    notes = len(findings) - warnings
    noted = f"{count(notes, 'note')} to know of" if notes else ""
    if warnings:
        also = f", and {noted}" if notes else ""
        return "With care", f"{count(warnings, 'warning')} may make recall on these vectors mislead{also}.{aside}"
    if not told:
        return "Not known", f"No check could say anything, and that is not a pass.{aside}"
    if notes:
        return "No doubts found", f"{count(told, 'check')} gave no warning; {noted}.{aside}"
    return "No doubts found", f"{count(told, 'check')} passed.{aside}"


def _facts(inspection: Inspection) -> tuple[Fact, ...]:
    corpus, queries = inspection.corpus, inspection.queries
    bits = corpus.distance == "hamming"
    facts = [
        Fact("corpus", corpus.name),
        Fact("rows", f"{corpus.faults.n:,}, of them usable {corpus.usable:,}"),
        Fact("dimensions", f"{corpus.dimensions:,} {'bits' if bits else corpus.fingerprint.dtype}"),
        Fact("fingerprint", corpus.fingerprint.digest[:12]),
        Fact("distance", corpus.distance),
        Fact("depth (k)", f"{corpus.k:,}"),
    ]
    if queries is not None:
        facts.append(Fact("queries", f"{queries.name}: {queries.n:,}, of them inspected {queries.inspected:,}"))
    return tuple(facts)
