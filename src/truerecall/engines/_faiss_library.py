"""The library. The type stubs that come with it lack half of what it has, so it is used untyped."""

from __future__ import annotations

import sys
from typing import Any

from truerecall.errors import InputError

if "usearch.compiled" in sys.modules and "faiss" not in sys.modules:
    # Both carry the regular expressions of the C++ library, and FAISS's factory would crash on those of usearch.
    raise InputError("usearch was imported before FAISS, which does not survive it", "import faiss first")

import faiss as _faiss

faiss: Any = _faiss
