"""The library. The type stubs that come with it lack half of what it has, so it is used untyped."""

from __future__ import annotations

from typing import Any

import faiss as _faiss

faiss: Any = _faiss
