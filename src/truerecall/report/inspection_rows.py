"""What is said about the rows of a corpus, one quality at a time."""

from __future__ import annotations

from truerecall.model.shape import CorpusShape, Estimate
from truerecall.report.bins import doubling, named, spread_out
from truerecall.report.inspection_numbers import estimate_text
from truerecall.report.inspection_parts import Quality
from truerecall.report.parts import Fact
from truerecall.report.wording import count, percent, significant

HARD_DIMENSION, RANDOM = 30.0, 0.95


def row_qualities(shape: CorpusShape, ties_of_queries: Estimate) -> tuple[Quality, ...]:
    """Every quality of a corpus, whether a check fired or not."""
    return (
        _unusable(shape),
        _duplicates(shape),
        _ties(shape, ties_of_queries),
        _lengths(shape),
        _constant(shape),
        _dimension(shape),
        _contrast(shape),
        _hubs(shape),
        _structure(shape),
    )


def _unusable(shape: CorpusShape) -> Quality:
    faults = shape.faults
    told = ", ".join(f"{kind}: {own:,}" for kind, own in faults.counts.items())
    picture = None
    if faults.counts:
        picture = named(
            "what a row holds", "rows", {"numbers": faults.n - sum(faults.counts.values()), **faults.counts}
        )
    return Quality(
        "unusable-vectors",
        "Unusable rows",
        f"{told} of {count(faults.n, 'row')}" if told else f"none of {count(faults.n, 'row')}",
        "NaN and infinity have no distance, and a vector of zeros has no cosine: engines rank such rows each in its own"
        " way, and recall counts the difference as a loss.",
        tuple(Fact(f"first with {kind}", ", ".join(map(str, rows))) for kind, rows in faults.first.items()),
        picture,
    )


def _duplicates(shape: CorpusShape) -> Quality:
    found = shape.duplicates
    single = found.n - int(found.sizes.sum())
    picture = None
    if found.groups:
        picture = doubling("how often a row is stored", "rows", found.sizes, least=2, weights=found.sizes)
        counts = (single, *picture.series[0].counts)
        picture = named("how often a row is stored", "rows", dict(zip(("once", *picture.labels), counts, strict=True)))
    return Quality(
        "duplicate-rows",
        "Exact duplicates",
        f"{percent(found.share)} of {count(found.n, 'usable row')} have an exact copy",
        "Which of several equal rows comes back is a matter of chance. Recall by id counts the other copies as misses.",
        (
            Fact("groups of equal rows", f"{found.groups:,}"),
            Fact("largest group", f"{found.largest:,}" if found.groups else "none"),
            Fact("surplus rows", f"{found.surplus:,}"),
        ),
        picture,
    )


def _ties(shape: CorpusShape, of_queries: Estimate) -> Quality:
    facts = [Fact("depth of the cut (k)", f"{shape.k:,}")]
    if of_queries.value is not None:
        facts.append(Fact("queries with a tie across the cut", estimate_text(of_queries, share=True)))
    ties, picture = shape.ties, None
    if ties.value:
        tied = round(ties.value * ties.n)
        picture = named("at the cut", "rows", {"a tie": tied, "no tie": ties.n - tied})
    return Quality(
        "ties-at-cut",
        "Ties across the cut",
        estimate_text(ties, "of sampled rows", share=True),
        "Where more rows are equally far than there are places, ids settle which of them are called true, and an index"
        " that is right can still lose recall.",
        tuple(facts),
        picture,
    )


def _lengths(shape: CorpusShape) -> Quality:
    lengths = shape.lengths
    if lengths is None:
        value, facts, picture = "undefined: bits have no length", tuple[Fact, ...](), None
    else:
        least, most = float(lengths.values.min()), float(lengths.values.max())
        kind = "all of unit length" if lengths.unit else "all of one length" if lengths.even else "uneven"
        value = f"{significant(least, 4)} to {significant(most, 4)}: {kind}"
        facts = (Fact("nearest by ip that are nearest by cosine", estimate_text(lengths.agreement, share=True)),)
        picture = None if lengths.even else spread_out("length of a row", {"rows": lengths.values})
    return Quality(
        "uneven-lengths",
        "Lengths",
        value,
        "With rows of one length inner product, cosine and l2 order rows alike. With uneven ones they ask different"
        " questions, and taking one for the other costs recall.",
        facts,
        picture,
    )


def _constant(shape: CorpusShape) -> Quality:
    return Quality(
        "constant-dimensions",
        "Constant dimensions",
        f"{len(shape.constant):,} of {count(shape.dimensions, 'dimension')}",
        "A dimension that never changes tells no two rows apart. It costs time, memory and a share of every quantiser's"
        " code.",
        (Fact("the first of them", ", ".join(map(str, shape.constant[:10]))),) if shape.constant else (),
        spread_out("standard deviation of a dimension", {"dimensions": shape.spread}, low=0.0),
    )


def _dimension(shape: CorpusShape) -> Quality:
    found = shape.dimension
    facts = [Fact("neighbours of each row", f"{shape.local_depth:,}")]
    if found.left_out:
        facts.append(Fact("rows without one (a copy is nearest, or all are equally far)", f"{found.left_out:,}"))
    return Quality(
        "intrinsic-dimension",
        "Intrinsic dimension",
        estimate_text(found),
        "In how many directions a neighbourhood spreads, whatever the number of stored dimensions. The more, the more"
        " rows an index has to look at for the same recall.",
        tuple(facts),
        spread_out(
            "local intrinsic dimension of a row", {"rows": shape.local}, low=0.0, mark=HARD_DIMENSION, mark_name="hard"
        ),
    )


def _contrast(shape: CorpusShape) -> Quality:
    around = shape.closeness
    return Quality(
        "low-contrast",
        "Relative contrast",
        estimate_text(around.contrast),
        f"How much farther rows lie on average than the {around.k:,}-th nearest. Close to 1, near and far are hard to"
        " tell apart, and recall punishes swaps between rows that hardly differ.",
        (Fact("distance", _geometry(shape)),),
        spread_out(
            _geometry(shape),
            {f"to the {around.k:,}-th nearest": around.at_k, "to a row, on average": around.means},
        ),
    )


def _hubs(shape: CorpusShape) -> Quality:
    found = shape.hubs
    picture = None
    if found.skewness.value is not None:
        picture = doubling(f"lists of {found.k:,} that a row stands in", "rows", found.counts, least=0)
    return Quality(
        "hubs",
        "Hubs",
        f"skewness {estimate_text(found.skewness)}" if picture else estimate_text(found.skewness),
        "Some rows stand in many lists of neighbours, others in none. Graphs lead to the former and past the latter,"
        " which a mean over queries hides.",
        (
            Fact("rows that no list holds", estimate_text(found.absent, share=True)),
            Fact("most lists that one row stands in", f"{int(found.counts.max(initial=0)):,}"),
        ),
        picture,
    )


def _structure(shape: CorpusShape) -> Quality:
    found = shape.structure
    return Quality(
        "structureless",
        "Structure",
        estimate_text(found.ratio),
        "How far the nearest rows lie, against vectors whose every dimension was shuffled by itself. At 1 the"
        " dimensions have nothing to do with each other, as in random vectors: recall there says nothing about real"
        " embeddings.",
        (Fact("random from", f"{RANDOM:g} on"), Fact("distance", _geometry(shape))),
        spread_out(
            f"distance to the {found.k:,}-th nearest of {found.n:,}",
            {"as they are": found.own, "shuffled": found.shuffled},
        ),
    )


def _geometry(shape: CorpusShape) -> str:
    if shape.geometry == "cosine":
        return "distance at unit length"
    return f"{shape.geometry} distance" if shape.geometry else "none"
