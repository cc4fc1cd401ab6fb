"""The library of an engine: whether it is installed, and the library itself once it is needed."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from truerecall.errors import MissingExtra


def installed(package: str) -> str | None:
    """The version of a package, or None where it is not there. Nothing is imported."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def imported(module: str, *, package: str, extra: str) -> Any:
    """A module of the library, used untyped. Raises MissingExtra where the package is not there."""
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtra(package, extra) from None
