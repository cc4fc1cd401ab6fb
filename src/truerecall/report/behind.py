"""What becomes of each index behind filters: the measure by how many of the rows may answer."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import fmean

from truerecall.model.curve import Curve
from truerecall.model.filter import Narrowed
from truerecall.model.selectivity import DRAWN
from truerecall.report.curve_parts import Family, SettingRow
from truerecall.report.estimates import measured_text
from truerecall.report.families import families_of
from truerecall.report.names import family_of
from truerecall.report.point_rows import setting_of
from truerecall.report.wording import DEFAULTS, count, percent

ALL_ROWS = "all rows"


@dataclass(frozen=True)
class Narrowing:
    """A filter in words, and how many of the ``rows`` it keeps."""

    text: str
    kept: int
    rows: int

    @property
    def share(self) -> float:
        return self.kept / self.rows

    @property
    def by_chance(self) -> bool:
        """Whether what it keeps has nothing to do with where vectors lie: all rows, or a drawn part."""
        return self.text == ALL_ROWS or re.fullmatch(rf"{DRAWN} < [0-9.e-]+", self.text) is not None


@dataclass(frozen=True)
class BehindCell:
    """One setting behind one filter. ``came``: how many rows an answered query got, on average; ``most``: how many it
    might have got. ``ineligible``: how many rows came in all that may not answer."""

    row: SettingRow
    came: float
    most: int
    ineligible: int

    @property
    def short(self) -> bool:
        """Whether so many rows are missing that might have answered that the average shows it."""
        return round(self.came, 1) < self.most


@dataclass(frozen=True)
class BehindLine:
    """One setting of one family, ``number`` of the summary's, behind each filter; None where it was not measured.
    ``reading``: whether it is the setting that stands for the family."""

    number: int
    label: str
    setting: str
    reading: bool
    cells: tuple[BehindCell | None, ...]


@dataclass(frozen=True)
class BehindTable:
    """All of them: the ``narrowings`` from all rows down to the fewest, a line for each setting, and a sentence for
    each family."""

    narrowings: tuple[Narrowing, ...]
    lines: tuple[BehindLine, ...]
    sentences: tuple[str, ...]


def behind_filters(
    whole: Sequence[Curve], narrowed: Sequence[Curve], families: Sequence[Family], measure: str, k: int, seed: int
) -> BehindTable | None:
    """``families``: those of the ``whole`` curves, in which all rows might answer; None where nothing was measured
    behind a filter."""
    filters = sorted({_where(curve) for curve in narrowed}, key=lambda own: (-own.kept, own.text))
    if not filters or not families:
        return None
    rows = filters[0].rows
    narrowings = (Narrowing(ALL_ROWS, rows, rows), *_told_apart(filters))
    by_family = _by_family(whole)
    columns: list[dict[Hashable, tuple[Family, list[Curve]]]] = [
        {key: (family, curves) for (key, curves), family in zip(by_family.items(), families, strict=True)}
    ]
    for own in filters:
        curves = _by_family([curve for curve in narrowed if _where(curve) == own])
        columns.append({key: (_family(its, measure, seed), its) for key, its in curves.items()})
    lines = []
    for number, (key, family) in enumerate(zip(by_family, families, strict=True)):
        reading = family.reading(measure)
        for row in family.settings:
            cells = tuple(
                None if key not in column else _cell(*column[key], row.setting, min(k, own.kept))
                for column, own in zip(columns, narrowings, strict=True)
            )
            lines.append(BehindLine(number, family.label, row.setting, row is reading, cells))
    return BehindTable(narrowings, tuple(lines), tuple(_sentences(lines, narrowings, measure)))


def _told_apart(filters: Sequence[Narrowed]) -> list[Narrowing]:
    """The filters in words; those that are written alike and keep other rows with the digest of these."""
    texts = [own.text for own in filters]
    return [
        Narrowing(own.text if texts.count(own.text) == 1 else f"{own.text} ({own.told})", own.kept, own.rows)
        for own in filters
    ]


def _where(curve: Curve) -> Narrowed:
    where = curve.points[0].run.setup.where
    assert where is not None
    return where


def _by_family(curves: Sequence[Curve]) -> dict[Hashable, list[Curve]]:
    found: dict[Hashable, list[Curve]] = {}
    for curve in curves:
        found.setdefault(family_of(curve), []).append(curve)
    return found


def _family(curves: Sequence[Curve], measure: str, seed: int) -> Family:
    (family,) = families_of(curves, [curve.label for curve in curves], measure, seed)
    return family


def _cell(family: Family, curves: Sequence[Curve], setting: str, most: int) -> BehindCell | None:
    row = next((own for own in family.settings if own.setting == setting), None)
    runs = [point.run for curve in curves for point in curve.points if setting_of(point) == setting]
    came = [float(run.neighbors.lengths[~run.failed].mean()) for run in runs if not run.failed.all()]
    if row is None:
        return None
    return BehindCell(row, fmean(came) if came else 0.0, most, sum(run.ineligible for run in runs))


def _sentences(lines: Sequence[BehindLine], narrowings: Sequence[Narrowing], measure: str) -> list[str]:
    """What each family finds behind the filters at the setting that stands for it."""
    sentences = []
    for line in lines:
        if not line.reading:
            continue
        told = []
        for cell, own in zip(line.cells, narrowings, strict=True):
            score = None if cell is None else cell.row.measured(measure)
            if cell is not None and score is not None:
                short = f", {cell.came:.1f} of {count(cell.most, 'row')} came" if cell.short else ""
                told.append(f"{measured_text(score)} where {percent(own.share)} may answer{short}")
        at = "" if line.setting == DEFAULTS else f" at {line.setting}"
        sentences.append(f"{line.label}{at}: {'; '.join(told) or 'no number'}.")
    return sentences
