"""Is the second side better than the first? Paired on the same queries and the same truth, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from truerecall.errors import NotAMeasurement
from truerecall.kernels.randomisation import holm
from truerecall.model.comparison import ALPHA, Comparison, Difference, Entrant, Side, Word
from truerecall.model.groups import Grouping, Groups
from truerecall.model.labels import Labels
from truerecall.model.measure_name import MeasureName
from truerecall.model.run import Run
from truerecall.model.truth import GroundTruth
from truerecall.shelf import measures as shelf
from truerecall.steps.changes import changes_between, demand_comparable
from truerecall.steps.check import examine
from truerecall.steps.difference import difference_of
from truerecall.steps.latency_compared import equal_quality, unlike, why_not
from truerecall.steps.points import in_points
from truerecall.steps.score import score_runs
from truerecall.steps.sides import facts_of_runs, side_of_points


def compare_runs(
    first: Sequence[Run],
    second: Sequence[Run],
    truth: GroundTruth,
    *,
    measure: MeasureName,
    labels: Labels | None = None,
    clusters: Grouping | None = None,
    names: tuple[str, str] = ("A", "B"),
    seed: int = 0,
) -> Comparison:
    """What the second runs reach beyond the first. ``clusters`` as in ``score_run``.

    Raises NotAMeasurement, naming everything that differs, where a fact of MUST_AGREE differs, where a run has no valid
    score, and where the sides have neither a setting nor a range of quality in common; StaleTruth where the truth is of
    something else.
    """
    demand_comparable(changes_between(facts_of_runs(first), facts_of_runs(second)))
    measure = replace(measure, base=shelf.spelling(measure.base))
    judged = [
        [score_runs(passes, truth, measures=[measure], labels=labels, seed=seed) for passes in in_points(runs)]
        for runs in (first, second)
    ]
    one, other = (side_of_points(name, points, str(measure)) for name, points in zip(names, judged, strict=True))
    groups = Groups.of(truth.query_ids, clusters=clusters)
    return compare_sides(one, other, measure=str(measure), groups=groups, seed=seed)


def compare_sides(first: Side, second: Side, *, measure: str, groups: Groups, seed: int = 0) -> Comparison:
    """The comparison of two sides whose values are of the same truth, in the order of its queries, and what the checks
    say of it.

    Raises NotAMeasurement as ``compare_runs`` does.
    """
    changes = changes_between(dict(first.facts), dict(second.facts))
    demand_comparable(changes)
    first, second = _told_apart(first, second)
    pairs, alone = _paired(first, second)
    no_latency = why_not(first, second)
    rows = () if no_latency else equal_quality(first, second)
    if not no_latency and not rows:
        no_latency = "the curves reach no quality in common"
    if not pairs and not rows:
        raise NotAMeasurement(
            f"{first.name} and {second.name} have no setting in common, and latencies do not compare: {no_latency}",
            "measure a setting on both sides, or name one Run file a side",
        )
    differences = [difference_of(setting, one, other, groups, seed) for setting, one, other in pairs]
    differences.sort(key=lambda difference: (difference.first.mean, difference.setting))
    compared = Comparison(
        measure=measure,
        names=(first.name, second.name),
        changes=changes,
        differences=_decided(differences),
        equal_quality=rows,
        no_latency=no_latency,
        notes=tuple(_notes(differences, alone)),
        findings=tuple((side.name, finding) for side in (first, second) for finding in side.findings),
        origin_unknown=tuple(side.name for side in (first, second) if not side.origin_known),
        timed_unlike=unlike(first, second),
    )
    return replace(compared, checks=examine({"comparison": compared, "sides": (first, second)}))


def _told_apart(first: Side, second: Side) -> tuple[Side, Side]:
    """The sides, with how it was asked added to a setting, as far as a side was asked in more than one way."""
    telling = {
        place
        for side in (first, second)
        for place, values in enumerate(zip(*(entrant.how for entrant in side.entrants), strict=True))
        if len(set(values)) > 1
    }
    one, other = (
        tuple(
            replace(own, searched=", ".join([own.searched, *(own.how[place] for place in sorted(telling) if own.how)]))
            for own in side.entrants
        )
        for side in (first, second)
    )
    return replace(first, entrants=one), replace(second, entrants=other)


def _paired(first: Side, second: Side) -> tuple[list[tuple[str, Entrant, Entrant]], list[str]]:
    """The settings that both sides have, and those that one has alone. One setting a side is compared whatever it is;
    of several builds on a side each is held against the same build."""
    if len(first.entrants) == len(second.entrants) == 1:
        one, other = first.entrants[0], second.entrants[0]
        words = one.searched if one.searched == other.searched else f"{one.searched} → {other.searched}"
        return [(words, one, other)], []
    several = any(len({entrant.built for entrant in side.entrants}) > 1 for side in (first, second))
    keyed = [
        {
            (f"{entrant.built}, {entrant.searched}" if several else entrant.searched): entrant
            for entrant in side.entrants
        }
        for side in (first, second)
    ]
    pairs = [(setting, entrant, keyed[1][setting]) for setting, entrant in keyed[0].items() if setting in keyed[1]]
    return pairs, [setting for own, other in (keyed, keyed[::-1]) for setting in own if setting not in other]


def _decided(differences: Sequence[Difference]) -> tuple[Difference, ...]:
    """Each with its p raised for the number of tests, and what that shows."""
    raised = holm([difference.p for difference in differences])
    return tuple(
        replace(difference, p_holm=p, word=_word(difference, p, len(differences)))
        for difference, p in zip(differences, raised, strict=True)
    )


def _word(difference: Difference, p: float, tests: int) -> Word:
    if difference.smallest_p * tests > ALPHA:
        return "undecided"
    if difference.claim == "this index" and difference.same == difference.n:
        return "same"
    if p > ALPHA:
        return "not shown"
    return "higher" if difference.difference > 0 else "lower"


def _notes(differences: Sequence[Difference], alone: Sequence[str]) -> list[str]:
    notes = []
    if any(difference.claim == "the method" for difference in differences):
        notes.append("a claim about the method: other queries could have been asked and other builds made")
    uneven = [d for d in differences if d.claim == "the method" and None in (d.first.sd, d.second.sd)]
    if uneven:
        notes.append(
            "one side has a single build at some settings: the spread over builds is taken from the other side"
        )
    if alone:
        notes.append(f"settings of one side alone are not compared: {'; '.join(alone)}")
    return notes
