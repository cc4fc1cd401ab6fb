"""Ten measures on many queries beside other tools' recall, in one process.

    python benchmarks/score.py [--queries 10000] [-k 100] [--repeats 5]

Every tool gets the same answers as it likes them best: arrays here and for ann-benchmarks' formula, its own Qrels and
Run for ranx, dictionaries for ir-measures; making those is not timed. ann-benchmarks' formula is written out anew from
its definition: the share of the k answers whose distance is at most the k-th true one plus 1e-3; ids are not compared.
Tools that are not installed are left out. Loading a library, compiling included, is timed apart; so are the intervals.
"""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

import truerecall

MISSED = 0.1


def world(queries: int, k: int) -> dict[str, Any]:
    """True lists of distinct ids with their distances, and answers that miss a tenth of them."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 10**6, (queries, 1)) + np.argsort(rng.random((queries, 4 * k)), axis=1)[:, :k]
    at = 1.0 + np.sort(rng.random((queries, k)), axis=1)
    missed = rng.random(truth.shape) < MISSED
    found, came = truth.copy(), at.copy()
    found[missed] = 2 * 10**6 + np.arange(int(missed.sum()))
    came[missed] = 2.0 + rng.random(int(missed.sum()))
    return {"truth": truth, "at": at, "found": found, "came": came}


def ten(k: int) -> list[str]:
    plain = [f"{name}@{k}" for name in ("recall", "tie_recall", "ratio", "rde", "mrr")]
    arguments = {"eps_recall": "0.01", "tolerant_recall": "1%", "robustness": "0.9", "rbo": "0.9"}
    return [*plain, f"1-recall@{k}", *(f"{name}@{k}({argument})" for name, argument in arguments.items())]


def by_distance(at: Any, came: Any) -> Any:
    """ann-benchmarks' recall of each query."""
    return (came <= at[:, -1:] + 1e-3).mean(axis=1)


def best(repeats: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """The shortest of several times in seconds, and what came out."""
    seconds, out = [], None
    for _ in range(repeats):
        start = perf_counter()
        out = work()
        seconds.append(perf_counter() - start)
    return min(seconds), out


def ours(given: dict[str, Any], names: list[str]) -> dict[str, Any]:
    distances = {"truth_distances": given["at"], "answer_distances": given["came"]}
    return dict(truerecall.per_query(names, given["truth"], given["found"], **distances))


def ranx_pass(given: dict[str, Any], k: int) -> Callable[[], Any]:
    from ranx import Qrels, Run, evaluate

    n = len(given["truth"])
    qrels = Qrels({str(q): dict.fromkeys(map(str, given["truth"][q]), 1) for q in range(n)})
    run = Run({str(q): {str(i): float(-r) for r, i in enumerate(given["found"][q])} for q in range(n)})
    return lambda: evaluate(qrels, run, f"recall@{k}", make_comparable=False)


def ir_measures_pass(given: dict[str, Any], k: int) -> Callable[[], Any]:
    import ir_measures

    n = len(given["truth"])
    qrels = {str(q): dict.fromkeys(map(str, given["truth"][q].tolist()), 1) for q in range(n)}
    run = {str(q): {str(i): float(-r) for r, i in enumerate(given["found"][q].tolist())} for q in range(n)}
    evaluator = ir_measures.evaluator([ir_measures.R @ k], qrels)
    return lambda: evaluator.calc_aggregate(run)[ir_measures.R @ k]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--queries", type=int, default=10_000)
    options.add_argument("-k", type=int, default=100)
    options.add_argument("--repeats", type=int, default=5)
    chosen = options.parse_args()
    k, repeats = chosen.k, chosen.repeats
    given, names = world(chosen.queries, k), ten(k)

    print(f"{chosen.queries:,} queries x k = {k}; the best of {repeats}\n")
    print(f"{'':44}{'load':>9}{'seconds':>10}{'mean recall':>13}")

    def row(what: str, load_s: float, seconds: float, mean: float | None) -> None:
        print(f"{what:44}{load_s:9.2f}{seconds:10.4f}" + (f"{mean:13.5f}" if mean is not None else ""))

    start = perf_counter()
    ours(given, names)
    load_s = perf_counter() - start
    seconds, values = best(repeats, lambda: ours(given, names))
    row("truerecall, ten measures", load_s, seconds, float(values[names[0]].mean()))
    seconds, values = best(repeats, lambda: ours(given, names[:1]))
    row("truerecall, recall alone", load_s, seconds, float(values[names[0]].mean()))
    seconds, mean = best(repeats, lambda: by_distance(given["at"], given["came"]).mean())
    row("ann-benchmarks' formula, recall alone", 0.0, seconds, float(mean))
    for library, prepare in (("ranx", ranx_pass), ("ir_measures", ir_measures_pass)):
        if importlib.util.find_spec(library) is None:
            print(f"{library} is not installed")
            continue
        start = perf_counter()
        once = prepare(given, k)
        once()
        load_s = perf_counter() - start
        seconds, mean = best(repeats, once)
        row(f"{library}, recall alone", load_s, seconds, float(mean))

    from truerecall.kernels.intervals import mean_interval

    every = ours(given, names)
    seconds, _ = best(
        1,
        lambda: [mean_interval(column.compressed(), seed=0, bounds=(-1.0, float("inf"))) for column in every.values()],
    )
    row("truerecall, the ten intervals apart", 0.0, seconds, None)


if __name__ == "__main__":
    main()
