"""An index of LanceDB: what can be asked of it, what it says of itself, what its plans say of a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from truerecall.engines import _lancedb_plan as plans
from truerecall.engines._base import BareIndex
from truerecall.engines._casts import cast_in_words
from truerecall.engines._choice import checked_choice
from truerecall.engines._filter_sql import sql_of
from truerecall.engines._folders import pack, size_on_disk
from truerecall.engines._lancedb_filling import as_stored, batch
from truerecall.engines._lancedb_table import PARTITIONS, VectorTable, reason
from truerecall.engines._lancedb_words import GRAPHS, OWN_NAMES, in_backticks, search_settings
from truerecall.errors import EngineFailed, InputError
from truerecall.model.arrays import Vectors
from truerecall.model.engine import Answer, IndexState, Settings, Value
from truerecall.model.filter import Filter
from truerecall.model.settings import checked_settings

QUERY = "query_index"
ASKED_K = 10  # of the query whose plan stands for all


@dataclass(eq=False)
class LanceIndex(BareIndex):
    """A table that is open. ``folder``: its own, None where it was attached to; ``dtype``: the element type of the
    vectors that it was given, None where nobody knows. ``asked`` are the queries since ``reset_cost``."""

    opened: VectorTable
    distance: str
    folder: Path | None = None
    dtype: np.dtype[Any] | None = None
    condition: str = ""
    in_force: dict[str, Value] = field(default_factory=dict, init=False)
    asked: list[tuple[Vectors, int]] = field(default_factory=list, init=False)
    engine = "lancedb"

    def __post_init__(self) -> None:
        self.answers: Literal["rows", "ids"] = "ids" if self.folder is None else "rows"
        self.dimensions = self.opened.dimensions
        self.searchable = search_settings(self._kind())
        self.configure({})

    def configure(self, settings: Settings) -> Settings:
        """What the plan of a query tells of the settings is compared; ``ef`` is in no plan."""
        asked = checked_settings(settings, self.searchable)
        for name in ("fast_search", "prefilter"):
            if name in asked:
                checked_choice(name, asked[name], ("no", "yes"))
        self.in_force = {
            setting.name: setting.default for setting in self.searchable if setting.default is not None
        } | asked
        for name, value in plans.in_force(self._plan(), ASKED_K).items():
            wanted = max(int(self.in_force[name]), 1)
            if value != wanted:
                raise EngineFailed(f"{name} is {value} in LanceDB's plan and was set to {wanted}", "set another value")
        return dict(self.in_force)

    def restrict(self, where: Filter | None) -> None:
        """Whether the condition is applied before the search or to the k rows that it found, a setting says; an exact
        search applies it before."""
        before, self.condition = self.condition, "" if where is None else sql_of(where, in_backticks)
        try:
            self._plan()
        except (ValueError, RuntimeError) as error:
            self.condition = before
            raise InputError(f"LanceDB does not take {where}: {reason(error)}", "mend the filter") from None

    def prepare(self, queries: Vectors) -> Vectors:
        return as_stored(queries, self.opened.dtype)

    def search(self, query: Vectors, k: int) -> Answer:
        self._demand_candidates(k)
        self.asked.append((query, k))
        return self._ids(self._answered(self._query(query[0], k)))

    def search_batch(self, queries: Vectors, k: int) -> Sequence[Answer]:
        self._demand_candidates(k)
        self.asked += [(queries[i : i + 1], k) for i in range(len(queries))]
        if len(queries) == 1:  # its answer bears no numbers of queries
            return [self._ids(self._answered(self._query(queries[0], k)))]
        found = self._answered(self._query([row.tolist() for row in queries], k))
        numbers = found[QUERY].to_numpy()
        return [self._ids(found.filter(pa.array(numbers == i))) for i in range(len(queries))]

    def exact(self, query: Vectors, k: int) -> Answer:
        asked = self._bare(query[0], k, filters_first=True)
        return self._ids(self._answered(asked.bypass_vector_index()))

    def state(self) -> IndexState:
        found, plan = self.opened.index(), self._plan()
        through = plans.uses_index(plan)
        rows = self.opened.table.count_rows()
        indexed = 0 if found is None else int(found[1].num_indexed_rows)
        return IndexState(
            kind=self._kind() or "no index",
            rows=rows,
            indexed_rows=indexed,
            trained=None,
            transform=self._transform(),
            size_bytes=None if self.folder is None else size_on_disk(self.folder),
            exact_by_design=False,
            path="index" if through else "full scan",
            told=self._told(found) + plans.words(plan),
            exhaustive=self.opened.dtype != np.float16
            and (not self.condition or self._filters_first())
            and (not through or self._every_partition(rows - indexed)),
        )

    def reset_cost(self) -> None:
        self.asked = []

    def cost(self) -> Mapping[str, int]:
        """What the queries since ``reset_cost`` cost: each is asked once more with LanceDB's counting plan, so that
        nothing timed pays for it. Counts of a thousand and more per query come with three digits. Graphs count no
        distances; where rows are in no index, those that were scanned are not counted, so that none are told."""
        analysed = [self._query(query[0], k).analyze_plan() for query, k in self.asked]
        searched = sum(plans.counted(plan, "partitions_searched") for plan in analysed)
        if not searched:
            return {}
        spent = {"partitions_searched": searched}
        found = self.opened.index()
        if found is not None and self._kind() not in GRAPHS and not found[1].num_unindexed_rows:
            spent["distance_computations"] = sum(
                plans.counted(plan, "index_comparisons") + plans.counted(plan, PARTITIONS) for plan in analysed
            )
        return spent

    def vectors_scanned(self, k: int) -> int | None:
        scanned = not self.condition and not plans.uses_index(self._plan())
        return int(self.opened.table.count_rows()) if scanned else None

    def delete(self, rows: Answer) -> None:
        if self.folder is None:
            self._cannot("delete")
        self.opened.table.delete(f"{self.opened.id} IN ({', '.join(str(int(row)) for row in rows)})")

    def update(self, rows: Answer, vectors: Vectors) -> None:
        """Rows that were changed are in no index until there is a new one."""
        if self.folder is None:
            self._cannot("update")
        table = self.opened.table
        schema = pa.schema([table.schema.field(self.opened.id), table.schema.field(self.opened.vector)])
        changed = batch([int(row) for row in rows], as_stored(vectors, self.opened.dtype), schema)
        table.merge_insert(self.opened.id).when_matched_update_all().execute(pa.Table.from_batches([changed]))

    def save(self, path: Path) -> None:
        if self.folder is None:
            self._cannot("save")
        pack(self.folder, path)

    def close(self) -> None:
        self.asked = []
        self.opened = VectorTable(None, "", "")

    def _kind(self) -> str | None:
        found = self.opened.index()
        return None if found is None else str(found[1].index_type)

    def _bare(self, query: Any, k: int, *, filters_first: bool) -> Any:
        asked = self.opened.query(query, OWN_NAMES[self.distance], k)
        return asked.where(self.condition, prefilter=filters_first) if self.condition else asked

    def _filters_first(self) -> bool:
        return self.in_force.get("prefilter", "yes") == "yes"

    def _query(self, query: Any, k: int) -> Any:
        asked, told = self._bare(query, k, filters_first=self._filters_first()), self.in_force
        if "nprobes" in told:
            asked = asked.nprobes(told["nprobes"])
        if told.get("ef"):
            asked = asked.ef(told["ef"])
        if told.get("refine_factor"):
            asked = asked.refine_factor(told["refine_factor"])
        return asked.fast_search() if told.get("fast_search") == "yes" else asked

    def _demand_candidates(self, k: int) -> None:
        """Raises EngineFailed for an ``ef`` that LanceDB refuses in words that name neither setting."""
        ef, factor = int(self.in_force.get("ef", 0)), max(1, int(self.in_force.get("refine_factor", 0)))
        if 0 < ef < k * factor:
            problem = f"LanceDB takes no ef of {ef} for {k * factor} candidates (k {k} times refine_factor {factor})"
            raise EngineFailed(problem, f"set ef to {k * factor} at least, or to 0 to leave it to LanceDB")

    def _answered(self, asked: Any) -> Any:
        try:
            return asked.to_arrow()
        except RuntimeError as error:
            raise EngineFailed(f"LanceDB refuses: {reason(error)}", "change the settings of the search") from None

    def _ids(self, found: Any) -> Answer:
        column = found[self.opened.id]
        ids: Answer = column.to_numpy() if self.answers == "rows" else column.to_pylist()
        return ids

    def _plan(self) -> str:
        return str(self._query(self.opened.some_vector(), ASKED_K).explain_plan(verbose=True))

    def _partitions(self) -> int:
        """How many there are at most."""
        return plans.counted_at_most(self.opened.partitions_plan(), PARTITIONS)

    def _every_partition(self, unindexed: int) -> bool:
        left_out = unindexed and self.in_force["fast_search"] == "yes"
        return self._kind() == "IVF_FLAT" and not left_out and int(self.in_force["nprobes"]) >= self._partitions()

    def _told(self, found: tuple[Any, Any] | None) -> str:
        if found is None:
            return ""
        reach = found[1]
        told = f"{reach.index_type} for {reach.distance_type}, num_indexed_rows {reach.num_indexed_rows}, "
        return f"{told}num_unindexed_rows {reach.num_unindexed_rows}, {self._partitions()} partitions; "

    def _transform(self) -> str:
        return "none" if self.dtype is None else cast_in_words(self.dtype, self.opened.dtype.name) or "none"
