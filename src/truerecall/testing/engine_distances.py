"""The laws of distances."""

from __future__ import annotations

import numpy as np

from truerecall.errors import InputError
from truerecall.kernels.distances import order_keys
from truerecall.model.source import ArraySource
from truerecall.testing.subject import (
    BIT_QUERIES,
    BITS,
    MOST_LOST,
    DoesNotApply,
    Subject,
    answers,
    nearest,
    recall,
    stretched,
)


def each_distance_is_the_one_that_it_is_called(subject: Subject) -> None:
    """Rows of many lengths, at the greatest effort: nearly the true neighbours; exactly these where every row is said
    to be compared. Every element type is taken, and a cast is told."""
    tried = [(distance, "float32") for distance in subject.distances_of_vectors()]
    tried += [(subject.distance, dtype) for dtype in ("float16", "float64", "int8", "uint8")]
    for distance, dtype in tried:
        rows, queries = stretched(dtype)
        index = subject.built(rows, distance)
        subject.at_most(index)
        found, truth, state = answers(index, queries), nearest(rows, queries, distance), index.state()
        share = recall(truth, found)
        if not state.exhaustive:
            assert share > 1 - MOST_LOST, f"under {distance} {share:.1%} of the true neighbours come, of {dtype}"
        elif dtype.startswith("float"):
            assert share == 1, f"under {distance} every row is compared and {share:.1%} come, of {dtype}"
        told = dtype == "float32" or state.exact_by_design or dtype in state.transform or state.transform == "none"
        assert told, f"{dtype} was cast and the state says {state.transform!r}"


def bits_are_compared_by_hamming(subject: Subject) -> None:
    """Packed bits, at the greatest effort: rows as near as the true ones, for many are equally near."""
    if "hamming" not in subject.engine.distances:
        raise DoesNotApply("it does not serve hamming")
    try:
        subject.engine.search_settings(subject.build, distance="hamming", dimensions=BITS.shape[1])
    except InputError as error:
        raise DoesNotApply(f"this build takes no bits: {error.problem}") from None
    index = subject.built(ArraySource(BITS, bits=8 * BITS.shape[1]), "hamming")
    subject.at_most(index)
    places = []
    for query, found in zip(BIT_QUERIES, answers(index, BIT_QUERIES), strict=True):
        near = np.sort(order_keys("hamming", query, BITS))[: len(found)]
        places += (np.sort(order_keys("hamming", query, BITS[found])) == near).tolist()
    share = float(np.mean(places))
    least = 1.0 if index.state().exhaustive else 1 - MOST_LOST
    assert share >= least, f"under hamming {share:.1%} of the answers are as near as the true ones"
