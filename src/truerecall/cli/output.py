"""Where words go: the answer to standard output, everything else to standard error.

A reader that has left (``truerecall ... | head``) is no failure: the rest is dropped.
"""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any


def json_text(document: Any) -> str:
    """A document as JSON text; NaN is refused rather than written."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def print_json(document: Any) -> None:
    """One JSON document on standard output."""
    print_text(json_text(document))


def print_text(text: str) -> None:
    """Plain text on standard output."""
    try:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()


def print_rich(*renderables: Any) -> None:
    """Tables and other Rich renderables on standard output, as wide as they need to be where no person looks."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else 160
    console = Console(width=width, soft_wrap=False, highlight=False)
    with console.capture() as captured:
        for renderable in renderables:
            console.print(renderable)
    print_text("\n".join(line.rstrip() for line in captured.get().splitlines()))


def speak_utf8() -> None:
    """Both streams speak UTF-8 whatever the locale; what UTF-8 cannot say (odd bytes in file names) is escaped.

    A stream that was closed before Python began is one that nobody reads.
    """
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def say(line: str) -> None:
    """One line of prose on standard error."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201


def drop_output() -> None:
    """Point standard output at nothing, so that what is still buffered cannot fail when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
