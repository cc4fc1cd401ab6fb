"""Runs as files: one Parquet file each, a row per query."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from cattrs.preconf.json import make_converter

from truerecall.errors import FormatError
from truerecall.model.arrays import texts
from truerecall.model.drift import Drift
from truerecall.model.run import Build, Run, Setup
from truerecall.model.trials import Trials
from truerecall.store.artefact import Artefact, read_artefact, write_artefact
from truerecall.store.columns import id_array, ids_from, neighbor_columns, neighbors_from

PRESENT = "present_"

RUN_FORMAT = 5
# 1: columns query_id, neighbor_ids, distances, latency_s, failure; content setup and cost; provenance environment.
# 2: in the setup the model; in the content the drift, null where there is none.
# 3: under a drift the columns present_neighbor_ids and present_distances: what the truth lists, as far as it lies now.
# 4: a column call; in the content wall_s, harness_s, by_formula and trials; in the setup state, mode, repeat, effort
#    and limiting; in the build its number.
# 5: in the setup where; in the content ineligible and unknown.

_converter = make_converter(forbid_extra_keys=True)


def save_run(run: Run, path: Path) -> None:
    """Write the run in one step: at every moment the file is either absent or whole."""
    columns = {
        "query_id": id_array(run.query_ids),
        **neighbor_columns(run.neighbors),
        "latency_s": pa.array(run.latency_s),
        "call": pa.array(run.call),
        "failure": pa.array(run.failures.tolist(), pa.large_string()),
    }
    if run.present is not None:
        columns |= neighbor_columns(run.present, prefix=PRESENT)
    content = {"setup": _converter.unstructure(run.setup), "cost": dict(run.cost)}
    content |= {"ineligible": run.ineligible, "unknown": run.unknown}
    content |= {"wall_s": run.wall_s, "harness_s": run.harness_s, "by_formula": list(run.by_formula)}
    content["trials"] = None if run.trials is None else _converter.unstructure(run.trials)
    content["drift"] = None if run.drift is None else _converter.unstructure(run.drift)
    provenance = {"environment": dict(run.environment)}
    write_artefact(path, Artefact("run", RUN_FORMAT, pa.table(columns), content, provenance))


def load_run(path: Path | str) -> Run:
    """The run at ``path``. Raises InputError where there is none, FormatError where it cannot be read."""
    path = Path(path)
    artefact = read_artefact(path, "run", RUN_FORMAT)
    try:
        table = artefact.table
        drifted = f"{PRESENT}neighbor_ids" in table.column_names
        return Run(
            setup=_converter.structure(artefact.content["setup"], Setup),
            query_ids=ids_from(table.column("query_id"), what=str(path)),
            neighbors=neighbors_from(table, what=str(path)),
            latency_s=np.asarray(table.column("latency_s").to_numpy(), np.float64),
            failures=texts(table.column("failure").to_pylist()),
            cost={str(name): int(spent) for name, spent in artefact.content["cost"].items()},
            environment=artefact.provenance["environment"],
            call=np.asarray(table.column("call").to_numpy(), np.int64),
            wall_s=float(artefact.content["wall_s"]),
            harness_s=float(artefact.content["harness_s"]),
            by_formula=tuple(str(name) for name in artefact.content["by_formula"]),
            trials=_trials(artefact.content["trials"]),
            drift=_drift(artefact.content.get("drift")),
            ineligible=int(artefact.content.get("ineligible", 0)),
            unknown=int(artefact.content.get("unknown", 0)),
            present=neighbors_from(table, what=str(path), prefix=PRESENT) if drifted else None,
        )
    except (KeyError, TypeError, ValueError, ExceptionGroup) as error:
        raise FormatError(f"{path} is not laid out as a run: {error!r}", "make it again") from error


def _trials(document: Any) -> Trials | None:
    return None if document is None else _converter.structure(document, Trials)


def _drift(document: Any) -> Drift | None:
    return None if document is None else _converter.structure(document, Drift)


def build_document(build: Build) -> Any:
    """A build as a JSON document."""
    return _converter.unstructure(build)


def build_from(document: Any) -> Build:
    """The inverse of ``build_document``. Raises FormatError."""
    try:
        return _converter.structure(document, Build)
    except (KeyError, TypeError, ValueError, ExceptionGroup) as error:
        raise FormatError(f"this is not the record of a build: {error!r}", "build it again") from error
