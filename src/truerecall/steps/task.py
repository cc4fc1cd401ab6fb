"""What a bench is told to do."""

from __future__ import annotations

from dataclasses import dataclass

from truerecall.model.arrays import Integers
from truerecall.model.engine import Settings
from truerecall.model.filter import Filter
from truerecall.model.mode import Mode


@dataclass(frozen=True, eq=False)
class Task:
    """One pass: the search settings, how and in what ``order`` the queries are asked, how many to warm up with, and the
    filter behind which is searched, None where all rows may answer."""

    search: Settings
    mode: Mode
    k: int
    warmup: int
    order: Integers
    where: Filter | None = None
