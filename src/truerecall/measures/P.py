"""P@k: precision against the labels, from ir-measures: the share of the first k places that hold a relevant row.

Formula
    ``P@k`` of ir-measures on the first k places of R and the labels. Beside it stands the same of exact search: the
    difference is what the index loses, the rest is the embedding's.

Edge cases
    No row is labelled relevant: undefined. Padding and repeats take no rank. The divisor is k, also where fewer
    came back. Needs the extra ``ir``.

Example
    >>> from truerecall import per_query
    >>> per_query(["P@3"], [[1, 2, 3]], [[1, 9, 3]], relevant_ids=[[1, 3]])["P@3"].round(3).tolist()
    [0.667]

Elsewhere
    Some libraries divide by the number of places that came back.

Source
    The library ir-measures, which hands it to pytrec_eval (trec_eval) or to code of its own.
"""

from __future__ import annotations

from truerecall.measures._ir import LabelMeasure

measure = LabelMeasure("P", "share of the k places that hold a relevant row")
