"""The machine that a measurement runs on, as far as it tells. Only reads; None where a fact is unknown."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil
from threadpoolctl import threadpool_info

LIBRARIES = ("truerecall", "numpy", "faiss-cpu", "pyarrow", "scipy")
CPUINFO = Path("/proc/cpuinfo")
THREAD_VARIABLES = (
    "OMP_NUM_THREADS", "OMP_WAIT_POLICY", "OMP_PROC_BIND", "OMP_DYNAMIC", "KMP_BLOCKTIME", "GOMP_SPINCOUNT",
    "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
)  # fmt: skip
SHORTEST_SPAN_S = 0.1
"""Times are counted in hundredths of a second for each core; below ten of them nothing can be told."""

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
        "thread_settings": thread_settings(),
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


def thread_settings() -> dict[str, str]:
    """The variables of the environment that tell the pools how many threads they may use, where they are set."""
    return {name: os.environ[name] for name in THREAD_VARIABLES if name in os.environ}


class Meter:
    """How busy the machine is between two readings, and how much of that is our own doing.

    Our own are this process and those with the numbers ``beside``.
    """

    def __init__(self, *beside: int) -> None:
        self.own = [psutil.Process(), *(psutil.Process(pid) for pid in beside)]
        self.last = self._spent()

    def read(self) -> dict[str, float | None]:
        """The load since the reading before.

        ``load_average``: over the last minute. ``cpu_percent``: of all cores. ``own_busy_cores`` and
        ``others_busy_cores``: how many cores our own and other programs kept busy on average, None where the time
        between the readings is too short to tell. ``memory_available_bytes``: now.
        """
        before, now = self.last, self._spent()
        self.last = now
        total, busy, own = (max(0.0, after - earlier) for after, earlier in zip(now, before, strict=True))
        cores = psutil.cpu_count() or 1
        told = total / cores >= SHORTEST_SPAN_S
        try:
            average: float | None = os.getloadavg()[0]
        except OSError:
            average = None
        return {
            "load_average": average,
            "cpu_percent": round(100 * busy / total, 1) if total > 0 else 0.0,
            "own_busy_cores": round(own / total * cores, 2) if told else None,
            "others_busy_cores": round(max(0.0, busy - own) / total * cores, 2) if told else None,
            "memory_available_bytes": int(psutil.virtual_memory().available),
        }

    def _spent(self) -> tuple[float, float, float]:
        """Seconds since the machine started, over all cores: of any kind, busy, and busy for our own."""
        spent = psutil.cpu_times()
        guests = getattr(spent, "guest", 0.0) + getattr(spent, "guest_nice", 0.0)  # these are in user and nice too
        total = sum(spent) - guests
        own = 0.0
        for process in self.own:
            with suppress(psutil.Error):
                times = process.cpu_times()
                own += times.user + times.system
        return total, total - spent.idle - getattr(spent, "iowait", 0.0), own


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


@cache
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
