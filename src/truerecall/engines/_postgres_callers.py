"""Connections to one server for as many callers as ask at once, all with the same settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from truerecall.engines._postgres import Session
from truerecall.errors import EngineFailed
from truerecall.model.engine import Setting, Value


@dataclass(eq=False)
class Callers:
    """``opening`` makes a session. A caller takes one of ``idle``, or opens one where none is, and puts it back; what
    nobody uses stays open. ``prefix``: what stands before the names of settings, such as ``hnsw``."""

    opening: Callable[[], Session]
    prefix: str = ""
    everyone: list[Session] = field(default_factory=list)
    idle: list[Session] = field(default_factory=list)
    wanted: Mapping[str, Value] = field(default_factory=dict)

    def take(self) -> Session:
        """A session for one caller alone."""
        try:
            return self.idle.pop()
        except IndexError:
            session = self.opening()
            self.everyone.append(session)
            self._set(session)
            return session

    def put_back(self, session: Session) -> None:
        """One whose connection broke is used no more; the next caller opens another."""
        if not session.connection.closed:
            self.idle.append(session)
        elif session in self.everyone:
            self.everyone.remove(session)

    @contextmanager
    def one(self) -> Iterator[Session]:
        """A session as long as the block lasts."""
        session = self.take()
        try:
            yield session
        finally:
            self.put_back(session)

    def set_all(self, wanted: Mapping[str, Value]) -> None:
        """Set these on every connection, those still to come included."""
        self.wanted = dict(wanted)
        for session in self.everyone:
            self._set(session)

    def demand_in_force(self) -> None:
        """Raises EngineFailed where a connection holds another value than it was told: the extension did not take it,
        or somebody between us and the server did."""
        for session in self.everyone:
            for name, value in self.wanted.items():
                held = setting_of(session, self.prefix, name, type(value))
                if held != value:
                    raise EngineFailed(
                        f"{self.prefix}.{name} was set to {value} and is {held}",
                        "connect without a pooler, and give a value that pgvector can hold",
                    )

    def close(self) -> None:
        for session in self.everyone:
            session.close()

    def _set(self, session: Session) -> None:
        for name, value in self.wanted.items():
            session.rows("SELECT set_config(%s, %s, false)", [f"{self.prefix}.{name}", f"{value}"])


def setting_of(session: Session, prefix: str, name: str, kind: type) -> Value | None:
    """A setting as the server shows it; None where it does not know its name."""
    text = session.rows("SELECT current_setting(%s, true)", [f"{prefix}.{name}"])[0][0]
    return None if text is None else kind(text)


def known_settings(session: Session, prefix: str, settings: tuple[Setting, ...]) -> tuple[Setting, ...]:
    """Those that this version of pgvector has, each with what it is before it is set as its default."""
    held = {setting: setting_of(session, prefix, setting.name, setting.kind) for setting in settings}
    return tuple(replace(setting, default=value) for setting, value in held.items() if value is not None)
