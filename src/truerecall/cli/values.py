"""How values are spelt on the command line: settings, lists of settings, measures and choices."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from truerecall.errors import InputError, UnknownName, plain_name
from truerecall.model.engine import Value
from truerecall.model.measure_name import MeasureName

if TYPE_CHECKING:
    from truerecall.steps.unusable import Policies

Choice = TypeVar("Choice", bound=str)


def parse_value(text: str) -> Value:
    """A setting's value: an integer where it reads as one, else a number, else the text as it stands."""
    if re.fullmatch(r"[+-]?[0-9]+", text):
        return int(text)
    if re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text):
        return float(text)
    return text


def parse_set(flags: Sequence[str]) -> dict[str, Value]:
    """``--set NAME=VALUE``, repeatable. Commas belong to the value: ``factory=IVF256,Flat``."""
    settings: dict[str, Value] = {}
    for flag in flags:
        name, value = _split(flag, "--set", "factory=HNSW32")
        if name in settings:
            raise InputError(f"--set names {name} twice", "give it once, or use --vary")
        settings[name] = parse_value(value)
    return settings


def parse_vary(flags: Sequence[str]) -> dict[str, tuple[Value, ...]]:
    """``--vary NAME=V,V``, repeatable. Values that hold commas are parted by semicolons:
    ``factory=HNSW32;IVF256,Flat``.
    """
    varied: dict[str, tuple[Value, ...]] = {}
    for flag in flags:
        name, text = _split(flag, "--vary", "efSearch=16,32,64")
        if name in varied:
            raise InputError(f"--vary names {name} twice", "list all its values in one --vary")
        parts = [part.strip() for part in text.split(";" if ";" in text else ",")]
        if "" in parts:
            raise InputError(f"--vary {flag} holds an empty value", "write --vary NAME=V,V without stray commas")
        values = tuple(parse_value(part) for part in parts)
        if len(set(values)) < len(values):
            raise InputError(f"--vary {flag} names a value twice", "name each value once")
        varied[name] = values
    return varied


def parse_measures(flags: Sequence[str], *, default_k: int) -> list[MeasureName]:
    """``--measures NAME,NAME``, repeatable; ``default_k`` is the depth of those named without one."""
    names = [MeasureName.parse(part, default_k=default_k) for flag in flags for part in flag.split(",")]
    twice = next((str(name) for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise InputError(f"--measures names {twice} twice", "name each measure once")
    return names


def parse_choice(text: str, choices: Sequence[Choice], *, option: str) -> Choice:
    """One of the words that a flag takes; upper case and ``_`` for ``-`` are forgiven."""
    wanted = plain_name(text)
    for choice in choices:
        if plain_name(choice) == wanted:
            return choice
    raise UnknownName(f"value of {option}", text, choices)


def parse_policies(zero_vectors: str, not_finite: str) -> Policies:
    """``--zero-vectors`` and ``--not-finite``: what becomes of vectors that no distance is defined for."""
    from truerecall.steps.unusable import POLICIES, Policies

    return Policies(
        parse_choice(zero_vectors, POLICIES, option="--zero-vectors"),
        parse_choice(not_finite, POLICIES, option="--not-finite"),
    )


def _split(flag: str, option: str, example: str) -> tuple[str, str]:
    name, equals, value = flag.partition("=")
    if not (name.strip() and equals and value.strip()):
        raise InputError(f"{option} {flag!r} is not NAME=VALUE", f"write {option} {example}")
    return name.strip(), value.strip()
