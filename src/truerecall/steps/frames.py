"""Messages between two processes over a pair of pipes: the length of each in eight bytes, then its bytes."""

from __future__ import annotations

from typing import IO

LENGTH_BYTES = 8


def send(pipe: IO[bytes], message: bytes) -> None:
    """Raises BrokenPipeError where nobody reads any more."""
    pipe.write(len(message).to_bytes(LENGTH_BYTES, "little"))
    pipe.write(message)
    pipe.flush()


def receive(pipe: IO[bytes]) -> bytes | None:
    """The next message; None where the other side has ended, be it in the middle of one."""
    head = pipe.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        return None
    length = int.from_bytes(head, "little")
    message = pipe.read(length)
    return message if len(message) == length else None
