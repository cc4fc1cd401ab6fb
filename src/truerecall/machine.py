"""The machine that a measurement runs on, as far as it tells. Only reads; None where a fact is unknown."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil
from threadpoolctl import threadpool_info

LIBRARIES = ("truerecall", "numpy", "faiss-cpu", "pyarrow", "scipy")
CPUINFO = Path("/proc/cpuinfo")
GOVERNOR = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")


def environment() -> dict[str, Any]:
    """What stays the same while a program runs, in values that JSON knows."""
    return {
        "processor": _processor(),
        "cores_usable": _cores_usable(),
        "cores_logical": os.cpu_count(),
        "memory_bytes": memory_bytes(),
        "platform": platform.platform(),
        "python": platform.python_version(),
        "libraries": {name: _version(name) for name in LIBRARIES},
        "thread_pools": thread_pools(),
        "cpu_governor": _text(GOVERNOR),
    }


def memory_bytes() -> int:
    """The memory that this process may use: the machine's, or less where its control group is limited."""
    limit = _text(Path("/sys/fs/cgroup/memory.max"))
    total = int(psutil.virtual_memory().total)
    return min(total, int(limit)) if limit is not None and limit.isdigit() else total


def thread_pools() -> list[dict[str, Any]]:
    """The pools of OpenMP and BLAS threads in this process, and how many threads each may use now."""
    return [
        {"library": pool["prefix"], "for": pool["user_api"], "version": pool["version"], "threads": pool["num_threads"]}
        for pool in threadpool_info()
    ]


def load() -> dict[str, float | None]:
    """How busy the machine is, this process included.

    ``load_average``: over the last minute. ``cpu_percent``: of all cores since the call before this one; the first
    call of a process has no such span and says 0.
    """
    try:
        average: float | None = os.getloadavg()[0]
    except OSError:
        average = None
    return {"load_average": average, "cpu_percent": psutil.cpu_percent(interval=None)}


def _processor() -> str | None:
    for line in (_text(CPUINFO) or "").splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.processor() or None


def _cores_usable() -> int | None:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count()


def _version(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None


def _text(path: Path) -> str | None:
    try:
        return path.read_text().strip() or None
    except OSError:
        return None
