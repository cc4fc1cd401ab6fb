"""What the author of an engine runs to see that it keeps the contract (``truerecall.model.engine``).

    from truerecall.testing import check_engine
    check_engine(my_engine, folder=tmp_path)

Every law is a small function in ``engine_laws`` or ``engine_filters``. What an engine does not list among its
capabilities it must refuse by name, and nothing else of it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from truerecall.model.engine import Engine, Settings
from truerecall.testing import engine_filters, engine_laws
from truerecall.testing.subject import Subject

LAWS = {
    name: law
    for room in (engine_laws, engine_filters)
    for name, law in vars(room).items()
    if callable(law) and not name.startswith("_") and getattr(law, "__module__", "") == room.__name__
}
"""Every law by its name."""


def check_engine(
    engine: Engine,
    *,
    folder: Path,
    build: Settings | None = None,
    most: Settings | None = None,
    dsn_file: Path | None = None,
    excepted: Mapping[str, str] | None = None,
) -> None:
    """Raises AssertionError with the name of every law that is broken, a line each.

    ``folder``: where indexes may live. ``build``: build settings, where one must be given. ``most``: search settings of
    the greatest effort, where not each can be at its maximum. ``excepted``: laws that do not hold for this engine, each
    with the reason; one that holds all the same is broken too, for nothing is excepted for ever. Small indexes are
    built, of 1,200 rows: it takes seconds.
    """
    with Subject(engine, folder, build or {}, most or {}, dsn_file) as subject:
        broken = []
        for name in LAWS:
            try:
                check_law(subject, name, (excepted or {}).get(name, ""))
            except AssertionError as error:
                broken.append(str(error))
    if broken:
        raise AssertionError("\n".join(broken))


def check_law(subject: Subject, name: str, excepted: str = "") -> None:
    """One law. Raises AssertionError that begins with its name, whatever went wrong."""
    try:
        LAWS[name](subject)
    except AssertionError as error:
        if not excepted:
            raise AssertionError(f"{name}: {error}") from error
        return
    except Exception as error:  # an engine may raise anything
        raise AssertionError(f"{name}: {type(error).__name__}: {error}") from error
    finally:
        subject.close_all(subject.opened)
    if excepted:
        raise AssertionError(f"{name}: it holds, and is excepted because {excepted}")
