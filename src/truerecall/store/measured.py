"""Runs that were measured before, with the truth that they are judged by and what was said of the vectors, found by
fingerprint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from truerecall.errors import InputError, NotAMeasurement, StaleTruth
from truerecall.model.filter import Narrowed
from truerecall.model.finding import CheckOutcome
from truerecall.model.run import Run, Setup, demand_truth_of
from truerecall.model.truth import GroundTruth
from truerecall.store.artefact import artefacts_in, refuse_unreadable
from truerecall.store.inspections import inspection_in
from truerecall.store.runs import load_run
from truerecall.store.truths import load_truth

ROWS_FOR_UPKEEP = 1_000_000
"""Of a truth of more rows the ledgers are not read to judge runs: they take up to 320 bytes a row."""


def load_runs(paths: Iterable[Path]) -> tuple[Run, ...]:
    """The runs at ``paths``, all of one corpus, query set, distance and k.

    A path is a Run file, a folder of them, or a folder of such folders. Raises InputError where there is none,
    FormatError where one is damaged, NotAMeasurement where they cannot be compared.
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
    """The truth that fits the runs: the ``given`` file, else one beside the runs or in the folder above that leaves
    no row out; or one from which the corpus has drifted no further than was allowed when the runs were made. Of runs
    that are all behind one filter the truth behind it.

    Raises StaleTruth where the given one describes something else, InputError where none is found or it is too short.
    """
    setup, where = runs[0].setup, _shared_filter(runs)
    reasons = {} if where is None else where.reasons
    if given is not None:
        truth = load_truth(given, upkeep="skip")
        for run in runs:
            demand_truth_of(run, truth.subject, name=str(given))
        if where is not None and truth.reasons != reasons:
            raise StaleTruth(f"{given} does not leave out what {where.text} does", "give the truth behind the filter")
        truth.demand_depth(setup.k)
        return _with_upkeep(truth, given)
    for folder in _folders(places):
        found = {file: load_truth(file, upkeep="skip") for file in artefacts_in(folder, "truth")}
        usable = {file: truth for file, truth in found.items() if truth.k >= setup.k and truth.reasons == reasons}
        fitting = [file for file, truth in usable.items() if truth.subject.fits(setup.subject)]
        drifted = [
            file for file, truth in usable.items() if all(run.drift_from(truth.subject) is not None for run in runs)
        ]
        for file in fitting or drifted:
            return _with_upkeep(usable[file], file)
        refuse_unreadable(folder)  # it may have been the truth
    raise InputError("no truth that fits the runs lies beside them", "name it with --truth")


def truths_behind(runs: Sequence[Run], places: Iterable[Path]) -> dict[str, GroundTruth]:
    """The truths behind the filters of the runs, by their words; those beside the runs or in the folder above.

    Raises InputError where one is not found.
    """
    setup, found = runs[0].setup, {}
    wanted = {run.setup.where for run in runs if run.setup.where is not None}
    files = [file for folder in _folders(places) for file in artefacts_in(folder, "truth")] if wanted else []
    there = {file: load_truth(file, upkeep="skip") for file in files}
    for where in wanted:
        for file, truth in there.items():
            if truth.reasons == where.reasons and truth.k >= setup.k and truth.subject.fits(setup.subject):
                found[where.told] = _with_upkeep(truth, file)
                break
        else:
            raise InputError(f"no truth behind {where.text} lies beside the runs", "measure again into the same folder")
    return found


def behind_one_filter(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs of searches without a filter; where there are none, all, which then are behind one filter.

    Raises InputError where they are behind several.
    """
    whole = tuple(run for run in runs if run.setup.where is None)
    if not whole and runs and _shared_filter(runs) is None:
        raise InputError("the runs are behind several filters", "name those of one")
    return whole or tuple(runs)


def _shared_filter(runs: Sequence[Run]) -> Narrowed | None:
    """The filter behind which all runs are; None where there is none, or more than one."""
    filters = {run.setup.where for run in runs}
    return filters.pop() if len(filters) == 1 else None


def inspected_beside(runs: Sequence[Run], places: Iterable[Path]) -> tuple[CheckOutcome, ...]:
    """What was said of the vectors of these runs when they were measured; empty where nothing lies beside them."""
    setup = runs[0].setup
    found = (inspection_in(folder, setup.subject, setup.k) for folder in _folders(places))
    return next((own.outcomes for own in found if own is not None), ())


def _with_upkeep(truth: GroundTruth, file: Path) -> GroundTruth:
    """The truth with its ledgers and slack, which some checks look at, where those of the corpus take little memory."""
    return load_truth(file) if truth.corpus.rows <= ROWS_FOR_UPKEEP else truth


def _runs_in(folder: Path) -> list[Path]:
    """The Run files in a folder; where it holds none itself, those in its folders, as the demo leaves them."""
    direct = artefacts_in(folder, "run")
    inner = [] if direct else [path for path in sorted(folder.iterdir()) if path.is_dir()]
    for place in (folder, *inner):
        refuse_unreadable(place)
    return direct or [file for path in inner for file in artefacts_in(path, "run")]


def _folders(places: Iterable[Path]) -> list[Path]:
    """The folders to look in: those beside the runs, those above, and the folders within one that holds no Run."""
    beside = [path if path.is_dir() else path.parent for path in (place.resolve() for place in places)]
    within = [path for folder in beside if not artefacts_in(folder, "run") for path in sorted(folder.iterdir())]
    return list(
        dict.fromkeys([*beside, *(folder.parent for folder in beside), *(path for path in within if path.is_dir())])
    )


def _refuse_other(first: Setup, other: Setup, first_file: Path, file: Path) -> None:
    found = first.subject.differences(other.subject)
    if first.k != other.k:
        found.append(f"its k is {first.k}, not {other.k}")
    if found:
        raise NotAMeasurement(
            f"{first_file.name} and {file.name} are different measurements: of the first, {'; '.join(found)}",
            "report them apart",
        )
