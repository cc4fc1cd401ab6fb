"""Checks: each looks for one thing that can make a number mislead.

A file on the shelf ``truerecall.checks`` binds one to ``check``. A check is a small class without state. The
parameters of its ``examine`` are named after the evidence that it needs, such as ``run``, ``truth``, ``answers`` or
``scores``; one with a default is evidence that it can do without. The first is what the check is about: where that is
not at hand, the check is not asked. Only what is there is handed in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from truerecall.model.finding import Finding


@dataclass(frozen=True)
class CannotTell:
    """A check's answer where the evidence is there but does not decide; never taken for a pass."""

    reason: str


class Check(Protocol):
    @property
    def title(self) -> str:
        """What it looks for in a few words, for tables."""
        ...

    @property
    def examine(self) -> Callable[..., Finding | CannotTell | None]:
        """Called with its evidence by name; None means that there is nothing to object to."""
        ...


def code_of(name: str) -> str:
    """The code of a check from the name of its file or module: ``short_answers`` is ``short-answers``."""
    return name.rpartition(".")[2].replace("_", "-")
