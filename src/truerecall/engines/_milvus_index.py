"""A collection of Milvus with an index: what can be asked of it, and what it says of itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from truerecall.engines._base import BareIndex
from truerecall.engines._casts import as_float32, cast_in_words
from truerecall.engines._folders import pack
from truerecall.engines._milvus_client import STATEMENT_TIMEOUT_S, Address, connected, let_go, pymilvus
from truerecall.engines._milvus_filter import expression
from truerecall.engines._milvus_lite import rows_with_an_index
from truerecall.engines._milvus_settings import EXHAUSTIVE, searchable
from truerecall.engines._stderr import nothing_on_stderr
from truerecall.errors import InputError
from truerecall.model.arrays import Vectors
from truerecall.model.engine import Answer, IndexState, SearchPath, Settings
from truerecall.model.filter import Filter
from truerecall.model.settings import checked_settings

# Once more, for a server closes connections that were idle for long; left alone pymilvus tries 75 times.
PATIENCE: Mapping[str, Any] = {"timeout": STATEMENT_TIMEOUT_S, "retry_times": 1}


@dataclass(frozen=True)
class Collection:
    """A collection, its primary key, one of its vector fields, and the index over that one."""

    name: str
    id: str
    vector: str
    dimensions: int
    kind: str
    measure: str
    parameters: Mapping[str, Any]


@dataclass(eq=False)
class MilvusIndex(BareIndex):
    """``where``: the server, or the file of Milvus Lite in this process. ``dtype``: of the vectors as given.

    Search settings go with each call: Milvus keeps none, so none can be read back.
    """

    client: Any
    where: Address
    collection: Collection
    dtype: np.dtype[Any]
    answers: Literal["rows", "ids"] = "rows"
    settings: dict[str, Any] = field(default_factory=dict)
    condition: str = ""
    engine = "milvus"

    def __post_init__(self) -> None:
        self.dimensions = self.collection.dimensions
        self.searchable = searchable(self.collection.kind, self.collection.parameters)
        if self.where.file is None:
            self.server = f"Milvus {self.client.get_server_version()}"

    def configure(self, settings: Settings) -> Settings:
        known = self.searchable
        self.settings = {setting.name: setting.default for setting in known} | checked_settings(settings, known)
        return dict(self.settings)

    def restrict(self, where: Filter | None) -> None:
        before, self.condition = self.condition, "" if where is None else expression(where)
        if where is not None:
            try:
                self.search_batch(np.zeros((1, self.collection.dimensions), np.float32), 1)
            except pymilvus().MilvusException as error:
                self.condition = before
                raise InputError(f"Milvus does not take {where}: {error.message}", "mend the filter") from None

    def prepare(self, queries: Vectors) -> Vectors:
        return as_float32(queries, unit_length=False)

    def search(self, query: Vectors, k: int) -> Answer:
        return self.search_batch(query, k)[0]

    def search_batch(self, queries: Vectors, k: int) -> Sequence[Answer]:
        """In one call. Only ids are asked for: left alone, Milvus Lite sends the vectors too."""
        found = self.client.search(
            self.collection.name,
            data=queries,
            limit=k,
            anns_field=self.collection.vector,
            search_params={"metric_type": self.collection.measure, "params": self.settings},
            output_fields=[self.collection.id],
            filter=self.condition,
            **PATIENCE,
        )
        return [hits.ids for hits in found]

    def state(self) -> IndexState:
        """The server's count of indexed rows is believed, but for Milvus Lite, which counts every row as indexed. There
        it is counted in this process, and unknown where Milvus Lite runs in another."""
        own, kind = self.collection, self.collection.kind
        said = self.client.describe_index(own.name, self.client.list_indexes(own.name, own.vector)[0])
        [counted] = self.client.query(own.name, filter="", output_fields=["count(*)"], **PATIENCE)
        rows = int(counted["count(*)"])
        lite = "lite" in str(self.client.get_server_version()).lower()
        indexed = rows_with_an_index(self.where.file, own.name, own.vector) if lite else said.get("indexed_rows")
        told = f"describe_index: {said.get('indexed_rows')} rows indexed, {said.get('pending_index_rows')} pending, "
        note = " (Milvus Lite says so of any index)" if lite else ""
        scanned = kind in EXHAUSTIVE or (indexed == 0 and rows > 0)
        path: SearchPath | None = "full scan" if scanned else "index" if indexed else None
        in_full = np.can_cast(self.dtype, np.float32)
        every_list = kind == "IVF_FLAT" and self.settings.get("nprobe") == own.parameters.get("nlist", 128)
        return IndexState(
            kind=kind,
            rows=rows,
            indexed_rows=indexed,
            trained=None,
            transform=cast_in_words(self.dtype) or "none",
            size_bytes=self._size_bytes(),
            exact_by_design=kind in EXHAUSTIVE and in_full,
            path=path,
            told=f"{told}{said.get('state')}{note}",
            exhaustive=None if path is None else (scanned or every_list) and in_full,
        )

    def delete(self, rows: Answer) -> None:
        if self.answers == "ids":
            self._cannot("delete")
        self.client.delete(self.collection.name, ids=np.asarray(rows).tolist(), **PATIENCE)

    def update(self, rows: Answer, vectors: Vectors) -> None:
        """Changed rows lie beside the index, and are scanned, until Milvus has indexed them."""
        if self.answers == "ids":
            self._cannot("update")
        own, values = self.collection, self.prepare(vectors)
        points = [{own.id: int(row), own.vector: vector} for row, vector in zip(rows, values, strict=True)]
        # The whole of a row would be replaced otherwise, and its attributes be gone.
        self.client.upsert(own.name, points, partial_update=True, **PATIENCE)

    def save(self, path: Path) -> None:
        """A tar of the folder of Milvus Lite; of a collection in a server the name by which it is found again."""
        if self.answers == "ids":
            self._cannot("save")
        file = self.where.file
        if file is None:
            path.write_text(json.dumps({"collection": self.collection.name}))
            return
        self.client.flush(self.collection.name)
        let_go(self.client, file)
        pack(file, path)
        self.client = connected(self.where)
        with nothing_on_stderr():
            self.client.load_collection(self.collection.name)

    def close(self) -> None:
        let_go(self.client, self.where.file)

    def _size_bytes(self) -> int | None:
        file = self.where.file
        return sum(part.stat().st_size for part in file.rglob("*") if part.is_file()) if file else None
