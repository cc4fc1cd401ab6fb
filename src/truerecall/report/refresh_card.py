"""What a refresh did, in words and as one JSON document."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from truerecall.report.document import plain
from truerecall.steps.refresh import Refreshed


def refresh_card(done: Refreshed, digest: str) -> dict[str, Any]:
    """``digest`` is that of the content of the truth as it is now. ``share_of_a_build``: of its distance
    computations."""
    card = {"digest": digest, **asdict(done), "share_of_a_build": _share(done)}
    return {name: plain(value) for name, value in card.items()}


def refresh_text(done: Refreshed, digest: str) -> str:
    """The same for people."""
    fewest, most = done.slack
    return "\n".join(
        [
            f"rows: {done.added:,} added, {done.removed:,} removed, {done.changed:,} changed",
            f"queries: {done.rescanned:,} of {done.queries:,} searched for anew",
            f"distance computations: {done.distance_computations:,}, {_share(done):.2%} of the {done.of_a_build:,} of a"
            " new build",
            f"time: {done.seconds:.1f} s, after {done.identity_s:.1f} s to tell what changed",
            f"slack left: {fewest:,} rows" if fewest == most else f"slack left: {fewest:,} to {most:,} rows",
            f"digest: {digest}",
        ]
    )


def _share(done: Refreshed) -> float:
    return done.distance_computations / done.of_a_build
