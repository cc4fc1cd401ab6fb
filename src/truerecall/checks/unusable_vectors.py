"""Do vectors hold NaN, infinity or only zeros? No distance, or no cosine, is defined for them.

It fires on any. It is a warning where the truth would refuse them, and a note for zeros under a distance that knows
them: they are mostly the trace of an embedding that failed.
"""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.finding import Finding
from truerecall.model.shape import CorpusShape, Faults, QueryShape

ZEROS = "zeros"


class UnusableVectors:
    title = "vectors of NaN, infinity or zeros"

    def examine(self, corpus_shape: CorpusShape, query_shape: QueryShape | None = None) -> Finding | None:
        sides = {"row": corpus_shape.faults}
        if query_shape is not None:
            sides["query"] = query_shape.faults
        seen = [text for word, faults in sides.items() for text in _listed(word, faults)]
        if not seen:
            return None
        refused = any(_refused(faults) for faults in sides.values())
        effect = (
            f"they have no {corpus_shape.distance} distance, engines rank them each in its own way, and a truth refuses"
            " them"
            if refused
            else "where an embedding failed, such a row is nobody's neighbour and recall says nothing of it"
        )
        return Finding(
            code_of(__name__),
            "warning" if refused else "note",
            f"{'; '.join(seen)}: {effect}",
            "take them out, or leave them out with --not-finite leave-out and --zero-vectors leave-out"
            if refused
            else "find out where they come from",
            {f"{word}_{kind}": count for word, faults in sides.items() for kind, count in faults.counts.items()}
            | {f"{word}_n": faults.n for word, faults in sides.items()},
        )


def _listed(word: str, faults: Faults) -> list[str]:
    plural = {"query": "queries"}.get(word, f"{word}s")
    told = []
    for kind, count in faults.counts.items():
        first = faults.first[kind]
        named = ", ".join(map(str, first)) + (f" and {count - len(first):,} more" if count > len(first) else "")
        told.append(f"{count:,} of {faults.n:,} {plural} hold {'only ' if kind == ZEROS else ''}{kind} ({named})")
    return told


def _refused(faults: Faults) -> bool:
    return any(kind != ZEROS or faults.zeros_undefined for kind in faults.counts)


check = UnusableVectors()
