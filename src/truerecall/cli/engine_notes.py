"""What the docstring of an engine's file says, in its parts: for the page of the engine and for the terminal."""

from __future__ import annotations

import inspect
import sys
import textwrap
from dataclasses import dataclass

from truerecall.model.engine import Engine

STATED = ("State", "Costs", "Attached")
SECTIONS = (*STATED, "Traps", "Example")


@dataclass(frozen=True)
class Notes:
    """``head``: the first line; ``text``: the paragraphs after it; ``stated``: what it tells of itself, what it counts
    and how one that exists is named, by the heads of those sections; ``traps``: each in a sentence or two; ``code``:
    what the examples need beside vectors; ``examples``: the flags of ``run`` by which it is measured. Empty where
    nothing is said."""

    head: str
    text: tuple[str, ...]
    stated: dict[str, str]
    traps: tuple[str, ...]
    code: str
    examples: tuple[str, ...]


def notes_of(engine: Engine) -> Notes:
    """What stands in the file of its class; where that says nothing, what the class says of itself."""
    module = sys.modules[type(engine).__module__]
    told = inspect.cleandoc(module.__doc__ or type(engine).__doc__ or engine.name)
    parts: dict[str, list[str]] = {"": []}
    for line in told.splitlines():
        if line in SECTIONS:
            parts[line] = []
        else:
            parts[list(parts)[-1]].append(line)
    body = {title: textwrap.dedent("\n".join(lines)).strip("\n") for title, lines in parts.items()}
    head, *text = map(_flowing, body[""].strip().split("\n\n"))
    code, *commands = f"\n{body.get('Example', '')}".split("\n--engine ")
    return Notes(
        head,
        tuple(text),
        {title: _flowing(body[title]) for title in STATED if title in body},
        tuple(_flowing(part) for part in f"\n{body.get('Traps', '')}".split("\n- ") if part.strip()),
        code.strip("\n"),
        tuple(f"--engine {_flowing(command)}" for command in commands),
    )


def _flowing(text: str) -> str:
    return " ".join(text.split())
