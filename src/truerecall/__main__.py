"""``python -m truerecall`` and ``truerecall`` are the command line."""

from __future__ import annotations

import sys


def main() -> int:
    """Run one verb; an interruption while the command line itself is still loading is one like any other."""
    try:
        from truerecall.cli.main import main as run_verb
    except KeyboardInterrupt:
        print("truerecall: interrupted; nothing had begun", file=sys.stderr)  # noqa: T201
        return 130
    return run_verb()


if __name__ == "__main__":
    sys.exit(main())
