"""How a measure is written: one spelling for code, flags, files and table headers."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

from truerecall.errors import InputError

SPELLING = re.compile(
    r"(?:(?P<first>[0-9]+)-)?(?P<base>[a-z][a-z0-9_-]*)(?:@(?P<depth>[0-9]+)(?:/(?P<places>[0-9]+))?)?"
    r"(?:\((?P<argument>[^()]*)\)|:(?P<bare>[^()]*))?"
)

HEADLINE = "recall"
"""The measure that curves are drawn of and claims are about, where nobody names another."""


@dataclass(frozen=True)
class MeasureName:
    """A measure, its depth and its argument.

    ``recall@10``; ``eps_recall@10(0.01)``, also written ``eps_recall@10:0.01`` where a shell would take brackets;
    ``10-recall@100``, also written ``recall@10/100``: of the ``k`` = 10 true neighbours those among the first
    ``places`` = 100 of the answer. ``places`` is k where the name does not say otherwise.
    """

    base: str
    k: int
    places: int = 0
    argument: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", self.places or self.k)

    def __str__(self) -> str:
        plain = f"{self.base}@{self.k}" if self.places == self.k else f"{self.k}-{self.base}@{self.places}"
        return f"{plain}({self.argument})" if self.argument else plain

    @classmethod
    def parse(cls, text: str, *, default_k: int | None = None) -> MeasureName:
        """From any of its spellings; without a depth (``recall``) where a default is given. Raises InputError."""
        match = SPELLING.fullmatch(text.strip().lower())
        if match is None or (match["depth"] is None and default_k is None):
            raise InputError(f"{text!r} does not name a measure", "write a name and a depth, as in recall@10")
        depth = int(match["depth"] or default_k or 0)
        k, places = (int(match["first"]), depth) if match["first"] else (depth, int(match["places"] or depth))
        if k < 1 or places < k or (match["first"] and match["places"]):
            raise InputError(f"{text!r} has depths that make no sense", "write k-NAME@n with 1 <= k <= n")
        argument = (match["argument"] or match["bare"] or "").strip()
        return cls(match["base"].replace("-", "_"), k, places, argument)

    def demand_plain(self) -> None:
        """Raises InputError where the name has an argument or more places than k, for measures that know neither."""
        self.demand_no_argument()
        self.demand_depth()

    def demand_depth(self) -> None:
        """Raises InputError where the name has more places than k, for measures that look at one depth alone."""
        if self.places != self.k:
            raise InputError(f"{self.base} looks at one depth and {self} names two", f"write {self.base}@{self.k}")

    def number(self, what: str, *, example: str, least: float = 0.0, most: float = 1.0) -> float:
        """The argument as a number from ``least`` to ``most``; ``1%`` is 0.01.

        Raises InputError where it is absent or no such number. ``what`` it is and an ``example`` go into the message.
        """
        text = self.argument.removesuffix("%")
        try:
            value = float(text) / (100.0 if self.argument.endswith("%") else 1.0)
        except ValueError:
            value = math.nan
        if not least <= value <= most:
            seen = f"{self} has {self.argument!r} for" if self.argument else f"{self} does not say"
            raise InputError(f"{seen} {what}", f"write {replace(self, argument=example)}")
        return value

    def demand_no_argument(self) -> None:
        """Raises InputError where the name has an argument."""
        if self.argument:
            raise InputError(f"{self.base} takes no argument and {self} has one", f"write {self.base}@{self.k}")
