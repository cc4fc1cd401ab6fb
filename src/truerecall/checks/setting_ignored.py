"""Is a search setting in force as it was asked for? Else the number stands under a setting that it was not taken at.

What the index reads back is held against what was asked. Numbers may differ by a millionth, as float32 rounds them. An
unknown setting is refused before anything is built; here one shows that the engine took and did not keep (H20).
"""

from __future__ import annotations

import math

from truerecall.model.check import CannotTell, code_of
from truerecall.model.engine import Value
from truerecall.model.finding import Finding
from truerecall.model.run import Run

ROUNDING = 1e-6


class SettingIgnored:
    title = "a search setting that is not in force"

    def examine(self, run: Run) -> Finding | CannotTell | None:
        asked, held = run.setup.asked, run.setup.in_force
        if asked and not held:
            return CannotTell(f"{run.setup.engine} reads back none of its settings")
        off = {name: (value, held.get(name)) for name, value in asked.items() if not _same(value, held.get(name))}
        if not off:
            return None
        told = ", ".join(
            f"{name} was set to {value} and {'is not read back' if own is None else f'is {own}'}"
            for name, (value, own) in off.items()
        )
        return Finding(
            code_of(__name__),
            "warning",
            f"{told}: the number is of the settings in force",
            "give a value within the engine's range, or find out why it keeps another",
            {"asked": dict(asked), "in_force": dict(held)},
        )


def _same(asked: Value, held: Value | None) -> bool:
    if isinstance(asked, str) or isinstance(held, str) or held is None:
        return asked == held
    return math.isclose(asked, held, rel_tol=ROUNDING)


check = SettingIgnored()
