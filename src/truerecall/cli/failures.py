"""What a failure says, and with which exit status the command line ends.

    what the exception tree says    its own status
    an unusable path or full disk   2
    a verb or flag that is not      2
    interrupted                   130
    anything else                  70, with the traceback in a file

One line each, never a traceback on the screen, and never 1 unless a stated requirement is not met.
"""

from __future__ import annotations

import errno
import os
import sys
import tempfile
import traceback
from pathlib import Path

import typer

from truerecall.cli.output import drop_output, say
from truerecall.errors import TruerecallError, nearest_name

INTERRUPTED = 130
INTERNAL = 70
USAGE = 2
PACKAGE = Path(__file__).parents[1]
USERS_ERRNOS = {
    errno.EACCES, errno.EPERM, errno.ENOENT, errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENOSPC, errno.EDQUOT,
    errno.EROFS, errno.EFBIG, errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTEMPTY,
}  # fmt: skip
"""Failures of the file system that the user's own paths bring about."""


def end_with(error: BaseException) -> int:
    """Tell the failure in one line on standard error; returns the exit status."""
    if isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError):
        drop_output()
        return 0
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return interrupted()
    if isinstance(error, TruerecallError):
        status, line = error.exit_status, str(error)
    elif isinstance(error, typer.TyperException):
        status, line = USAGE, usage_line(error)
    elif isinstance(error, OSError) and _is_users(error):
        status, line = USAGE, _os_line(error)
    else:
        status, line = INTERNAL, _internal_line(error)
    say(f"truerecall: {' '.join(line.split())}")
    return status


def interrupted() -> int:
    say("truerecall: interrupted; what was finished is kept")
    return INTERRUPTED


def usage_line(error: typer.TyperException) -> str:
    """A complaint of the command-line parser as what was seen and what to do."""
    asked = getattr(error, "option_name", None)
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "truerecall"
    if asked is not None and str(getattr(error, "message", "")).startswith("No such option"):
        known = [name for parameter in context.command.params for name in parameter.opts] if context else []
        near = nearest_name(asked, known)
        return f"{path} has no option {asked}; " + (f"did you mean {near}?" if near else f"see: {path} --help")
    text = getattr(error, "format_message", error.__str__)().strip().rstrip(".")
    text = text[:1].lower() + text[1:]
    return text if "Did you mean" in text else f"{text}; see: {path} --help"


def _is_users(error: OSError) -> bool:
    inside = error.filename is not None and Path(os.fsdecode(error.filename)).is_relative_to(PACKAGE)
    return error.errno in USERS_ERRNOS and not inside


def _os_line(error: OSError) -> str:
    reason = os.strerror(error.errno) if error.errno else str(error)
    where = f"{os.fsdecode(error.filename)}: " if error.filename is not None else ""
    remedy = "free some space" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "check the path and its permissions"
    return f"{where}{reason}; {remedy}"


def _internal_line(error: BaseException) -> str:
    told = f"internal error ({type(error).__name__})"
    if isinstance(error, MemoryError):
        told = "internal error (out of memory; a smaller --memory may help)"
    try:
        with tempfile.NamedTemporaryFile("w", prefix="truerecall-", suffix=".txt", delete=False) as file:
            file.write(f"{' '.join(sys.argv)}\n")
            traceback.print_exception(error, file=file)
        return f"{told}; details are in {file.name}"
    except OSError:
        return f"{told}: {error}; details could not be written"
