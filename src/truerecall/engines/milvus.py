"""Milvus: Milvus Lite in this process, on a folder of its own, or a server over gRPC.

Vectors are kept as float32; L2 is told squared, IP as a similarity, and neither is passed on. Milvus takes settings
that it does not have without a word, and Milvus Lite loses parameters of an index that are not told as ``params``: so
names are checked here, and what an index holds is read back and compared. Milvus Lite indexes rows that were flushed,
and scans all others.

State
    Rows as ``count(*)`` has them, and those that the index covers: a server's own word, and of Milvus Lite counted in
    its segments. Where no row is covered the path is a full scan, where it cannot be known it is unknown.

Costs
    It counts nothing.

Attached
    ``--attach "COLLECTION?vector=FIELD"``, on the server that ``MILVUS_URI`` and ``MILVUS_TOKEN`` name; it must be
    loaded there, for nothing is done to it. A folder of Milvus Lite (``MILVUS_URI`` ending in ``.db``) is copied, and
    the copy is asked. Answers come by the primary key. As a corpus it gives what is there at each request:
    ``moving-corpus`` says so of a server.

Traps
    - It takes search settings that it does not have without a word: names are checked here.
    - Milvus Lite says of any index that it covers all rows. Counted here are the rows in segments with an index;
      those that were not flushed are scanned, and ``partly-indexed`` or ``index-not-used`` says so.
    - Few candidates for many neighbours (``ef`` below k) give short answers.
    - ``describe_index`` is the server's own word over gRPC; of Milvus Lite in another process nothing is known, nor is
      a collection told there from one that was made anew under its name: measure that one into another folder.
    - Its answers bring the vectors with them unless only ids are asked for, which makes them slow: here they are.
    - Milvus Lite lets a row without a value pass a "not in": filters ask for a value beside it.

Example
    --engine milvus --set index_type=HNSW --vary ef=16,64,256 --distance l2
    --engine milvus --set index_type=IVF_FLAT --set nlist=16 --vary nprobe=1,4,16 --distance l2
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tarfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from weakref import finalize

import numpy as np

from truerecall.engines._address import parsed
from truerecall.engines._base import BareEngine
from truerecall.engines._folders import unpack
from truerecall.engines._library import installed
from truerecall.engines._milvus_client import Address, connected, demanded, let_go, own_file, pymilvus, server
from truerecall.engines._milvus_collection import MEASURES, collection_in, demand_index, filled
from truerecall.engines._milvus_filter import expression
from truerecall.engines._milvus_index import Collection, MilvusIndex
from truerecall.engines._milvus_settings import BUILD_SETTINGS, described, searchable
from truerecall.engines._milvus_source import MilvusAttributes, MilvusSource, ids_of
from truerecall.engines._stderr import nothing_on_stderr
from truerecall.engines._touched import identity_of_files
from truerecall.errors import InputError
from truerecall.model.attributes import Attributes
from truerecall.model.engine import Capability, Place, Setting, Settings
from truerecall.model.filter import Filter
from truerecall.model.source import CorpusSource
from truerecall.model.vectors import Corpus

OWN_NAME = "truerecall_"
MADE = ("collection_id", "created_timestamp", "update_timestamp")
"""What a server says of when a collection came to be, and was last changed."""


class MilvusEngine(BareEngine):
    """Builds collections, and attaches to those that exist: ``COLLECTION?vector=FIELD``.

    Where the environment or a DSN file leads to a server, all lies there; else in a folder of Milvus Lite's. A file of
    Milvus Lite that is named there is copied before it is opened, for opening it writes.
    """

    name = "milvus"
    extra = "milvus"
    tested_with = "3.0.2 with milvus-lite 3.2.2"
    capabilities: frozenset[Capability] = frozenset({"build", "attach", "save", "source", "filter", "delete", "update"})
    build_settings = BUILD_SETTINGS
    distances: Mapping[str, str] = {"l2": "L2, squared", "ip": "IP, larger is nearer", "cosine": "COSINE"}

    def version(self) -> str | None:
        """Of the client, and of Milvus Lite where it is installed. A server's is told by the server alone."""
        client, lite = installed("pymilvus"), installed("milvus-lite")
        return f"{client} with milvus-lite {lite}" if client and lite else client

    def search_settings(self, build: Settings, *, distance: str, dimensions: int) -> tuple[Setting, ...]:
        self.demand_distance(distance)
        return searchable(*described(build))

    def demand_filter(self, where: Filter) -> None:
        expression(where)

    def build(
        self,
        source: CorpusSource,
        distance: str,
        settings: Settings,
        *,
        seed: int,
        threads: int,
        place: Place,
        attributes: Attributes | None = None,
    ) -> MilvusIndex:
        """Milvus takes neither a seed nor a number of threads."""
        self.demand_distance(distance)
        kind, parameters = described(settings)
        where = server(place) or own_file(place)
        if where.file is not None:
            shutil.rmtree(where.file, ignore_errors=True)
        name = "vectors" if where.file else _name(place)
        wanted = Collection(name, "id", "vector", source.dimensions, kind, MEASURES[distance], parameters)
        client = connected(where)
        try:
            filled(client, wanted, source, attributes)
        except BaseException:
            client.drop_collection(name)
            let_go(client, where.file)
            raise
        return _index(client, where, wanted, source.dtype)

    def load(
        self,
        path: Path,
        source: CorpusSource,
        distance: str,
        settings: Settings,
        *,
        threads: int,
        place: Place,
        attributes: Attributes | None = None,
    ) -> MilvusIndex:
        described(settings)
        name = "vectors"
        if tarfile.is_tarfile(path):
            where = own_file(place)
            unpack(path, Path(where.uri), engine=self.name)
        else:
            name, where = _saved_name(path), demanded(place)
        client = connected(where)
        try:
            collection = collection_in(client, name, "vector")
            demand_index(collection, distance)
            _loaded(client, collection)
            index = _index(client, where, collection, source.dtype)
            if (index.state().rows, collection.dimensions) != (source.rows, source.dimensions):
                raise InputError(f"{path} holds other vectors than {source.name}", "build it again")
        except BaseException:
            let_go(client, where.file)
            raise
        return index

    def discard(self, path: Path, *, place: Place) -> None:
        if not tarfile.is_tarfile(path):
            client = connected(demanded(place))
            client.drop_collection(_saved_name(path))
            client.close()

    def attach(self, name: str, distance: str, *, place: Place) -> MilvusIndex:
        self.demand_distance(distance)
        client, where, collection = _opened(name, place)
        try:
            demand_index(collection, distance)
        except InputError:
            let_go(client, where.file)
            raise
        index = _index(client, where, collection, np.dtype(np.float32))
        index.answers, index.identity = "ids", _identity(client, demanded(place), collection.name)
        return index

    def source(self, name: str, *, place: Place) -> Corpus:
        """Of a file of Milvus Lite a copy is read. It goes when the source does, as the connection does."""
        place.folder.mkdir(parents=True, exist_ok=True)
        copy = Path(mkdtemp(prefix="truerecall-", dir=place.folder))
        try:
            client, where, collection = _opened(name, Place(copy, place.dsn_file))
            ids = ids_of(client, collection)
        except BaseException:
            shutil.rmtree(copy)
            raise
        source = MilvusSource(client, collection, ids, f"milvus:{collection.name}")
        finalize(source, shutil.rmtree, copy, ignore_errors=True)
        finalize(source, let_go, client, where.file)
        moving = "Milvus gives what is there at each request" if where.file is None else ""
        return Corpus(source, ids, attributes=MilvusAttributes(source), moving=moving)


def _index(client: Any, where: Address, collection: Collection, dtype: np.dtype[Any]) -> MilvusIndex:
    index = MilvusIndex(client, where, collection, dtype)
    index.configure({})
    return index


def _opened(name: str, place: Place) -> tuple[Any, Address, Collection]:
    """A collection that exists, and can be asked. Raises InputError."""
    collection_name, options = parsed(name, ("vector",))
    where = demanded(place)
    if where.file is not None:
        if not where.file.is_dir():
            raise InputError(f"{where.file} is no folder of Milvus Lite", "name one")
        own = own_file(place)
        shutil.rmtree(own.uri, ignore_errors=True)
        shutil.copytree(where.file, own.uri)
        where = own
    client = connected(where)
    try:
        collection = collection_in(client, collection_name, options.get("vector"))
        if where.file is not None:
            _loaded(client, collection)
        elif client.get_load_state(collection_name)["state"] != pymilvus().client.types.LoadState.Loaded:
            raise InputError(f"{collection_name} is not loaded", "load it; an index that is only read is left as it is")
    except BaseException:
        let_go(client, where.file)
        raise
    return client, where, collection


def _identity(client: Any, where: Address, name: str) -> str:
    """Of a server what it says; Milvus Lite behind gRPC says nothing by which a collection is told from its next."""
    if where.file is not None:
        return identity_of_files(where.file)
    said = client.describe_collection(name)
    return " ".join([where.uri, *(str(said.get(own)) for own in MADE)])


def _loaded(client: Any, collection: Collection) -> None:
    with nothing_on_stderr():
        client.load_collection(collection.name)


def _name(place: Place) -> str:
    """What a build is called in a server: it is found again by it, and another build has another place."""
    digest = hashlib.blake2b(os.fsencode(place.folder.absolute()), digest_size=16)
    return f"{OWN_NAME}{digest.hexdigest()}"


def _saved_name(path: Path) -> str:
    try:
        name = str(json.loads(path.read_text())["collection"])
    except (ValueError, KeyError, TypeError):
        name = ""
    if not name.startswith(OWN_NAME):
        raise InputError(f"{path} is no saved index of Milvus", "build it again")
    return name


engine = MilvusEngine()
