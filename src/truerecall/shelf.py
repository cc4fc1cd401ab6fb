"""A shelf: the folder is the registry, and the file name is the public name.

A shelf looks for an object in the package folder ``truerecall.SHELF`` first and then among the entry points of
the group ``truerecall.SHELF``, so that another package can add one. Nothing is imported before it is named. An object
that exists in this process alone can be lent to a shelf for a while.
Each file on a shelf holds one public object, bound to the name that the shelf expects (``engine``, ``measure``,
``check``). A file whose name starts with ``_`` is shared by its siblings and is not listed.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from truerecall.errors import UnknownName, plain_name


@cache
def _entries(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group. Reading the metadata of all packages takes time, and they stay as they are."""
    return tuple(entry_points(group=group))


@cache
def _files(package: str) -> frozenset[str]:
    """What lies in the folder of a package. It is asked for every object that is named, and stays as it is."""
    return frozenset(info.name for info in pkgutil.iter_modules(import_module(package).__path__))


class Shelf:
    """The objects of one kind, by name.

    ``package`` is the folder below ``truerecall`` (``measures``); ``attribute`` is the name that each of its files
    binds (``measure``), which is also what the object is called in messages.
    """

    def __init__(self, package: str, attribute: str) -> None:
        self.package = f"truerecall.{package}"
        self.attribute = attribute
        self._lent: dict[str, Any] = {}

    def names(self) -> list[str]:
        """All names on the shelf, sorted; nothing is imported."""
        outside = {entry.name for entry in _entries(self.package)}
        return sorted(name for name in _files(self.package) | outside | set(self._lent) if not name.startswith("_"))

    @contextmanager
    def lend(self, name: str, thing: Any) -> Iterator[None]:
        """Have ``thing`` on the shelf as ``name``, before all others of that name, as long as the context lasts.

        Other processes do not see it.
        """
        before = dict(self._lent)
        self._lent[name] = thing
        try:
            yield
        finally:
            self._lent = before

    def spelling(self, name: str) -> str:
        """How the shelf spells ``name``: names compare without case, and ``-`` equals ``_``. Raises UnknownName with a
        suggestion."""
        known = {plain_name(n): n for n in self.names()}
        if plain_name(name) not in known:
            raise UnknownName(self.attribute, name, self.names())
        return known[plain_name(name)]

    def get(self, name: str) -> Any:
        """The object called ``name``, in any spelling. Raises UnknownName with a suggestion."""
        spelling = self.spelling(name)
        if spelling in self._lent:
            return self._lent[spelling]
        wanted = plain_name(name)
        for entry in _entries(self.package):
            if plain_name(entry.name) == wanted:
                return entry.load()
        return getattr(import_module(f"{self.package}.{spelling}"), self.attribute)


engines = Shelf("engines", "engine")
measures = Shelf("measures", "measure")
checks = Shelf("checks", "check")
