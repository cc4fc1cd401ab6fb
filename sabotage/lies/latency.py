"""Lies about how long it took."""

from __future__ import annotations

from sabotage.liars import Failing, Instant, Liar, Slowing
from sabotage.lie import Lie
from sabotage.lies.queries import honest
from sabotage.workshop import GRAPH, Workshop, changed
from truerecall.model.finding import Finding
from truerecall.model.mode import Mode
from truerecall.model.vectors import QuerySet


def cold(shop: Workshop) -> list[Finding]:
    return shop.findings(warmup_calls=0)


def few_calls(shop: Workshop) -> list[Finding]:
    return shop.findings(queries=QuerySet(shop.q[:30]), repeats=1)


def weightless(shop: Workshop) -> list[Finding]:
    return shop.findings(liar=Liar(Instant))


def slowing(shop: Workshop) -> list[Finding]:
    return shop.findings(liar=Liar(Slowing), warmup_calls=10)


def failing(shop: Workshop) -> list[Finding]:
    return shop.findings(liar=Liar(Failing))


def in_batches(shop: Workshop) -> list[Finding]:
    return shop.findings(modes=(Mode("batch", 20),))


def by_clients(shop: Workshop) -> list[Finding]:
    return shop.findings(modes=(Mode("clients", 2),))


def three_builds(shop: Workshop) -> list[Finding]:
    return shop.findings(changed(GRAPH, efSearch=(16, 64)), builds=3)


LIES = (
    Lie("cold", "no warm-up", "no-warm-up", cold, honest),
    Lie("few calls", "percentiles of thirty calls", "too-few-calls", few_calls, in_batches),
    Lie("harness", "the harness is what was timed", "harness-too-heavy", weightless, by_clients),
    Lie("slowing", "each call takes longer", "drift-during-run", slowing, three_builds),
    Lie("fast failures", "latency of the calls that failed", "failures-hidden", failing, honest),
)
