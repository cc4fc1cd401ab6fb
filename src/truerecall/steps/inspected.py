"""What the checks say of the vectors themselves, for whoever judges runs over them: found again, or looked at once.

It reads every row once and holds a sample against all rows (steps/inspect.py): about as long as a truth of 2,000
queries takes.
"""

from __future__ import annotations

from pathlib import Path

from truerecall.model.finding import CheckOutcome
from truerecall.model.inspected import Inspected
from truerecall.model.progress import SILENT, Progress
from truerecall.model.shape import Inspection
from truerecall.model.subject import Subject
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.shelf import checks
from truerecall.steps.check import subject_of
from truerecall.steps.inspect import inspect
from truerecall.store.inspections import inspection_in, save_inspection

ABOUT_VECTORS = ("corpus_shape", "query_shape")
SEED = 0
"""The samples hang on no plan: whoever looks at the same vectors says the same of them."""


def find_or_inspect(
    corpus: Corpus,
    queries: QuerySet,
    subject: Subject,
    k: int,
    folder: Path,
    *,
    memory_bytes: int | None = None,
    progress: Progress = SILENT,
) -> Inspected:
    """What is known in ``folder`` of these vectors at this depth; else they are looked at and it is kept."""
    known = inspection_in(folder, subject, k)
    if known is not None:
        return known
    found = inspected(corpus, queries, subject, k, memory_bytes=memory_bytes, progress=progress)
    save_inspection(found, folder)
    return found


def inspected(
    corpus: Corpus,
    queries: QuerySet,
    subject: Subject,
    k: int,
    *,
    memory_bytes: int | None = None,
    progress: Progress = SILENT,
) -> Inspected:
    """What is said of these vectors."""
    found = inspect(corpus, queries, subject.distance, k, memory_bytes=memory_bytes, seed=SEED, progress=progress)
    return Inspected(subject, k, SEED, about_vectors(found), found.sampled)


def about_vectors(inspection: Inspection) -> tuple[CheckOutcome, ...]:
    """What was said by the checks that are about vectors; the others are asked again where a run is judged."""
    return tuple(outcome for outcome in inspection.checks if subject_of(checks.get(outcome.code)) in ABOUT_VECTORS)
