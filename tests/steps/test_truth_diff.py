"""What differs between two truths, worked out by hand, and against a slow plain twin."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.nouns import CORPUS, queries_print, truth_of
from truerecall.errors import InputError, NotAMeasurement
from truerecall.model.neighbors import Neighbors
from truerecall.model.truth import GroundTruth
from truerecall.report.truth_diff_card import HEADER, diff_rows, diff_text, truth_diff_card
from truerecall.steps.truth_diff import diff_truths

WHOLE = replace(CORPUS, dtype="int8")
Listed = Mapping[Any, Sequence[tuple[Any, float]]]


def truth(lists: Listed, *, k: int = 3, dtype: Any = np.int64, **more: Any) -> GroundTruth:
    """A truth with these neighbours and distances by query id."""
    made = truth_of(
        [[own for own, _ in row] for row in lists.values()], k=k, query_ids=list(lists), dtype=dtype, **more
    )
    distances = np.array([distance for row in lists.values() for _, distance in row], np.float64)
    return replace(made, neighbors=Neighbors(made.neighbors.ids, distances, made.neighbors.offsets))


def by_query(first: GroundTruth, second: GroundTruth, **more: Any) -> dict[Any, dict[str, Any]]:
    card = truth_diff_card(diff_truths(first, second, **more))
    json.dumps(card, allow_nan=False)
    return {row["query"]: row for row in card["changed_queries"]}


def test_a_truth_agrees_with_itself() -> None:
    one = truth({7: [(1, 0.5), (2, 1.0), (3, 1.5)], 8: []})
    diff = diff_truths(one, replace(one, state="unproved", provenance={"made": "later"}))
    assert diff.agrees
    assert not diff.changed.any()
    assert diff_rows(diff, 10) == []
    assert diff_text(diff) == "compared: 2 queries at k 3\nno list changed"
    assert math.isnan(diff.overlap[1])
    card = truth_diff_card(diff)
    assert (card["agree"], card["changed"], card["by_ties"], card["distance_change"]) == (True, 0, 0, 0.0)


def test_a_nearer_row_enters_and_the_last_one_leaves() -> None:
    first = truth({7: [(1, 0.5), (2, 1.0), (3, 1.5)], 8: [(4, 1.0), (5, 2.0), (6, 3.0)]})
    second = truth({8: [(4, 1.0), (5, 2.0), (6, 3.0)], 7: [(9, 0.25), (1, 0.5), (2, 1.0)]})
    diff = diff_truths(first, second)
    assert by_query(first, second) == {
        7: {
            "query": 7, "left": [3], "entered": [9], "moved": 0, "overlap": pytest.approx(2 / 3),
            "cuts": [1.5, 1.0], "distance_change": 0.5, "by_ties": False,
        }
    }  # fmt: skip
    assert not diff.agrees
    assert diff_text(diff) == (
        "compared: 2 queries at k 3\n"
        "1 query changed: 0 by ties alone, 1 beyond them\n"
        "1 neighbour left, 1 entered, 0 stayed in another order\n"
        "greatest change of a distance at one place: 0.500"
    )
    assert dict(zip(HEADER, diff_rows(diff, 10)[0], strict=True)) == {
        "query": "7", "left": "3", "entered": "9", "moved": "0", "overlap": "66.7 %",
        "at the cut": "1.5000 → 1.0000", "greatest change": "0.500", "ties explain it": "no",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("last", "ties"), [((3, 1.5), True), ((4, 1.5 * (1 + 9e-7)), True), ((4, 1.5 * (1 + 2e-6)), False)]
)
def test_another_row_in_the_tie_band_is_explained(last: tuple[int, float], ties: bool) -> None:
    first = truth({7: [(1, 0.5), (2, 1.0), (3, 1.5)]})
    second = truth({7: [(1, 0.5), (2, 1.0), last]})
    diff = diff_truths(first, second)
    assert diff.agrees == ties
    assert int(diff.changed.sum()) == (last[0] != 3)
    if last[0] != 3:
        assert by_query(first, second)[7]["by_ties"] == ties


def test_integer_vectors_tie_only_where_they_are_equally_far() -> None:
    integers = {"corpus": WHOLE, "queries": replace(queries_print(1), dtype="uint8")}
    first = truth({7: [(1, 5.0), (2, 10.0)]}, k=2, **integers)
    for far, ties in ((10.0, True), (10.0 * (1 + 1e-7), False)):
        assert diff_truths(first, truth({7: [(1, 5.0), (3, far)]}, k=2, **integers)).agrees == ties


def test_cosine_ties_are_absolute() -> None:
    first = truth({7: [(1, 0.0), (2, 0.0)]}, k=2, distance="cosine")
    for far, ties in ((9e-7, True), (2e-6, False)):
        assert diff_truths(first, truth({7: [(1, 0.0), (3, far)]}, k=2, distance="cosine")).agrees == ties


def test_ties_do_not_explain_a_row_that_was_nearer_than_the_band() -> None:
    first = truth({7: [(1, 0.5), (2, 1.5), (3, 1.5)]})
    assert not diff_truths(first, truth({7: [(2, 1.5), (3, 1.5), (4, 1.5)]})).agrees  # 1 left from before the band
    assert diff_truths(first, truth({7: [(1, 0.5), (4, 1.5), (5, 1.5)]})).agrees


def test_ties_do_not_explain_a_list_that_ends_early() -> None:
    """It holds every eligible row, so none competes for a place."""
    first = truth({7: [(1, 0.5), (2, 1.5)]})
    assert not diff_truths(first, truth({7: [(1, 0.5), (3, 1.5)]})).agrees
    assert not diff_truths(first, truth({7: [(1, 0.5)]})).agrees
    assert not diff_truths(truth({7: []}), first).agrees


def test_an_order_that_changed() -> None:
    first = truth({7: [(1, 0.5), (2, 1.0), (3, 1.5)]})
    moved = by_query(first, truth({7: [(3, 0.5), (2, 1.0), (1, 1.5)]}))[7]
    assert (moved["moved"], moved["overlap"], moved["distance_change"], moved["by_ties"]) == (2, 1.0, 0.0, False)
    tied = truth({7: [(1, 1.0), (2, 1.0 + 1e-7), (3, 1.5)]})
    swapped = truth({7: [(2, 1.0), (1, 1.0 + 1e-7), (3, 1.5)]})
    assert by_query(tied, swapped)[7]["moved"] == 2
    assert diff_truths(tied, swapped).agrees


def test_who_entered_does_not_move_the_others() -> None:
    first = truth({7: [(1, 0.5), (2, 1.0), (3, 1.5)]})
    assert by_query(first, truth({7: [(9, 0.1), (1, 0.5), (2, 1.0)]}))[7]["moved"] == 0
    assert by_query(first, truth({7: [(2, 0.5), (9, 1.0), (1, 1.5)]}))[7]["moved"] == 2


def test_a_distance_that_changed_is_a_change() -> None:
    first = truth({7: [(1, 0.5), (2, 1.0), (3, 1.5)]})
    changed = by_query(first, truth({7: [(1, 0.5), (2, 1.25), (3, 1.5)]}))[7]
    assert (changed["left"], changed["entered"], changed["distance_change"], changed["by_ties"]) == (
        [],
        [],
        0.25,
        False,
    )
    assert diff_truths(first, truth({7: [(1, 0.5), (2, math.nextafter(1.0, 2)), (3, 1.5)]})).agrees


def test_empty_lists_have_no_overlap_and_no_change() -> None:
    row = by_query(truth({7: []}), truth({7: [(1, 0.5)]}))[7]
    assert (row["cuts"], row["distance_change"], row["overlap"]) == ([None, 0.5], None, 0.0)
    shown = diff_rows(diff_truths(truth({7: []}), truth({7: [(1, 0.5)]})), 1)[0]
    assert shown[4:7] == ("0.0 %", "none → 0.5000", "")


def test_truths_of_different_depth_are_compared_as_far_as_both_go() -> None:
    deep = truth({7: [(1, 0.5), (2, 1.0), (3, 1.5)]})
    shallow = truth({7: [(1, 0.5), (2, 1.0)]}, k=2)
    diff = diff_truths(deep, shallow)
    assert diff.agrees
    assert (diff.k, diff.depths) == (2, (3, 2))
    assert "compared: 1 query at k 2 (the truths hold 3 and 2)" in diff_text(diff)
    assert diff_truths(deep, truth({7: [(1, 0.5), (4, 0.75)]}, k=2), k=1).agrees
    for k in (3, 4):
        with pytest.raises(InputError, match=f"the truth holds 2 neighbours per query and k is {k}"):
            diff_truths(shallow, deep, k=k)


def test_other_subjects_are_said_first() -> None:
    lists: Listed = {7: [(1, 0.5), (2, 1.0), (3, 1.5)]}
    first = truth(lists, distance="ip")
    second = truth(lists, corpus=replace(CORPUS, rows=999), queries=replace(queries_print(1), digest="e" * 32))
    diff = diff_truths(first, replace(second, reasons={"allowed": "kept 5 of 1,000 rows"}))
    assert not diff.agrees
    assert not diff.changed.any()
    said = diff_text(diff).splitlines()
    assert said[0] == "other subject: of the first truth, its distance is ip, not l2"
    assert "1,000 rows, not 999" in said[1]
    assert "other queries" in said[2]
    assert said[3].endswith("it leaves out nothing, not allowed: kept 5 of 1,000 rows")
    assert said[4].startswith("compared: 1 query")
    card = truth_diff_card(diff)
    assert (card["by_ties"], card["distance_change"], len(card["differences"])) == (None, None, 4)
    other = by_query(first, truth({7: [(1, 0.5), (2, 1.0), (9, 1.5)]}))[7]
    assert (other["left"], other["entered"], other["by_ties"], other["cuts"]) == ([3], [9], None, None)
    assert diff_rows(diff_truths(first, truth({7: [(9, 1.0)]})), 1)[0][5:] == ("", "", "")


def test_queries_are_matched_by_id() -> None:
    first = truth({1: [(1, 0.5)], 2: [(2, 0.5)], 3: [(3, 0.5)]}, k=1)
    second = truth({4: [(4, 0.5)], 3: [(3, 0.5)], 1: [(1, 0.5)], 5: [(5, 0.5)], 6: [(5, 0.5)], 0: [(5, 0.5)]}, k=1)
    diff = diff_truths(first, second)
    assert (diff.query_ids.tolist(), diff.only_first.tolist(), diff.only_second.tolist()) == ([1, 3], [2], [4, 5, 6, 0])
    assert not diff.changed.any()
    assert not diff.agrees
    assert "1 query in the first truth alone: 2\n4 queries in the second truth alone: 4, 5, 6 and 1 more" in diff_text(
        diff
    )
    with pytest.raises(NotAMeasurement, match="no query in common"):
        diff_truths(first, truth({9: [(1, 0.5)]}, k=1))
    with pytest.raises(NotAMeasurement, match="no query in common"):
        diff_truths(first, truth({"1": [(1, 0.5)]}, k=1))


def test_ids_of_another_kind_are_other_ids() -> None:
    first = truth({7: [(1, 0.5), (2, 1.0)]}, k=2)
    row = by_query(first, truth({7: [("1", 0.5), ("2", 1.0)]}, k=2, dtype=str))[7]
    assert (row["left"], row["entered"], row["distance_change"]) == ([1, 2], ["1", "2"], 0.0)
    assert diff_truths(first, truth({7: [(1, 0.5), (2, 1.0)]}, k=2, dtype=np.uint64)).agrees
    large = truth({7: [(2**63, 0.5), (2, 1.0)]}, k=2, dtype=np.uint64)
    assert by_query(first, large)[7]["entered"] == [str(2**63)]
    longer = truth({7: [("the name of a row that is rather long", 0.5), ("b" * 40, 1.0)]}, k=2, dtype=str)
    assert diff_truths(longer, longer).agrees


def test_the_worst_come_first_and_no_id_commands_a_terminal() -> None:
    first = truth({q: [(f"a{q}", 0.5), (f"b{q}", 1.0), (f"c{q}", 1.5)] for q in range(5)}, dtype=str)
    lists = {q: [(f"a{q}", 0.5), (f"b{q}", 1.0), (f"c{q}", 1.5)] for q in range(5)}
    lists[1] = [("a1", 0.5), ("b1", 1.0), ("\x1b[2Jx\ny", 1.5)]  # a tie
    lists[2] = [("a2", 0.5), ("b2", 1.0), ("x", 1.25)]
    lists[3] = [("x", 0.1), ("y", 0.2), ("z", 0.3)]
    lists[4] = [("a4", 0.5), ("b4", 1.0), ("x", 1.0)]
    diff = diff_truths(first, truth(lists, dtype=str))
    assert diff.worst().tolist() == [3, 4, 2, 1]
    assert diff.worst(2).tolist() == [3, 4]
    rows = diff_rows(diff, 4)
    assert [row[0] for row in rows] == ["3", "4", "2", "1"]
    assert [row[-1] for row in rows] == ["no", "no", "no", "yes"]
    assert rows[3][2] == "\ufffd[2Jx y"
    assert "4 queries changed: 1 by ties alone, 3 beyond them" in diff_text(diff)


lists_of_three = st.lists(st.integers(0, 6), unique=True, max_size=3)


@given(
    st.lists(st.tuples(lists_of_three, lists_of_three), min_size=1, max_size=4), st.permutations(range(4)), st.data()
)
def test_against_a_slow_plain_twin(pairs: list[tuple[list[int], list[int]]], order: list[int], data: Any) -> None:
    """Ids at distances of their own on each side, few of them, so that many tie."""
    far = [{own: data.draw(st.sampled_from([1.0, 2.0, 2.0 + 1e-6])) for own in range(7)} for _ in range(2)]
    if data.draw(st.booleans()):
        far[1] = far[0]
    listed: list[dict[Any, list[tuple[Any, float]]]] = [{}, {}]
    for query, pair in enumerate(pairs):
        for side, own in enumerate(pair):
            listed[side][query] = sorted(((one, far[side][one]) for one in own), key=lambda x: (x[1], x[0]))
    shuffled = {query: listed[1][query] for query in order if query < len(pairs)}
    found = by_query(truth(listed[0]), truth(shuffled))
    for query in range(len(pairs)):
        expected = twin(listed[0][query], listed[1][query])
        if expected is None:
            assert query not in found
        else:
            assert {name: found[query][name] for name in expected} == expected


def twin(first: list[tuple[Any, float]], second: list[tuple[Any, float]]) -> dict[str, Any] | None:
    """For lists of depth 3 under l2: what changed, None where nothing did."""
    if first == second:
        return None
    was, now = dict(first), dict(second)
    left, entered = [own for own in was if own not in now], [own for own in now if own not in was]
    stayed = [[own for own in one if own in other] for one, other in ((was, now), (now, was))]
    cuts = [rows[-1][1] if rows else None for rows in (first, second)]
    ties = all(abs(was[own] - now[own]) <= 1e-6 * was[own] for own in stayed[0])
    if left or entered:
        ties = ties and len(first) == len(second) == 3
        if ties:
            a, b = first[-1][1], second[-1][1]
            ties = abs(a - b) <= 1e-6 * max(a, b)
            ties = ties and all(was[own] >= a - 1e-6 * a for own in left)
            ties = ties and all(now[own] >= b - 1e-6 * b for own in entered)
    places = [abs(a[1] - b[1]) for a, b in zip(first, second, strict=False)]
    return {
        "left": left,
        "entered": entered,
        "moved": sum(a != b for a, b in zip(*stayed, strict=True)),
        "cuts": cuts,
        "distance_change": max(places, default=None),
        "by_ties": ties,
    }
