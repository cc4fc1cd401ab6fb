"""truerecall: measures whether a vector index returns the right answers, and checks that the ruler is straight.

The public names below are loaded when they are first used; importing the package loads NumPy and nothing else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from truerecall.engines._base import BareEngine as BareEngine
    from truerecall.engines._base import BareIndex as BareIndex
    from truerecall.engines.callable import callable_engine as callable_engine
    from truerecall.model.engine import IndexState as IndexState
    from truerecall.model.engine import Place as Place
    from truerecall.model.engine import Setting as Setting
    from truerecall.model.measure_name import MeasureName as MeasureName
    from truerecall.model.mode import Mode as Mode
    from truerecall.model.plan import EnginePlan as EnginePlan
    from truerecall.model.plan import Plan as Plan
    from truerecall.model.settings import checked_settings as checked_settings
    from truerecall.model.source import ArraySource as ArraySource
    from truerecall.model.truth import GroundTruth as GroundTruth
    from truerecall.model.vectors import Corpus as Corpus
    from truerecall.model.vectors import QuerySet as QuerySet
    from truerecall.steps.arrays import eps_recall_at_k as eps_recall_at_k
    from truerecall.steps.arrays import per_query as per_query
    from truerecall.steps.arrays import recall_at_k as recall_at_k
    from truerecall.steps.arrays import tie_recall_at_k as tie_recall_at_k
    from truerecall.steps.arrays import tolerant_recall_at_k as tolerant_recall_at_k
    from truerecall.steps.compare import compare_runs as compare_runs
    from truerecall.steps.compare_answers import compare_answers as compare_answers
    from truerecall.steps.corpora import open_corpus as open_corpus
    from truerecall.steps.curve import curves_of as curves_of
    from truerecall.steps.identify import identify as identify
    from truerecall.steps.inspect import inspect as inspect
    from truerecall.steps.judge import judge as judge
    from truerecall.steps.judge import judge_as_usual as judge_as_usual
    from truerecall.steps.measurement import Inputs as Inputs
    from truerecall.steps.measurement import measure as measure
    from truerecall.steps.refresh import refresh_truth as refresh_truth
    from truerecall.steps.run import run as run
    from truerecall.steps.sample import Wish as Wish
    from truerecall.steps.sample import draw as draw
    from truerecall.steps.score import score_run as score_run
    from truerecall.steps.score import score_runs as score_runs
    from truerecall.steps.score_answers import score as score
    from truerecall.steps.truth import build_truth as build_truth
    from truerecall.steps.truth_diff import diff_truths as diff_truths
    from truerecall.steps.verify import verify_truth as verify_truth
    from truerecall.store.answers import read_answers as read_answers
    from truerecall.store.runs import load_run as load_run
    from truerecall.store.truths import load_truth as load_truth
    from truerecall.store.truths import save_truth as save_truth
    from truerecall.store.vectors import open_queries as open_queries

__version__ = "0.1.0"

_PLACES = {
    "ArraySource": "model.source",
    "BareEngine": "engines._base",
    "BareIndex": "engines._base",
    "Corpus": "model.vectors",
    "EnginePlan": "model.plan",
    "GroundTruth": "model.truth",
    "IndexState": "model.engine",
    "Inputs": "steps.measurement",
    "MeasureName": "model.measure_name",
    "Mode": "model.mode",
    "Place": "model.engine",
    "Plan": "model.plan",
    "QuerySet": "model.vectors",
    "Setting": "model.engine",
    "Wish": "steps.sample",
    "build_truth": "steps.truth",
    "callable_engine": "engines.callable",
    "checked_settings": "model.settings",
    "compare_answers": "steps.compare_answers",
    "compare_runs": "steps.compare",
    "curves_of": "steps.curve",
    "diff_truths": "steps.truth_diff",
    "draw": "steps.sample",
    "eps_recall_at_k": "steps.arrays",
    "identify": "steps.identify",
    "inspect": "steps.inspect",
    "judge": "steps.judge",
    "judge_as_usual": "steps.judge",
    "load_run": "store.runs",
    "load_truth": "store.truths",
    "measure": "steps.measurement",
    "open_corpus": "steps.corpora",
    "open_queries": "store.vectors",
    "per_query": "steps.arrays",
    "recall_at_k": "steps.arrays",
    "read_answers": "store.answers",
    "refresh_truth": "steps.refresh",
    "run": "steps.run",
    "save_truth": "store.truths",
    "score": "steps.score_answers",
    "score_run": "steps.score",
    "score_runs": "steps.score",
    "tie_recall_at_k": "steps.arrays",
    "tolerant_recall_at_k": "steps.arrays",
    "verify_truth": "steps.verify",
}


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return getattr(import_module(f"truerecall.{_PLACES[name]}"), name)
    raise AttributeError(f"module 'truerecall' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_PLACES])
