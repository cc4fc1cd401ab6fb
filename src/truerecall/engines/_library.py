"""Which version of an engine's library is installed."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def installed(package: str) -> str | None:
    """The version of a package, or None where it is not there. Nothing is imported."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
