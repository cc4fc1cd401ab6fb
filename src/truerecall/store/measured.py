"""Runs that were measured before, and the truth that they are judged by, found by fingerprint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from truerecall.errors import InputError, NotAMeasurement, StaleTruth
from truerecall.model.run import Run, Setup
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Fingerprint
from truerecall.store.artefact import artefacts_in
from truerecall.store.runs import load_run
from truerecall.store.truths import load_truth

MUST_AGREE = ("corpus", "queries", "distance", "k")
"""What runs must have in common to stand on one page."""


def load_runs(paths: Iterable[Path]) -> tuple[Run, ...]:
    """The runs at ``paths``, all of one corpus, query set, distance and k.

    A path is a Run file, a folder of them, or a folder of such folders. Raises InputError where there is none,
    NotAMeasurement where they cannot be compared.
    """
    files: list[Path] = []
    for path in paths:
        found = _runs_in(path) if path.is_dir() else [path]
        if not found:
            raise InputError(f"{path} holds no Run file", "name the folder that truerecall run wrote")
        files += found
    unique = tuple(dict.fromkeys(file.resolve() for file in files))
    runs = tuple(load_run(file) for file in unique)
    for file, run in zip(unique, runs, strict=True):
        _refuse_other(runs[0].setup, run.setup, unique[0], file)
    return runs


def truth_for(runs: Sequence[Run], places: Iterable[Path], given: Path | None) -> GroundTruth:
    """The truth that fits the runs: the ``given`` file, else one beside the runs or in the folder above.

    Raises StaleTruth where the given one describes something else, InputError where none is found or it is too short.
    """
    setup = runs[0].setup
    if given is not None:
        truth = load_truth(given)
        refuse_unfit(truth, setup.corpus, setup.queries, setup.distance, setup.k, name=str(given))
        return truth
    for folder in _folders(places):
        for file in artefacts_in(folder, "truth"):
            truth = load_truth(file)
            facts = (truth.corpus, truth.queries, truth.distance)
            if facts == (setup.corpus, setup.queries, setup.distance) and truth.k >= setup.k:
                return truth
    raise InputError("no truth that fits the runs lies beside them", "name it with --truth")


def refuse_unfit(
    truth: GroundTruth, corpus: Fingerprint, queries: Fingerprint, distance: str, k: int, *, name: str
) -> None:
    """Raises StaleTruth where ``truth``, called ``name``, was made for something else, InputError where it ends before
    k."""
    if truth.distance != distance:
        raise StaleTruth(f"{name} was made for the distance {truth.distance}, not {distance}", "give a fitting truth")
    for side, made_for, at_hand in (("corpus", truth.corpus, corpus), ("query set", truth.queries, queries)):
        if made_for != at_hand:
            raise StaleTruth(
                f"{name} describes another {side}: {_told(made_for)}, and at hand are {_told(at_hand)}",
                "give a truth of these vectors, or leave --truth out",
            )
    truth.demand_depth(k)


def _told(fingerprint: Fingerprint) -> str:
    return (
        f"{fingerprint.rows} rows of {fingerprint.dimensions} {fingerprint.dtype} with {fingerprint.ids} ids"
        f" ({fingerprint.digest[:12]})"
    )


def _runs_in(folder: Path) -> list[Path]:
    """The Run files in a folder; where it holds none itself, those in its folders, as the demo leaves them."""
    direct = artefacts_in(folder, "run")
    inner = [path for path in sorted(folder.iterdir()) if path.is_dir()]
    return direct or [file for path in inner for file in artefacts_in(path, "run")]


def _folders(places: Iterable[Path]) -> list[Path]:
    """The folders to look in, nearest first."""
    beside = [path if path.is_dir() else path.parent for path in (place.resolve() for place in places)]
    return list(dict.fromkeys([*beside, *(folder.parent for folder in beside)]))


def _refuse_other(first: Setup, other: Setup, first_file: Path, file: Path) -> None:
    for name in MUST_AGREE:
        if getattr(first, name) != getattr(other, name):
            raise NotAMeasurement(
                f"{first_file.name} and {file.name} were measured with another {name.replace('queries', 'query set')}",
                "report them apart",
            )
