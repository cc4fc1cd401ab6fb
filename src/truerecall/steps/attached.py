"""An index that exists, looked at before it is measured."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from truerecall.errors import Incapable
from truerecall.model.engine import Capability, Engine, Place, Setting
from truerecall.model.plan import EnginePlan
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


def attached(own: EnginePlan, engine: Engine, distance: str) -> Attached:
    """Raises as ``Engine.attach`` does."""
    with TemporaryDirectory(prefix="truerecall-") as folder:
        index = engine.attach(own.attach, distance, place=Place(Path(folder), own.dsn_file))
        try:
            state, searchable = index.state(), tuple(index.searchable)
            defaults = {setting.name: setting.default for setting in searchable}
            said = [engine.name, own.attach, index.server, distance, state.kind, state.rows, state.transform, defaults]
        finally:
            index.close()
    return Attached(hashlib.blake2b(canonical_json(said), digest_size=16).hexdigest(), searchable)
