"""The same queries in every mode: the same answers under the same queries, and times, failures and costs that are
theirs."""

from __future__ import annotations

import gc
import threading
import time
from typing import Any

import faiss
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.steps.asked_index import AskedIndex, K, ask_all, queries, recall, truth
from truerecall.model.arrays import Vectors
from truerecall.model.mode import Mode
from truerecall.model.progress import Silent
from truerecall.steps import asking, one_pass
from truerecall.steps.asking import Sheet, ask, shares

MODES = [Mode(), *(Mode("batch", size) for size in (1, 3, 99)), *(Mode("clients", n) for n in (1, 2, 5, 40))]
every_mode = pytest.mark.parametrize("mode", MODES, ids=str)


@every_mode
def test_h26_recall_is_the_same_in_every_mode(mode: Mode) -> None:
    asked = ask_all(AskedIndex(), 10, mode)
    assert recall(asked) == 1.0
    assert [list(rows) for rows in asked.rows] == [truth(query) for query in range(10)]
    assert (asked.failures == "").all()


@pytest.mark.parametrize(("clients", "spoilt"), [(1, 1.0), (2, 0.5), (5, 0.2)])
def test_h26_answers_that_each_client_files_from_row_0_are_noticed(
    clients: int, spoilt: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def filed_from_row_0(call: Any, asked: Any, k: int, sheet: Sheet, first: int) -> None:
        ask(call, asked, k, sheet, 0)

    monkeypatch.setattr(asking, "ask", filed_from_row_0)
    asked = ask_all(AskedIndex(), 10, Mode("clients", clients))
    right = [set(rows) == set(truth(query)) for query, rows in enumerate(asked.rows)]
    # Which client files last is chance, but no place beyond a share is ever filed, and those before it collide.
    assert sum(asked.failures != "") == 10 - 10 // clients
    assert recall(asked) <= spoilt
    assert all(right) is (clients == 1)
    monkeypatch.undo()
    assert recall(ask_all(AskedIndex(), 10, Mode("clients", clients))) == 1.0


@given(st.integers(0, 200), st.integers(1, 50))
def test_shares_are_contiguous_complete_and_even(count: int, clients: int) -> None:
    parts = shares(count, clients)
    assert len(parts) == clients
    assert [place for part in parts for place in part] == list(range(count))
    lengths = [len(part) for part in parts]
    assert max(lengths) - min(lengths) <= 1


@every_mode
def test_h27_failed_calls_are_those_that_failed(mode: Mode) -> None:
    dead = ask_all(AskedIndex(lambda query: True), 60, mode)
    assert dead.failures.tolist() == ["ConnectionError: refused"] * 60
    assert all(len(rows) == 0 for rows in dead.rows)
    assert dead.wall_s > 0
    assert dead.cost["distance_computations"] >= 0
    some = ask_all(AskedIndex(lambda query: query in (1, 3)), 5, mode)
    failed = (some.failures != "").tolist()
    if mode.kind == "batch" and mode.size > 1:
        assert {1, 3} <= {query for query, own in enumerate(failed) if own}
        by_call = {int(call): {failed[q] for q in np.flatnonzero(some.call == call)} for call in some.call}
        assert all(len(own) == 1 for own in by_call.values())  # a batch that failed failed all its queries
    else:
        assert failed == [False, True, False, True, False]
        assert recall(some) == 3 / 5


@every_mode
def test_h28_the_warm_up_is_left_out_and_counted(mode: Mode) -> None:
    index = AskedIndex()
    asked = ask_all(index, 100, mode, warmup=250)
    size = mode.size if mode.kind == "batch" else 1
    assert asked.warmup_calls == -(-250 // size)
    timed = -(-100 // size)
    again = timed * (mode.kind == "clients" and index.counts)  # the costs of clients are counted apart
    assert len(index.seen) == asked.warmup_calls + timed + again * 100 // timed
    assert len(asked.latency_s) == 100
    assert (asked.latency_s > 0).all()
    assert sorted(set(asked.call.tolist())) == list(range(timed))


@every_mode
def test_costs_are_those_of_the_pass_alone_and_the_same_in_every_mode(mode: Mode) -> None:
    counted = ask_all(AskedIndex(), 30, mode, warmup=17)
    assert (counted.cost, counted.by_formula) == ({"distance_computations": 300}, ())
    scanned = ask_all(AskedIndex(lambda query: query == 4, counts=False), 30, mode)
    answered = int((scanned.failures == "").sum())
    assert (scanned.cost, scanned.by_formula) == ({"vectors_scanned": 7 * answered}, ("vectors_scanned",))


def test_the_numbers_of_calls_are_in_the_order_in_which_they_began() -> None:
    order = np.random.default_rng(0).permutation(9).tolist()
    assert [int(np.flatnonzero(ask_all(AskedIndex(), 9).call == place)[0]) for place in range(9)] == order
    batches = ask_all(AskedIndex(), 9, Mode("batch", 4))
    assert [batches.call[query] for query in order] == [0, 0, 0, 0, 1, 1, 1, 1, 2]
    shared = [batches.latency_s[query] for query in order]
    assert len(set(shared[:4])) == len(set(shared[4:8])) == 1


def test_a_batch_is_one_call_of_the_engine_with_its_queries_side_by_side() -> None:
    index = AskedIndex()
    ask_all(index, 7, Mode("batch", 3))
    order = np.random.default_rng(0).permutation(7).tolist()
    assert index.seen == [order[:3], order[3:6], order[6:]]


def test_a_batch_with_too_few_answers_is_a_failed_one() -> None:
    class Short(AskedIndex):
        def search_batch(self, queries: Vectors, k: int) -> Any:
            return super().search_batch(queries, k)[: max(1, len(queries) - 1)]

    asked = ask_all(Short(), 7, Mode("batch", 3))
    order = np.random.default_rng(0).permutation(7).tolist()
    said = [str(asked.failures[query]) for query in order]
    assert said == ["2 answers came to a batch of 3 queries"] * 6 + [""]


class Slow(AskedIndex):
    """Takes its time, off Python's lock, and knows how many are in it at once."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = self.most = 0
        self.threads: set[int] = set()
        self.limits: set[int] = set()
        self.lock = threading.Lock()

    def search(self, query: Vectors, k: int) -> Any:
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
            self.threads.add(threading.get_ident())
            self.limits.add(faiss.omp_get_max_threads())
        time.sleep(0.01)
        with self.lock:
            self.inside -= 1
        return super().search(query, k)

    def cost(self) -> dict[str, int]:
        return {}


def test_clients_ask_at_the_same_time_each_on_a_thread_of_its_own() -> None:
    index = Slow()
    asked = ask_all(index, 24, Mode("clients", 4))
    assert index.most == 4
    assert len(index.threads) == 4
    assert index.limits == {1}  # OpenMP keeps its limit for each thread that calls it
    assert 0.06 <= asked.wall_s < asked.latency_s.sum()
    assert (asked.latency_s >= 0.01).all()


def test_more_clients_than_queries_are_as_many_as_there_are_queries() -> None:
    index = Slow()
    ask_all(index, 3, Mode("clients", 40))
    assert index.most == 3


def test_the_wall_time_is_that_of_the_calls_without_what_progress_takes() -> None:
    class Dawdling(Silent):
        told = 0

        def advance(self, amount: int) -> None:
            self.told += amount
            time.sleep(0.05)

    progress = Dawdling()
    asked = ask_all(AskedIndex(), 40, progress=progress)
    assert progress.told == 40
    assert asked.latency_s.sum() <= asked.wall_s < 0.2


@every_mode
def test_the_weight_of_the_loop_is_measured_without_the_engine(mode: Mode) -> None:
    index = Slow()
    asked = ask_all(index, 2, mode)
    assert 0 < asked.harness_s < 0.001


def test_nothing_is_collected_while_the_clock_runs() -> None:
    seen: list[bool] = []

    class Watching(AskedIndex):
        def search(self, query: Vectors, k: int) -> Any:
            seen.append(gc.isenabled())
            return super().search(query, k)

    ask_all(Watching(), 3, warmup=2)
    assert seen == [True, True, False, False, False]
    assert gc.isenabled()


def test_a_long_warm_up_holds_no_more_than_one_round_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []

    def noted(call: Any, asked: Any, k: int, sheet: Sheet, first: int) -> None:
        lengths.append(len(asked))
        ask(call, asked, k, sheet, first)

    monkeypatch.setattr(one_pass, "ask", noted)
    asked = ask_all(AskedIndex(), 10, warmup=95)
    assert lengths[:10] == [10] * 9 + [5]
    assert asked.warmup_calls == 95


def test_queries_are_not_changed() -> None:
    index: Any = AskedIndex()
    given_ = queries(5)
    before = given_.copy()
    order = np.array([4, 2, 0, 1, 3])
    one_pass.ask_every_query(index, given_, K, order=order, mode=Mode("batch", 2), warmup=3, progress=Silent())
    assert (given_ == before).all()
