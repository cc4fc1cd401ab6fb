"""How numbers and names are written, the same on every face."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from truerecall.report.parts import Fact
from truerecall.report.point_parts import ScoreRow

CONTROLS = {code: "\ufffd" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"}
"""What ``str.translate`` takes to make control characters visible: they are no HTML, and can command a terminal."""
DEFAULTS = "the defaults"
BYTE_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")


def percent(share: float) -> str:
    """``95.3 %``. What is not all never reads as all, and what is not nothing never reads as nothing."""
    return f"{share * 100:.{_decimals(share)}f} %"


def interval(score: ScoreRow) -> str:
    """``[94.6, 96.0]`` in percent, or empty where there is no interval.

    Both ends have as many decimals as it takes for the mean and either end not to read as all or nothing where they are
    not.
    """
    if score.mean is None or score.low is None or score.high is None:
        return ""
    decimals = max(_decimals(share) for share in (score.mean, score.low, score.high))
    return f"[{score.low * 100:.{decimals}f}, {score.high * 100:.{decimals}f}]"


def _decimals(share: float) -> int:
    decimals = 1
    while 0 < share < 1 and decimals < 5 and float(f"{share * 100:.{decimals}f}") in (0.0, 100.0):
        decimals += 1
    return decimals


def estimate(score: ScoreRow) -> str:
    """The mean with its interval; ``undefined`` where no query has a value."""
    if score.mean is None:
        return "undefined"
    return " ".join(part for part in (percent(score.mean), interval(score)) if part)


def significant(value: float, digits: int = 3) -> str:
    """A number to so many significant digits, without exponent and with thousands set apart."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{min(decimals, 12)}f}"


def distance_text(distance: float) -> str:
    """A true distance: four decimals where that says enough, else four significant digits."""
    return f"{distance:.4f}" if distance == 0 or 0.01 <= abs(distance) < 1e6 else f"{distance:.4g}"


def duration(seconds: float) -> str:
    """Seconds from one second on, milliseconds below."""
    return f"{significant(seconds, 3)} s" if seconds >= 1 else f"{milliseconds(seconds)} ms"


def milliseconds(seconds: float) -> str:
    """The bare number of milliseconds: two significant digits below one, three from there on."""
    value = seconds * 1000
    return significant(value, 3 if value >= 1 else 2)


def microseconds(seconds: float) -> str:
    """``0.40 µs``: for what is too short for milliseconds."""
    return f"{significant(seconds * 1e6, 2)} µs"


def size(size_bytes: float) -> str:
    """A number of bytes in the largest unit that keeps it at one or more."""
    step = min(len(BYTE_UNITS) - 1, int(math.log2(size_bytes) // 10)) if size_bytes >= 1 else 0
    return f"{significant(size_bytes / 1024**step)} {BYTE_UNITS[step]}" if step else f"{size_bytes:,.0f} bytes"


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 query``, ``500 queries``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def queries(number: int) -> str:
    return count(number, "query", "queries")


def spoken(name: str) -> str:
    """An identifier as words: ``distance_computations`` is ``distance computations``."""
    return name.replace("_", " ").strip()


def some(names: Sequence[str], most: int = 3) -> str:
    """The first of the names, and how many more there are."""
    more = len(names) - most
    return "; ".join(names) if more <= 0 else f"{'; '.join(names[:most])} and {more:,} more"


def shortened(text: str, most: int) -> str:
    """The text without control characters; where it is longer, its beginning and its end around an ellipsis."""
    plain = text.translate({**CONTROLS, ord("\t"): " ", ord("\n"): " "})
    half = (most - 1) // 2
    return plain if len(plain) <= most else f"{plain[: most - 1 - half]}…{plain[-half:]}"


def settings_text(settings: Mapping[str, Any]) -> str:
    """``efSearch=32, nprobe=8``; where nothing was set, ``the defaults``."""
    return ", ".join(f"{name}={value}" for name, value in settings.items()) or DEFAULTS


def flat_facts(mapping: Mapping[str, Any], prefix: str = "") -> tuple[Fact, ...]:
    """Nested values as a flat list of facts: a unit at the end of a name moves into the value."""
    facts: list[Fact] = []
    for name, value in mapping.items():
        path = f"{prefix}{spoken(str(name))}"
        if isinstance(value, Mapping):
            facts.extend(flat_facts(value, f"{path}: "))
        elif str(name).endswith("_bytes") and isinstance(value, int | float):
            facts.append(Fact(path.removesuffix(" bytes"), size(value)))
        elif str(name).endswith("_s") and isinstance(value, int | float):
            facts.append(Fact(path.removesuffix(" s"), duration(value)))
        else:
            facts.append(Fact(path, value_text(value)))
    return tuple(facts)


def value_text(value: Any) -> str:
    """Any plain value as a person would write it."""
    if value is None:
        return "not known"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}" if value == 0 or 1e-4 <= abs(value) < 1e6 else significant(value, 4)
    if isinstance(value, Mapping):
        return " ".join(f"{spoken(str(name))} {value_text(own)}" for name, own in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        mark = "; " if any(isinstance(v, Mapping) for v in value) else ", "
        return mark.join(value_text(v) for v in value) or "none"
    return str(value)
