"""What the planner of PostgreSQL made of a query: its plan as EXPLAIN (FORMAT JSON) gives it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from truerecall.model.engine import SearchPath


def path_of(plan: dict[str, Any]) -> SearchPath | None:
    """Whether rows come in the order of an index, or all of them are scanned and sorted. None for a plan that does both
    or neither, as one over several partitions may."""
    ways = {_way(node) for node in nodes(plan) if _reads_rows(node)}
    return ways.pop() if len(ways) == 1 else None


def words_of(plan: dict[str, Any]) -> str:
    """The nodes of the plan from the top, as ``Limit > Index Scan using NAME on TABLE``."""
    return " > ".join(_words(node) for node in nodes(plan))


def indexes_in(plan: dict[str, Any]) -> set[str]:
    """The names of the indexes that give the order of rows."""
    return {node["Index Name"] for node in nodes(plan) if "Order By" in node and "Index Name" in node}


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes(below)


def _reads_rows(node: dict[str, Any]) -> bool:
    """What bitmap index scans give are places of rows, which a heap scan above them reads."""
    if node["Node Type"] == "Bitmap Heap Scan":
        return True
    return "Plans" not in node and node["Node Type"] != "Bitmap Index Scan"


def _way(node: dict[str, Any]) -> SearchPath | None:
    # An index that only filters has no order to give: what it finds is compared row by row.
    if "Order By" in node:
        return "index"
    return "full scan" if "Relation Name" in node else None


def _words(node: dict[str, Any]) -> str:
    index = f" using {node['Index Name']}" if "Index Name" in node else ""
    table = f" on {node['Relation Name']}" if "Relation Name" in node else ""
    return f"{node['Node Type']}{index}{table}"
