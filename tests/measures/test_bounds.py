"""What holds between the measures, whatever came back."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.nouns import answers_of
from truerecall.model.answers import Answers
from truerecall.model.cut import NOTHING
from truerecall.model.measure_name import MeasureName
from truerecall.shelf import measures

ORDERLESS = ("recall", "tie_recall", "eps_recall(0.05)", "tolerant_recall(5%)", "robustness(0.5)", "ratio", "rde")
ORDERED = ("rbo(0.9)", "kendall", "mrr")
DISTANCES = st.sampled_from([0.0, 0.5, 1.0, 1.0 + 5e-7, 1.0 + 2e-6, 1.02, 1.2, 2.0])


@st.composite
def worlds(draw: st.DrawFn) -> dict[str, Any]:
    """A few queries over nine rows each, of which some may not answer: their true lists and what came back."""
    k = draw(st.integers(1, 5))
    distance = draw(st.sampled_from(["l2", "l1", "ip", "cosine"]))
    truth, found, may = [], [], []
    for _ in range(draw(st.integers(1, 4))):
        rows = draw(st.lists(DISTANCES, min_size=9, max_size=9))
        rows = [-d if distance == "ip" else d for d in rows]
        if draw(st.booleans()) and distance == "ip":
            rows = [-d for d in rows]  # negative scores
        allowed = draw(st.lists(st.booleans(), min_size=9, max_size=9))
        order = sorted((d, code) for code, d in enumerate(rows) if allowed[code])
        truth.append([(code, d) for d, code in order[:k]])
        came = draw(st.lists(st.integers(-1, 10), max_size=k + 2))
        found.append([(code, rows[code] if 0 <= code < 9 else float("nan")) for code in came])
        may.append([0 <= code < 9 and allowed[code] for code in came])
    return {"k": k, "distance": distance, "truth": truth, "found": found, "may": may}


def answers(world: dict[str, Any], **changed: Any) -> Answers:
    world = {**world, **changed}
    width = max((len(row) for row in world["may"]), default=0)
    return answers_of(
        [[code for code, _ in row] for row in world["truth"]],
        [[code for code, _ in row] for row in world["found"]],
        truth_distances=[[d for _, d in row] for row in world["truth"]],
        found_distances=[[d for _, d in row] for row in world["found"]],
        distance=world["distance"],
        may_count=np.array([row + [False] * (width - len(row)) for row in world["may"]], np.bool_).reshape(
            len(world["may"]), width
        ),
    )


def values(base: str, given_answers: Answers, k: int) -> tuple[list[float], list[str]]:
    name = MeasureName.parse(base, default_k=k)
    measure = measures.get(name.base)
    score = measure.per_query(given_answers, name)
    return score.values.tolist(), score.undefined.tolist()


def fits(base: str, world: dict[str, Any]) -> bool:
    geometries = measures.get(MeasureName.parse(base, default_k=1).base).geometries
    return not geometries or world["distance"] in geometries


@given(worlds())
def test_recall_tolerant_eps_and_recall_tie_aware_returned(world: dict[str, Any]) -> None:
    k, given_answers = world["k"], answers(world)
    recall, tie, eps, tolerant = (np.array(values(base, given_answers, k)[0]) for base in ORDERLESS[:4])
    assert (recall <= tolerant).all()
    assert (tolerant <= eps).all()
    assert (recall <= tie).all()
    for row, came, may, value in zip(world["truth"], world["found"], world["may"], tie, strict=True):
        returned = {code for (code, _), fit in zip(came[:k], may, strict=False) if fit}
        assert value <= (len(returned) / len(row) if row else 0.0)
        assert 0 <= value <= 1
    wider = np.array(values("tolerant_recall(20%)", given_answers, k)[0])
    assert (tolerant <= wider).all()


@given(worlds())
def test_what_may_not_answer_never_counts(world: dict[str, Any]) -> None:
    """Rows that may not answer are worth what ids are worth that no row bears, repeats counted alike."""
    strangers = [
        [(code, d) if fit else (code if code == NOTHING else 100 + code, float("nan")) for (code, d), fit in pairs]
        for pairs in (list(zip(row, may, strict=True)) for row, may in zip(world["found"], world["may"], strict=True))
    ]
    for base in (*ORDERLESS, *ORDERED):
        if fits(base, world):
            assert values(base, answers(world), world["k"]) == values(base, answers(world, found=strangers), world["k"])


@given(worlds())
def test_exact_search_is_perfect(world: dict[str, Any]) -> None:
    found = world["truth"]
    may = [[True] * len(row) for row in found]
    perfect = answers(world, found=found, may=may)
    assert perfect.of_exact_search.truth is perfect.truth
    for base in (*ORDERLESS, *ORDERED):
        if not fits(base, world):
            continue
        got, undefined = values(base, perfect, world["k"])
        best = 0.0 if base == "rde" else 1.0
        assert all(abs(v - best) < 1e-9 for v, reason in zip(got, undefined, strict=True) if not reason), base


@given(worlds(), st.randoms(use_true_random=False))
def test_the_order_of_queries_and_of_answers_does_not_matter(world: dict[str, Any], random: Any) -> None:
    k, n = world["k"], len(world["truth"])
    order = random.sample(range(n), n)
    moved = {side: [world[side][i] for i in order] for side in ("truth", "found", "may")}
    inside: dict[str, Any] = {"found": [], "may": []}
    for row, may in zip(world["found"], world["may"], strict=True):
        places = random.sample(range(min(k, len(row))), min(k, len(row)))
        inside["found"].append([row[i] for i in places])
        inside["may"].append([may[i] for i in places])
    for base in (*ORDERLESS, *ORDERED):
        if not fits(base, world):
            continue
        got, undefined = values(base, answers(world), k)
        assert values(base, answers(world, **moved), k) == ([got[i] for i in order], [undefined[i] for i in order])
        if base in ORDERLESS:
            assert values(base, answers(world, **inside), k) == (got, undefined)
