"""What tells files that belong to others from what they were before somebody wrote to them."""

from __future__ import annotations

import hashlib
from pathlib import Path

from truerecall.store.artefact import canonical_json


def identity_of_files(*places: Path) -> str:
    """A digest of where the files lie, how long they are, which they are and when they were written to; of every file
    below a place that is a folder. A file that is empty or not there counts for nothing: a log beside a database comes
    and goes by its being read."""
    held = []
    for place in places:
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if file.is_file() and (found := file.stat()).st_size:
                held.append([str(file.resolve()), found.st_size, found.st_ino, found.st_mtime_ns])
    return hashlib.blake2b(canonical_json(held), digest_size=16).hexdigest()
