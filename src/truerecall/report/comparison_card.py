"""A comparison as one JSON document, in words, and as rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from truerecall.model.comparison import Builds, Comparison, Difference
from truerecall.model.finding import SEVERITIES, Finding
from truerecall.report.document import finding_document, plain
from truerecall.report.wording import count, duration, percent, queries, significant

HEADER = ("setting", "{first}", "{second}", "difference [95 %]", "queries up, down", "n", "p", "shown")
EQUAL_HEADER = ("at {measure}", "{first}", "{second}", "ratio")


def comparison_card(found: Comparison) -> dict[str, Any]:
    """The shape that ``compare --json`` prints. ``difference`` is the second side less the first; ``word`` is higher,
    lower, same, not shown or undecided; ``latency_not_compared`` says why, or is null; ``origin_unknown``: the sides of
    which nobody knows how the answers were made; a finding without a ``side`` is one of the comparison."""
    return {
        name: plain(value)
        for name, value in {
            "measure": found.measure,
            "first": found.names[0],
            "second": found.names[1],
            "changed": [{"fact": c.fact, "first": c.first, "second": c.second} for c in found.changes],
            "origin_unknown": list(found.origin_unknown),
            "differences": [_difference(own) for own in found.differences],
            "equal_quality": [
                {"quality": r.quality, "first_s": r.first_s, "second_s": r.second_s, "ratio": r.ratio}
                for r in found.equal_quality
            ],
            "latency_not_compared": found.no_latency or None,
            "notes": list(found.notes),
            "findings": [
                *({"side": None, **finding_document(finding)} for finding in found.own_findings),
                *({"side": name, **finding_document(finding)} for name, finding in found.findings),
            ],
            "checks": [{"code": own.code, "outcome": own.outcome, "reason": own.reason} for own in found.checks],
            "decided": found.decided,
        }.items()
    }


def comparison_text(found: Comparison, changed: str) -> str:
    """What changed, the one difference in a sentence (several stand in a table), and what may mislead."""
    first, second = found.names
    lines = [f"{second} against {first}, {found.measure}: {changed}"]
    if len(found.differences) == 1:
        lines.append(_sentence(found.differences[0], found))
    lines += found.notes
    lines += [f"{own.severity}: {own.message}; {own.remedy}" for own in _by_weight(found.own_findings)]
    for name, finding in found.findings:
        if finding.severity != "note":
            lines.append(f"{finding.severity} ({name}): {finding.message}; {finding.remedy}")
    lines.append(f"latencies are not compared: {found.no_latency}" if found.no_latency else _latencies(found))
    return "\n".join(lines)


def _by_weight(findings: Sequence[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: -SEVERITIES.index(finding.severity))


def difference_rows(found: Comparison) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The head and the rows of the table of settings."""
    first, second = found.names
    head = tuple(name.format(first=first, second=second) for name in HEADER)
    rows: list[tuple[str, ...]] = [
        (
            own.setting,
            _builds(own.first),
            _builds(own.second),
            f"{_signed(own.difference)} {_ends(own)}".strip(),
            f"{own.higher:,}, {own.lower:,}",
            f"{own.n:,}",
            _p(own.p_holm),
            "within the spread of builds" if own.word == "not shown" and own.within_builds else own.word,
        )
        for own in found.differences
    ]
    return head, rows


def equal_rows(found: Comparison) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The head and the rows of the table of latencies at equal quality."""
    first, second = found.names
    head = tuple(name.format(measure=found.measure, first=first, second=second) for name in EQUAL_HEADER)
    return head, [
        (percent(row.quality), duration(row.first_s), duration(row.second_s), significant(row.ratio))
        for row in found.equal_quality
    ]


def _difference(own: Difference) -> dict[str, Any]:
    return {
        "setting": own.setting,
        "first": _builds_document(own.first),
        "second": _builds_document(own.second),
        "difference": own.difference,
        "ci95": None if own.ci95 is None else list(own.ci95),
        "ci_method": own.ci_method,
        "standard_error": own.standard_error,
        "unpaired_error": own.unpaired_error,
        "n": own.n,
        "left_out": own.left_out,
        "queries": {"higher": own.higher, "lower": own.lower, "same": own.same},
        "claim": own.claim,
        "test": own.test,
        "p": own.p,
        "p_holm": own.p_holm,
        "smallest_p": own.smallest_p,
        "build_share_of_variance": own.build_share,
        "word": own.word,
    }


def _builds_document(builds: Builds) -> dict[str, Any]:
    return {"mean": builds.mean, "builds": builds.count, "sd_of_builds": builds.sd}


def _sentence(own: Difference, found: Comparison) -> str:
    first, second = found.names
    difference = f"{_signed(own.difference)} {_ends(own)}".strip()
    about = f"{own.setting}: {second} less {first} is {difference} over {queries(own.n)}"
    tested = f"p {_p(own.p)}, {own.test}"
    left = f" {queries(own.left_out).capitalize()} without a value left out." if own.left_out else ""
    if own.word == "undecided":
        said = f"undecided: no test could reject with so few (the smallest p is {_p(own.smallest_p)})"
    elif own.word == "same":
        said = "the same on every query"
    elif own.word == "not shown":
        said = f"no difference shown ({tested})"
    else:
        said = f"{second} is {own.word} ({tested})"
    return f"{about}; {said}{_spread(own)}.{left}"


def _spread(own: Difference) -> str:
    sides = [builds for builds in (own.first, own.second) if builds.sd is not None]
    if not sides:
        return ""
    spreads = ", ".join(f"{_points(b.sd or 0.0)} over {count(b.count, 'build')}" for b in sides)
    return f" (standard deviation {spreads})"


def _latencies(found: Comparison) -> str:
    first, second = found.names
    ratios = [row.ratio for row in found.equal_quality]
    low, high = min(ratios), max(ratios)
    span = significant(low) if low == high else f"{significant(low)} to {significant(high)}"
    return f"at equal {found.measure} a call of {second} takes {span} times what one of {first} takes"


def _builds(builds: Builds) -> str:
    return percent(builds.mean) if builds.sd is None else f"{percent(builds.mean)} ± {_points(builds.sd)}"


def _signed(value: float) -> str:
    """A difference of shares, with its sign and four decimals."""
    return f"{value:+.4f}"


def _points(value: float) -> str:
    return f"{value:.4f}"


def _ends(own: Difference) -> str:
    return "" if own.ci95 is None else f"[{own.ci95[0]:+.4f}, {own.ci95[1]:+.4f}]"


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
