"""What the author of an engine runs to see that it keeps the contract (``truerecall.model.engine``).

    from truerecall.testing import check_engine
    print(check_engine(my_engine, folder=tmp_path))

Every law is a small function in one of the ``engine_`` files. What an engine does not list among its capabilities it
must refuse by name, and nothing else of it is asked for: such a law does not apply, and the report says why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from truerecall.model.engine import Engine, Settings
from truerecall.testing import (
    engine_answers,
    engine_distances,
    engine_filters,
    engine_ids,
    engine_lifetimes,
    engine_refusals,
    engine_settings,
    engine_states,
)
from truerecall.testing.subject import DoesNotApply, LayOut, Subject

ROOMS = (
    engine_answers,
    engine_distances,
    engine_ids,
    engine_settings,
    engine_states,
    engine_lifetimes,
    engine_filters,
    engine_refusals,
)
LAWS = {
    name: law
    for room in ROOMS
    for name, law in vars(room).items()
    if callable(law) and not name.startswith("_") and getattr(law, "__module__", "") == room.__name__
}
"""Every law by its name."""


@dataclass(frozen=True)
class Checked:
    """The laws that an engine keeps, those that do not apply to it, and those that are excepted, with the reasons."""

    kept: tuple[str, ...]
    not_applying: Mapping[str, str]
    excepted: Mapping[str, str]

    def __str__(self) -> str:
        return "\n".join(
            [
                *(f"kept            {name}" for name in self.kept),
                *(f"does not apply  {name}: {reason}" for name, reason in self.not_applying.items()),
                *(f"excepted        {name}: {reason}" for name, reason in self.excepted.items()),
            ]
        )


def check_engine(
    engine: Engine,
    *,
    folder: Path,
    build: Settings | None = None,
    most: Settings | None = None,
    dsn_file: Path | None = None,
    lay_out: LayOut | None = None,
    excepted: Mapping[str, str] | None = None,
) -> Checked:
    """Which laws were checked. Raises AssertionError with the name of every law that is broken, a line each.

    ``folder``: where indexes may live. ``build``: build settings, where one must be given. ``most``: search settings of
    the greatest effort, where not each can be at its maximum. ``lay_out``: a function that puts rows under ids where
    the engine can attach to them, or stream them; without it the laws of ids do not apply. ``excepted``: laws that do
    not hold for this engine, each with the reason; one that holds all the same, or that there is none of, is broken
    too, for nothing is excepted for ever. Small indexes are built, of 1,200 rows: it takes seconds.
    """
    excused = dict(excepted or {})
    broken = [f"{name}: excepted, and there is no such law" for name in excused if name not in LAWS]
    kept: list[str] = []
    not_applying: dict[str, str] = {}
    with Subject(engine, folder, build or {}, most or {}, dsn_file, lay_out) as subject:
        for name in LAWS:
            try:
                reason = check_law(subject, name, excused.get(name, ""))
            except AssertionError as error:
                broken.append(str(error))
                continue
            if reason:
                not_applying[name] = reason
            elif name not in excused:
                kept.append(name)
    if broken:
        raise AssertionError("\n".join(broken))
    return Checked(tuple(kept), not_applying, excused)


def check_law(subject: Subject, name: str, excepted: str = "") -> str:
    """One law: why it does not apply, or nothing. Raises AssertionError that begins with its name, whatever went
    wrong."""
    reason = ""
    try:
        LAWS[name](subject)
    except DoesNotApply as error:
        reason = str(error)
    except AssertionError as error:
        if not excepted:
            raise AssertionError(f"{name}: {error}") from error
        return ""
    except Exception as error:  # an engine may raise anything
        raise AssertionError(f"{name}: {type(error).__name__}: {error}") from error
    finally:
        subject.close_all(subject.opened)
    if excepted:
        how = f"it does not apply ({reason})" if reason else "it holds"
        raise AssertionError(f"{name}: {how}, and is excepted because {excepted}")
    return reason
