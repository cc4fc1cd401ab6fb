"""The environment of a measurement: plain values, and what can be checked against the machine itself."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from truerecall import machine


def test_the_environment_is_plain_and_true() -> None:
    facts = machine.environment()
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert facts["libraries"]["numpy"] == np.__version__
    assert 1 <= facts["cores_usable"] <= (os.cpu_count() or 1)
    assert facts["memory_bytes"] > 2**20


def test_thread_pools_tell_the_limit_in_force() -> None:
    with threadpool_limits(1):
        assert {pool["threads"] for pool in machine.thread_pools()} == {1}


def test_load_is_a_reading() -> None:
    machine.load()
    reading = machine.load()
    assert reading["load_average"] is not None
    assert reading["load_average"] >= 0
    assert reading["cpu_percent"] is not None
    assert 0 <= reading["cpu_percent"] <= 100


def test_what_is_unknown_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(machine, "GOVERNOR", tmp_path / "absent")
    monkeypatch.setattr(machine, "CPUINFO", tmp_path / "absent")
    monkeypatch.setattr(machine, "LIBRARIES", ("no-such-library",))
    monkeypatch.setattr("platform.processor", lambda: "")
    facts = machine.environment()
    assert facts["cpu_governor"] is facts["processor"] is facts["libraries"]["no-such-library"] is None
