"""Write what was drawn: a query file, the corpus without the queries, or a sampled corpus."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from truerecall import __version__
from truerecall.errors import InputError
from truerecall.model.drawing import Drawing, Sample
from truerecall.model.vectors import Corpus
from truerecall.store.query_files import save_queries
from truerecall.store.selections import Selection, save_selection


def save_drawn_queries(
    sample: Sample, corpus: Corpus, out: Path, *, source: Path, ids: Path | None = None, hold_out: Path | None = None
) -> Drawing:
    """Write the queries, and where ``hold_out`` is named, the corpus without them and without rows that equal them.

    ``source`` and ``ids``: where the corpus was read from. Raises InputError where nothing would be left of it.
    """
    drawing = sample.drawing
    provenance = _provenance(source)
    if hold_out is not None:
        if len(sample.left_out) == corpus.source.rows:
            raise InputError(
                f"every row of {source} would be held out (copies of drawn rows go with them)", "draw fewer queries"
            )
        drawing = replace(drawing, held_out=len(sample.left_out))
        selection = Selection("held out", sample.left_out, source, ids, drawing.source, drawing.record())
        save_selection(selection, hold_out, provenance)
    save_queries(replace(sample, drawing=drawing), corpus.source, out, provenance)
    return drawing


def save_sampled_corpus(sample: Sample, out: Path, *, source: Path, ids: Path | None = None) -> None:
    """Write which rows were drawn, as a file that stands for a corpus of them."""
    rows = sample.rows.copy()
    rows.sort()
    selection = Selection("sampled corpus", rows, source, ids, sample.drawing.source, sample.drawing.record())
    save_selection(selection, out, _provenance(source))


def _provenance(source: Path) -> dict[str, Any]:
    return {
        "truerecall": __version__,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "source": str(source).encode(errors="backslashreplace").decode(),
    }
