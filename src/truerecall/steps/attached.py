"""An index that exists, looked at before it is measured."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from truerecall.errors import Incapable, InputError
from truerecall.model.engine import Capability, Engine, Index, Place, Setting
from truerecall.model.plan import EnginePlan
from truerecall.model.source import CorpusSource
from truerecall.store.artefact import canonical_json


@dataclass(frozen=True)
class Attached:
    """What an index says of itself. ``digest``: of all of that; it stands for the index as the digest of its file does
    for one that was built."""

    digest: str
    searchable: tuple[Setting, ...]


def demand_capable(engine: Engine, capability: Capability) -> None:
    """Raises Incapable."""
    if capability not in engine.capabilities:
        raise Incapable(engine.name, capability)


def demand_dimensions(index: Index, name: str, source: CorpusSource) -> None:
    """Raises InputError where the index ``name`` holds vectors of other dimensions than the corpus."""
    if index.dimensions not in (None, source.dimensions):
        raise InputError(
            f"{name} holds vectors of {index.dimensions} dimensions and {source.name} of {source.dimensions}",
            "name the index over this corpus",
        )


def attached(own: EnginePlan, engine: Engine, distance: str, source: CorpusSource) -> Attached:
    """Raises as ``Engine.attach`` and ``demand_dimensions`` do."""
    with TemporaryDirectory(prefix="truerecall-") as folder:
        index = engine.attach(own.attach, distance, place=Place(Path(folder), own.dsn_file))
        try:
            demand_dimensions(index, own.attach, source)
            state, searchable = index.state(), tuple(index.searchable)
            defaults = {setting.name: setting.default for setting in searchable}
            said = [engine.name, own.attach, str(own.dsn_file), index.server, index.identity, distance, state.kind,
                    state.rows, state.transform, defaults]  # fmt: skip
        finally:
            index.close()
    return Attached(hashlib.blake2b(canonical_json(said), digest_size=16).hexdigest(), searchable)
