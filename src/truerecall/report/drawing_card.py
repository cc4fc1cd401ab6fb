"""What was drawn, for a person: a few facts, the strata, and what may mislead later on."""

from __future__ import annotations

from truerecall.model.drawing import Drawing

NAMED_STRATA = 5


def drawing_warnings(drawing: Drawing) -> list[str]:
    """One line each: strata that hold less than was asked, strata without a part, and queries that find themselves."""
    strata, warnings = len(drawing.counts), []
    if drawing.thin:
        warnings.append(
            f"{len(drawing.thin)} of {strata} strata are thin: {_few(drawing.thin)}; read their scores with care"
        )
    if drawing.untouched:
        warnings.append(
            f"{len(drawing.untouched)} of {strata} strata have no part in it: {_few(drawing.untouched)}; draw more"
        )
    if drawing.what == "queries of the corpus" and drawing.held_out is None:
        warnings.append(
            f"{drawing.drawn} of {drawing.drawn} queries are rows of the corpus; hold them out with --hold-out, or"
            " build the truth with --exclude-self id: a row finds itself easily"
        )
    return warnings


def drawing_text(drawing: Drawing, source: str) -> str:
    """The facts of a drawing from ``source``, and a line for each stratum."""
    facts = [
        ("drawn", f"{drawing.drawn:,} of {drawing.source.rows:,} rows of {source}"),
        ("as", drawing.what),
        ("seed", str(drawing.seed)),
        ("strata", f"{len(drawing.counts)} {_parted(drawing)}, {drawing.allocation}"),
        ("dropped", ", ".join(f"{count:,} {reason}" for reason, count in drawing.dropped.items()) or "nothing"),
    ]
    if drawing.dedupe is not None:
        facts.append(("near is", f"within {drawing.dedupe.tolerance:g} of the spread ({drawing.dedupe.distance})"))
    if drawing.held_out is not None:
        facts.append(("held out", f"{drawing.held_out:,} rows: those drawn, and all that equal them"))
    width = max(len("stratum"), *(len(one.name) for one in drawing.counts))
    lines = [f"{name:<9} {value}" for name, value in facts]
    lines += ["", f"{'stratum':<{width}}  {'held':>10} {'asked':>8} {'drawn':>8}"]
    lines += [f"{one.name:<{width}}  {one.held:>10,} {one.asked:>8,} {one.drawn:>8,}" for one in drawing.counts]
    return "\n".join(lines)


def _parted(drawing: Drawing) -> str:
    if drawing.strata.column is not None:
        return f"by {drawing.strata.column}"
    return "by k-means" if len(drawing.counts) > 1 else "(nothing parts them)"


def _few(names: list[str]) -> str:
    more = f" and {len(names) - NAMED_STRATA} more" if len(names) > NAMED_STRATA else ""
    return ", ".join(names[:NAMED_STRATA]) + more
