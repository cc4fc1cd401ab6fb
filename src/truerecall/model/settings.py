"""Whether settings are ones that an engine knows, with values that it takes."""

from __future__ import annotations

import math
from collections.abc import Iterable

from truerecall.errors import InputError, UnknownName, plain_name
from truerecall.model.engine import Setting, Settings, Value

WORDS = {int: "a whole number", float: "a number", str: "a word"}


def checked_settings(given: Settings, known: Iterable[Setting]) -> dict[str, Value]:
    """The settings under their proper names, each value of the right kind and within its range.

    Names compare without case, and ``-`` equals ``_``. Raises UnknownName, or InputError for a value that the
    setting cannot take, for one setting given twice, and for one without a default that is missing.
    """
    by_name = {plain_name(setting.name): setting for setting in known}
    checked: dict[str, Value] = {}
    for name, value in given.items():
        setting = by_name.get(plain_name(name))
        if setting is None:
            raise UnknownName("setting", name, (s.name for s in by_name.values()))
        if setting.name in checked:
            raise InputError(f"{setting.name} is set twice", "set it once")
        checked[setting.name] = checked_value(setting, value)
    for setting in by_name.values():
        if setting.default is None and setting.name not in checked:
            raise InputError(f"{setting.name} is not set", f"set it: {setting.meaning}")
    return checked


def checked_value(setting: Setting, value: Value) -> Value:
    """The value as the setting takes it. Raises InputError."""
    if setting.kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    remedy = f"give {WORDS[setting.kind]}{_range(setting)}"
    if type(value) is not setting.kind or (isinstance(value, float) and not math.isfinite(value)):
        raise InputError(f"{setting.name} is {value!r}", remedy)
    if isinstance(value, int | float):
        below = setting.minimum is not None and value < setting.minimum
        above = setting.maximum is not None and value > setting.maximum
        if below or above:
            raise InputError(f"{setting.name} is {value}", remedy)
    return value


def _range(setting: Setting) -> str:
    if setting.minimum is not None and setting.maximum is not None:
        return f" from {setting.minimum:.12g} to {setting.maximum:.12g}"
    if setting.minimum is not None:
        return f" not below {setting.minimum:.12g}"
    return f" not above {setting.maximum:.12g}" if setting.maximum is not None else ""
