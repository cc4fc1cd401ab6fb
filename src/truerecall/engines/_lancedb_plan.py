"""What LanceDB's plans say: whether an index answers, with which settings, and what a query cost.

Counts of a thousand and more come with three digits: ``3.00 K``. Seen with LanceDB 0.40.
"""

from __future__ import annotations

import re

UNITS = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9}
ROUNDED_BY = 0.005  # of the unit


def uses_index(plan: str) -> bool:
    return "ANNSubIndex" in plan


def words(plan: str) -> str:
    """The plan in one line, without where the files lie and without numbers that are drawn anew for each index."""
    return " / ".join(re.sub(r"(uri|uuid)=[^,]*, ", "", line).strip() for line in plan.splitlines() if line.strip())


def in_force(plan: str, k: int) -> dict[str, int]:
    """``nprobes`` and ``refine_factor``, the latter 1 also where none was asked for; empty where no index is used."""
    probes = re.search(r"minimum_nprobes=(\d+), maximum_nprobes=Some\((\d+)\)", plan)
    found = re.search(r"ANNSubIndex: name=.*?, k=(\d+)", plan)
    if probes is None or found is None or probes[1] != probes[2]:
        return {}
    return {"nprobes": int(probes[1]), "refine_factor": int(found[1]) // k}


def counted(plan: str, name: str) -> int:
    """The sum of a counter over an analysed plan, with three digits where it is large."""
    return round(sum(float(number) * UNITS[unit] for number, unit in _counts(plan, name)))


def counted_at_most(plan: str, name: str) -> int:
    """The same, as large as it can have been before it was rounded."""
    whole = (
        int(number) if not unit else (float(number) + ROUNDED_BY) * UNITS[unit] for number, unit in _counts(plan, name)
    )
    return round(sum(whole))


def _counts(plan: str, name: str) -> list[tuple[str, str]]:
    return re.findall(rf"\b{name}=([\d.]+) ?([KMB]?)\b", plan)
