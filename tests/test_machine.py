"""The environment of a measurement: plain values, and what can be checked against the machine itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
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


def burn(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


@pytest.mark.alone
def test_a_meter_tells_our_own_work_from_that_of_others() -> None:
    meter = machine.Meter()
    burn(0.6)
    alone = meter.read()
    assert alone["load_average"] is not None
    assert alone["cpu_percent"] is not None
    assert 0 < alone["cpu_percent"] <= 100
    assert alone["own_busy_cores"] is not None
    assert alone["own_busy_cores"] > 0.2
    assert alone["memory_available_bytes"] is not None
    script = "import time\nuntil = time.monotonic() + 20\nwhile time.monotonic() < until: pass"
    with subprocess.Popen([sys.executable, "-c", script]) as other:
        beside, without = machine.Meter(other.pid), machine.Meter()
        time.sleep(0.8)
        ours, theirs = beside.read(), without.read()
        other.kill()
    assert ours["own_busy_cores"] is not None
    assert theirs["others_busy_cores"] is not None
    assert theirs["own_busy_cores"] is not None
    assert ours["own_busy_cores"] > theirs["own_busy_cores"] + 0.2
    assert theirs["others_busy_cores"] > 0.2


def test_a_meter_says_nothing_of_a_moment() -> None:
    meter = machine.Meter()
    meter.read()
    moment = meter.read()
    assert moment["own_busy_cores"] is moment["others_busy_cores"] is None
    assert moment["cpu_percent"] is not None


def test_a_process_beside_that_is_gone_does_no_harm() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        meter = machine.Meter(other.pid)
        other.kill()
    burn(0.2)
    assert meter.read()["cpu_percent"] is not None


def test_thread_settings_are_those_that_are_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in machine.THREAD_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert machine.thread_settings() == {"OMP_NUM_THREADS": "3"} == machine.environment()["thread_settings"]


def test_what_is_unknown_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(machine, "GOVERNOR", tmp_path / "absent")
    monkeypatch.setattr(machine, "CPUINFO", tmp_path / "absent")
    monkeypatch.setattr(machine, "LIBRARIES", ("no-such-library",))
    monkeypatch.setattr("platform.processor", lambda: "")
    facts = machine.environment()
    assert facts["cpu_governor"] is facts["processor"] is facts["libraries"]["no-such-library"] is None
