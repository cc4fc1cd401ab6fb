"""Lies about the truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sabotage.liars import Backwards, Liar, Shifted
from sabotage.lie import Lie
from sabotage.lies.queries import honest
from sabotage.workshop import GRAPH, K, Workshop, changed
from truerecall.model.finding import Finding
from truerecall.model.neighbors import Neighbors
from truerecall.model.source import ArraySource
from truerecall.model.truth import APPROXIMATE, UNPROVED
from truerecall.model.vectors import Corpus
from truerecall.steps.truth import build_truth


def stale(shop: Workshop) -> list[Finding]:
    """The corpus lost a row since."""
    return shop.findings(truth=shop.truth(), corpus=Corpus(ArraySource(shop.x[:-1], "definitions")))


def of_a_tenth(shop: Workshop) -> list[Finding]:
    """H12, H15: the truth of the first tenth of the rows."""
    return shop.findings(truth=shop.truth(corpus=Corpus(ArraySource(shop.x[: shop.rows // 10], "definitions"))))


def too_shallow(shop: Workshop) -> list[Finding]:
    return shop.findings(truth=build_truth(shop.corpus, shop.asked, "l2", K // 2))


def by_an_index(shop: Workshop) -> list[Finding]:
    return shop.findings(truth=replace(shop.truth(), state=APPROXIMATE))


def with_errors(shop: Workshop) -> list[Finding]:
    """A third of the lists miss their nearest row, and nobody proved them."""
    truth = shop.truth()
    deeper = build_truth(shop.corpus, shop.asked, "l2", K + 1).neighbors
    ids, distances = (values.reshape(-1, K + 1) for values in (deeper.ids, deeper.distances))
    wrong = np.arange(len(truth)) % 3 == 0
    own_ids, own_distances = (
        np.where(wrong[:, None], values[:, 1:], values[:, :K]).reshape(-1) for values in (ids, distances)
    )
    return shop.findings(
        truth=replace(truth, neighbors=Neighbors(own_ids, own_distances, truth.neighbors.offsets), state=UNPROVED)
    )


def given(shop: Workshop) -> list[Finding]:
    """A truth that was built before, from the same vectors."""
    return shop.findings(truth=shop.truth())


def copies(shop: Workshop) -> list[Finding]:
    """H02: one vector stored many times, and queries beside it."""
    rows = shop.x.copy()
    rows[: shop.rows // 5] = shop.q.mean(axis=0)
    return shop.findings(corpus=Corpus(ArraySource(rows, "definitions")))


def shifted(shop: Workshop) -> list[Finding]:
    return shop.findings(liar=Liar(Shifted))


def farthest_first(shop: Workshop) -> list[Finding]:
    return shop.findings(liar=Liar(Backwards))


def unshifted(shop: Workshop) -> list[Finding]:
    return shop.findings(changed(GRAPH, efConstruction=80))


LIES = (
    Lie("stale", "the corpus changed since", "StaleTruth", stale, given),
    Lie("truth of a tenth", "the truth of another corpus", "StaleTruth", of_a_tenth, given),
    Lie("too shallow", f"a truth of depth {K // 2} for recall@{K}", "InputError", too_shallow, given),
    Lie("truth by an index", "the truth is approximate", "truth-approximate", by_an_index, given),
    Lie("truth with errors", "a third of the lists are wrong", "truth-disagrees", with_errors, given),
    Lie("copies", "a fifth of the rows is one vector", "ties-at-cut", copies, honest),
    Lie("shifted ids", "every id is one too high", "better-explained", shifted, unshifted),
    Lie("backwards", "the farthest rows come first", "all-zero", farthest_first, unshifted),
)
