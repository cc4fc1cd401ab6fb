"""How the numbers of an inspection are written."""

from __future__ import annotations

from truerecall.model.shape import Estimate
from truerecall.report.wording import percent, significant


def estimate_text(found: Estimate, words: str = "", *, share: bool = False) -> str:
    """``17.8 [17.4, 18.2] rows, n=1,000`` with the ``words`` after the number; a share in per cent; why there is none
    where it is undefined."""
    if found.value is None:
        return f"undefined: {found.reason}"
    if share:
        text = percent(found.value)
        if found.interval is not None:
            low, high = found.interval
            text += f" [{percent(low)[:-2]}, {percent(high)[:-2]}]"
    else:
        text = significant(found.value) if found.interval is None else _between(found.value, *found.interval)
    return f"{text}{words and f' {words}'}, n={found.n:,}"


def _between(value: float, low: float, high: float) -> str:
    """All three with as many decimals as the value takes, and more where both ends would read alike."""
    decimals = len(significant(value).partition(".")[2])
    while decimals < 6 and low < high and f"{low:.{decimals}f}" == f"{high:.{decimals}f}":
        decimals += 1
    return f"{value:,.{decimals}f} [{low:,.{decimals}f}, {high:,.{decimals}f}]"
