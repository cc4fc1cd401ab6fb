"""What is drawn: the strata are kept to, the seed decides, and nothing else does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from truerecall.errors import InputError
from truerecall.model.arrays import texts
from truerecall.model.drawing import Attribute, Dedupe, Sample
from truerecall.model.ids import as_ids
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus
from truerecall.steps import candidates
from truerecall.steps import sample as steps_sample
from truerecall.steps.sample import Wish, clusters_for, draw
from truerecall.store import contents

RANDOM = np.random.default_rng(0)
ROWS = RANDOM.normal(size=(400, 6)).astype(np.float32)
CORPUS = Corpus(ArraySource(ROWS))


def colours(*counts: int) -> Attribute:
    return Attribute("colour", texts(np.repeat(["red", "green", "blue"], counts).tolist()))


def told(sample: Sample) -> list[tuple[str, int, int, int]]:
    return [(one.name, one.held, one.asked, one.drawn) for one in sample.drawing.counts]


def same(one: Sample, other: Sample) -> bool:
    return one.ids.tolist() == other.ids.tolist() and one.drawing == other.drawing


def test_a_count_from_each_stratum_and_thin_ones_are_named() -> None:
    sample = draw(CORPUS, Wish(per_stratum=40), attribute=colours(300, 90, 10))
    assert told(sample) == [("blue", 10, 40, 10), ("green", 90, 40, 40), ("red", 300, 40, 40)]
    assert sample.drawing.thin == ["blue (10 of 40)"]
    assert sample.drawing.allocation == "40 per stratum"
    assert (sample.strata == texts(["red" if r < 300 else "green" if r < 390 else "blue" for r in sample.rows])).all()


def test_other_strata_do_not_change_what_is_drawn_from_one() -> None:
    three = draw(CORPUS, Wish(per_stratum=9), attribute=colours(300, 90, 10))
    more = texts(["red"] * 300 + ["amber"] * 100)
    two = draw(CORPUS, Wish(per_stratum=9), attribute=Attribute("colour", more))
    assert three.rows[three.strata == "red"].tolist() == two.rows[two.strata == "red"].tolist()


def test_parts_of_n() -> None:
    even = draw(CORPUS, Wish(n=60), attribute=colours(300, 90, 10))
    assert told(even) == [("blue", 10, 20, 10), ("green", 90, 20, 25), ("red", 300, 20, 25)]
    fair = draw(CORPUS, Wish(n=60, allocation="proportional"), attribute=colours(300, 90, 10))
    assert [one.drawn for one in fair.drawing.counts] == [2, 13, 45]
    few = draw(CORPUS, Wish(n=4, allocation="proportional"), attribute=colours(300, 90, 10))
    assert few.drawing.untouched == ["blue (of 10)"]


def test_sparse_regions_are_represented() -> None:
    heap, lone = RANDOM.normal(size=(990, 4)), 40 + RANDOM.normal(size=(10, 4))
    corpus = Corpus(ArraySource(np.concatenate([heap, lone]).astype(np.float32)))
    by_region = draw(corpus, Wish(n=40))
    assert clusters_for(Wish(n=40), "queries of the corpus") == 2
    assert (by_region.rows >= 990).sum() == 10
    simple = draw(corpus, Wish(n=40, clusters=1))
    assert told(simple) == [("all", 1000, 40, 40)]
    assert (simple.rows >= 990).sum() < 5


@pytest.mark.parametrize("attribute", [None, colours(300, 90, 10)])
def test_the_seed_decides(attribute: Attribute | None) -> None:
    wish = Wish(n=100, seed=5)
    first = draw(CORPUS, wish, attribute=attribute)
    assert same(draw(CORPUS, wish, attribute=attribute), first)
    other = draw(CORPUS, replace(wish, seed=6), attribute=attribute)
    assert other.ids.tolist() != first.ids.tolist()
    assert len(set(first.rows.tolist())) == 100


@settings(max_examples=15)
@given(block=st.integers(1, 500), seed=st.integers(0, 2**40), n=st.integers(1, 390))
def test_blocks_decide_nothing(block: int, seed: int, n: int) -> None:
    wish = Wish(n=n, seed=seed, dedupe=Dedupe(0.01, "l2"), clusters=None)
    whole = draw(CORPUS, wish)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(contents, "BLOCK_BYTES", block * 24)
        for module in (candidates, steps_sample):
            patched.setattr(module, "BLOCK_ROWS", block)
        assert same(draw(CORPUS, wish), whole)
    assert len(whole.rows) == n
    assert all(one.drawn <= one.held for one in whole.drawing.counts)


def test_under_explicit_ids_the_order_of_rows_decides_nothing() -> None:
    ids = as_ids([f"r{row}" for row in range(400)], what="ids")
    rows = np.concatenate([ROWS[:390], ROWS[:10]])
    labels = colours(300, 90, 10)
    order = RANDOM.permutation(400)
    shuffled = Corpus(ArraySource(rows[order]), texts(ids[order]))
    wish = Wish(n=90, dedupe=Dedupe(0.01, "l2"))
    plain = draw(Corpus(ArraySource(rows), ids), wish, attribute=labels)
    other = draw(shuffled, wish, attribute=Attribute("colour", texts(labels.values[order])))
    assert same(plain, other)
    assert (rows[plain.rows] == rows[order][other.rows]).all()
    assert plain.ids.tolist() == sorted(plain.ids.tolist())


def test_copies_count_once_and_are_counted() -> None:
    rows = np.concatenate([ROWS[:100], ROWS[:30], ROWS[:20], ROWS[50:60] + np.float32(1e-4)])
    corpus = Corpus(ArraySource(rows))
    sample = draw(corpus, Wish(n=100, dedupe=Dedupe(0.01, "l2")))
    assert sample.drawing.dropped == {"exact copies": 50, "near copies": 10}
    assert sample.rows.tolist() == list(range(100))
    assert sample.repeats.tolist() == [3] * 20 + [2] * 10 + [1] * 70
    exact = draw(corpus, Wish(n=110, dedupe=Dedupe(0.0, "l2")))
    assert exact.drawing.dropped == {"exact copies": 50, "near copies": 0}
    with pytest.raises(InputError, match=r"where 100 can be \(50 exact copies, 10 near copies dropped\)"):
        draw(corpus, Wish(n=101, dedupe=Dedupe(0.01, "l2")))


def test_under_cosine_a_longer_row_is_a_near_copy() -> None:
    corpus = Corpus(ArraySource(np.concatenate([ROWS[:50], 3 * ROWS[:5]])))
    assert draw(corpus, Wish(n=50, dedupe=Dedupe(0.01, "cosine"), distance="cosine")).drawing.dropped == {
        "exact copies": 0,
        "near copies": 5,
    }
    assert draw(corpus, Wish(n=55, dedupe=Dedupe(0.01, "l2"))).drawing.dropped["near copies"] == 0


def test_a_few_far_rows_do_not_make_all_others_alike() -> None:
    rows = ROWS.astype(np.float64)
    rows[::100] *= 1e9
    assert draw(Corpus(ArraySource(rows)), Wish(n=400, dedupe=Dedupe(0.01, "l2"))).drawing.dropped["near copies"] == 0
    moved = Corpus(ArraySource(ROWS.astype(np.float64) + 5e6))  # as coordinates on the globe
    assert draw(moved, Wish(n=400, dedupe=Dedupe(0.01, "l2"))).drawing.dropped["near copies"] == 0


def test_what_leaves_the_corpus_are_the_drawn_rows_and_their_copies() -> None:
    corpus = Corpus(ArraySource(np.concatenate([ROWS[:40], ROWS[:40], ROWS[:5]])))
    sample = draw(corpus, Wish(n=10, dedupe=Dedupe(0.01, "l2")))
    wanted = {row for row in range(85) if row % 40 in sample.rows.tolist()}
    assert set(sample.left_out.tolist()) == wanted


def test_rows_without_a_distance_are_no_queries() -> None:
    rows = ROWS.copy()
    rows[7, 2], rows[8, 0], rows[9] = np.nan, np.inf, 0
    sample = draw(Corpus(ArraySource(rows)), Wish(n=397, distance="cosine"))
    assert sample.drawing.dropped == {"not-finite": 2, "zero-vectors": 1}
    assert not {7, 8, 9} & set(sample.rows.tolist())
    whole = draw(Corpus(ArraySource(rows)), Wish(n=400, dedupe=Dedupe(0.01, "l2")), what="sampled corpus")
    assert {7, 8, 9} < set(whole.rows.tolist())


def test_a_sampled_corpus_is_like_the_whole() -> None:
    wish = Wish(n=40, allocation="proportional")
    assert told(draw(CORPUS, wish, what="sampled corpus")) == [("all", 400, 40, 40)]
    by_colour = draw(CORPUS, wish, attribute=colours(300, 90, 10), what="sampled corpus")
    assert [one.drawn for one in by_colour.drawing.counts] == [1, 9, 30]


@pytest.mark.parametrize("dtype", ["float16", "float64", "int8", "uint8"])
def test_any_element_type(dtype: str) -> None:
    corpus = Corpus(ArraySource((ROWS * 20).astype(dtype)))
    assert len(draw(corpus, Wish(n=40, dedupe=Dedupe(0.001, "l2"))).rows) == 40


def test_bits() -> None:
    bits = RANDOM.integers(0, 2, (200, 70)).astype(np.uint8)
    corpus = Corpus(ArraySource(np.packbits(bits, axis=1), bits=70))
    sample = draw(corpus, Wish(n=40, dedupe=Dedupe(0.01, "hamming"), distance="hamming"))
    assert len(sample.drawing.counts) == 2
    assert sample.drawing.dropped == {"exact copies": 0, "near copies": 0}


@pytest.mark.parametrize(
    ("wish", "attribute", "words"),
    [
        (Wish(), None, "twice or not at all"),
        (Wish(n=3, per_stratum=2), None, "twice or not at all"),
        (Wish(n=0), None, "n is 0"),
        (
            Wish(n=401),
            None,
            r"401 are to be drawn from array, where 400 can be \(nothing dropped\); ask for",
        ),
        (Wish(per_stratum=3), None, "nothing says what the strata are"),
        (Wish(n=3, clusters=2), colours(300, 90, 10), "choose one of the two"),
        (Wish(n=3, clusters=5000), None, "at most 1,000"),
        (Wish(n=3, dedupe=Dedupe(2.0, "l2")), None, "from 0 to 1"),
        (Wish(n=3, distance="l3"), None, "unknown distance"),
    ],
)
def test_what_cannot_be_drawn(wish: Wish, attribute: Attribute | None, words: str) -> None:
    with pytest.raises(InputError, match=words):
        draw(CORPUS, wish, attribute=attribute)


def test_too_many_values_are_no_strata() -> None:
    many = Corpus(ArraySource(RANDOM.normal(size=(1200, 2))))
    with pytest.raises(InputError, match="price has 1,200 values among 1,200 rows"):
        draw(many, Wish(n=5), attribute=Attribute("price", texts([str(row) for row in range(1200)])))


def test_a_log_under_repeated_ids() -> None:
    log = Corpus(ArraySource(ROWS[[0, 1, 0]]), as_ids([5, 6, 5], what="ids"))
    with pytest.raises(InputError, match="1 surplus rows under 1 repeated ids"):
        draw(log, Wish(n=2), what="user queries")
    once = draw(log, Wish(n=2, dedupe=Dedupe(0.01, "l2")), what="user queries")
    assert (once.ids.tolist(), once.repeats.tolist()) == ([5, 6], [2, 1])


def test_nothing_left_to_draw_is_refused() -> None:
    void: Any = np.full((3, 2), np.nan)
    with pytest.raises(InputError, match=r"holds no row that can be drawn \(3 not-finite dropped\)"):
        draw(Corpus(ArraySource(void)), Wish(n=1))


def test_more_clusters_than_rows() -> None:
    few = Corpus(ArraySource(ROWS[:5]))
    assert len(draw(few, Wish(n=5, clusters=50)).rows) == 5
    alike = Corpus(ArraySource(np.ones((30, 3), np.float32)))
    assert len(draw(alike, Wish(n=20, clusters=4)).rows) == 20
