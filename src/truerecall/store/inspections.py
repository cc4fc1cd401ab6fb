"""What was said of vectors, on disk: one Parquet file, a row for each check."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa

from truerecall.errors import FormatError
from truerecall.model.finding import CheckOutcome, Finding
from truerecall.model.inspected import Inspected
from truerecall.model.plain import plain
from truerecall.model.subject import Subject
from truerecall.model.vectors import Fingerprint
from truerecall.store.artefact import Artefact, artefacts_in, canonical_json, read_artefact, write_artefact

KIND = "inspection"
FORMAT = 1
# 1: columns code, outcome, reason, severity, message, remedy and evidence, the last as JSON and the last four null
#    where nothing was found; content: distance, corpus, queries, k, seed, sampled.
COLUMNS = ("code", "outcome", "reason", "severity", "message", "remedy", "evidence")


def save_inspection(inspected: Inspected, folder: Path) -> Path:
    """Write it into the folder, under a name that its subject and depth give, and return where it lies."""
    artefact = _artefact(inspected)
    path = folder / f"{KIND}.{_digest(artefact)}.parquet"
    write_artefact(path, artefact)
    return path


def load_inspection(path: Path) -> Inspected:
    """The inspection at ``path``. Raises InputError where there is none, FormatError where it cannot be read."""
    artefact = read_artefact(path, KIND, FORMAT)
    content = artefact.content
    try:
        return Inspected(
            subject=Subject(content["distance"], Fingerprint(**content["corpus"]), Fingerprint(**content["queries"])),
            k=content["k"],
            seed=content["seed"],
            outcomes=tuple(_outcome(**row) for row in artefact.table.to_pylist()),
            sampled=tuple(content["sampled"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(
            f"{path} is not laid out as an inspection: {error!r}", "take it away; it is made again"
        ) from error


def inspection_in(folder: Path, subject: Subject, k: int) -> Inspected | None:
    """The inspection in a folder that is of this subject, and of this depth."""
    found = (load_inspection(path) for path in artefacts_in(folder, KIND))
    return next((own for own in found if own.k == k and own.subject.fits(subject)), None)


def _artefact(inspected: Inspected) -> Artefact:
    rows = [_row(outcome) for outcome in inspected.outcomes]
    subject = inspected.subject
    content = {
        "distance": subject.distance,
        "corpus": asdict(subject.corpus),
        "queries": asdict(subject.queries),
        "k": inspected.k,
        "seed": inspected.seed,
        "sampled": list(inspected.sampled),
    }
    text = pa.large_string()
    table = pa.table({name: pa.array([row[name] for row in rows], text) for name in COLUMNS})
    return Artefact(KIND, FORMAT, table, content, {})


def _row(outcome: CheckOutcome) -> dict[str, str | None]:
    said: dict[str, str | None] = {"code": outcome.code, "outcome": outcome.outcome, "reason": outcome.reason}
    found = outcome.finding
    if found is None:
        return said | dict.fromkeys(("severity", "message", "remedy", "evidence"))
    evidence = canonical_json(plain(found.evidence)).decode()
    return said | {
        "severity": found.severity, "message": found.message, "remedy": found.remedy, "evidence": evidence,
    }  # fmt: skip


def _outcome(
    *, code: str, outcome: str, reason: str, severity: str | None, message: str, remedy: str, evidence: str
) -> CheckOutcome:
    finding = None
    if severity is not None:
        finding = Finding(code, severity, message, remedy, json.loads(evidence))  # type: ignore[arg-type]
    return CheckOutcome(code, outcome, finding, reason)  # type: ignore[arg-type]


def _digest(artefact: Artefact) -> str:
    of = {name: artefact.content[name] for name in ("distance", "corpus", "queries", "k")}
    return hashlib.blake2b(canonical_json(of), digest_size=4).hexdigest()
