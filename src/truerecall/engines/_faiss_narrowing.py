"""A FAISS search of some rows only: by parameters of a search, since an index has no place for a selector.

Parameters that are given to a search go before what is set on the index, all of them: so they carry that too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from truerecall.engines._faiss_layers import FLAT_CLASSES, layers
from truerecall.engines._faiss_library import faiss
from truerecall.errors import InputError
from truerecall.model.arrays import Booleans

NOT_BY_SELECTOR = (faiss.IndexIVFFastScan, faiss.IndexIVFAdditiveQuantizer, faiss.IndexIVFPQR)
"""Inverted files that refuse a selector when they are searched."""


def selector(rows: Booleans) -> Any:
    """Of the rows that are True. It reads the array as long as it lives."""
    return faiss.IDSelectorBitmap(np.packbits(rows, bitorder="little"))


def narrowed(index: Any, chosen: Any) -> Any:
    """The parameters of a search of the rows that are ``chosen``, all else as it is set on the index.

    Raises InputError for a kind of index of which FAISS cannot search some rows.
    """
    own = layers(index)[0]
    if isinstance(own, faiss.IndexPreTransform):
        return faiss.SearchParametersPreTransform(index_params=narrowed(own.index, chosen))
    if isinstance(own, faiss.IndexRefine):
        below = narrowed(own.base_index, chosen)
        return faiss.IndexRefineSearchParameters(k_factor=own.k_factor, base_index_params=below)
    if isinstance(own, faiss.IndexIDMap):
        return narrowed(own.index, chosen)
    if isinstance(own, faiss.IndexHNSW):
        graph = own.hnsw
        return faiss.SearchParametersHNSW(
            sel=chosen,
            efSearch=graph.efSearch,
            check_relative_distance=graph.check_relative_distance,
            bounded_queue=graph.search_bounded_queue,
        )
    if isinstance(own, faiss.IndexIVF) and not isinstance(own, NOT_BY_SELECTOR):
        lists = {"sel": chosen, "nprobe": own.nprobe, "max_codes": own.max_codes}
        if isinstance(own, faiss.IndexIVFPQ):
            codes = {"scan_table_threshold": own.scan_table_threshold, "polysemous_ht": own.polysemous_ht}
            return faiss.IVFPQSearchParameters(**lists, **codes)
        return faiss.SearchParametersIVF(**lists)
    if type(own) in (*FLAT_CLASSES, faiss.IndexScalarQuantizer):
        return faiss.SearchParameters(sel=chosen)
    raise InputError(f"FAISS cannot search some rows of {type(own).__name__}", "choose HNSW, IVF or Flat")
