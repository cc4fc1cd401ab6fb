"""What is said about queries, one quality at a time."""

from __future__ import annotations

from truerecall.model.shape import QueryShape
from truerecall.report.bins import named, spread_out
from truerecall.report.inspection_numbers import estimate_text
from truerecall.report.inspection_parts import Quality
from truerecall.report.parts import Fact
from truerecall.report.wording import queries

NEAR = 0.1
FARTHEST = 2.0
"""Where the picture of queries apart ends: beyond, none is near another."""


def query_qualities(shape: QueryShape) -> tuple[Quality, ...]:
    """Every quality of queries, whether a check fired or not."""
    return (_in_corpus(shape), _repeated(shape), _contrast(shape), _shift(shape))


def _in_corpus(shape: QueryShape) -> Quality:
    hits, n = int((shape.copies > 0).sum()), len(shape.copies)
    return Quality(
        "queries-in-corpus",
        "Queries that are rows",
        f"{hits:,} of {queries(n)}, by content",
        "A query that is stored finds itself, however careless the index. Recall on it says little about others.",
        (),
        named("found in the corpus", "queries", {"a row": hits, "no row": n - hits}) if hits else None,
    )


def _repeated(shape: QueryShape) -> Quality:
    exact, near = shape.repeats, shape.near
    return Quality(
        "repeated-queries",
        "Queries that repeat each other",
        estimate_text(near, "nearly repeat another one", share=True),
        "Two queries repeat each other where they lie closer together than a tenth of the way to the nearest row. What"
        " one finds the other finds too: the interval of recall is then narrower than it should be.",
        (
            Fact("queries that equal another one", f"{int(exact.sizes.sum()):,} of {exact.n:,}"),
            Fact("distinct queries", f"{exact.n - exact.surplus:,}"),
        ),
        spread_out(
            "nearest other query, in distances of the nearest row",
            {"queries": shape.apart},
            low=0.0,
            high=FARTHEST,
            mark=NEAR,
            mark_name="repeats",
        ),
    )


def _contrast(shape: QueryShape) -> Quality:
    around = shape.closeness
    return Quality(
        "",
        "Relative contrast of queries",
        estimate_text(around.contrast),
        f"How much farther rows lie from a query on average than the {around.k:,}-th nearest.",
        (),
        spread_out(
            "distance from a query",
            {f"to the {around.k:,}-th nearest": around.at_k, "to a row, on average": around.means},
        ),
    )


def _shift(shape: QueryShape) -> Quality:
    shift = shape.shift
    return Quality(
        "query-shift",
        "Shift of the queries",
        estimate_text(shift.mahalanobis, "times as far from the centre as held-out rows"),
        "An index is built around its rows. Queries from elsewhere find less, and a setting that was tuned on held-out"
        " rows flatters.",
        (
            Fact("Mahalanobis distance over that of held-out rows", estimate_text(shift.mahalanobis)),
            Fact("median distance of the nearest row, likewise", estimate_text(shift.nearest)),
            Fact("a classifier's area under the curve (0.5: no difference)", estimate_text(shift.area)),
        ),
        spread_out("Mahalanobis distance", {"held-out rows": shift.of_rows, "queries": shift.of_queries}),
    )
