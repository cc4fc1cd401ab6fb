"""Rprec@k: R-precision against the labels, from ir-measures.

Formula
    ``Rprec`` of ir-measures (which takes no depth) on the first k places of R and the labels. Beside it stands the
    same of exact search: the difference is what the index loses, the rest is the embedding's.

Edge cases
    No row is labelled relevant: undefined. Padding and repeats take no rank. Precision at as many places as rows
    are relevant; where those are more than k, the places past k are misses. Needs the extra ``ir``.

Example
    >>> from truerecall import per_query
    >>> per_query(["Rprec@3"], [[1, 2, 3]], [[1, 9, 3]], relevant_ids=[[1, 3]])["Rprec@3"].round(3).tolist()
    [0.5]

Elsewhere
    trec_eval looks at the whole ranking, however deep it is.

Source
    The library ir-measures, which hands it to pytrec_eval (trec_eval) or to code of its own.
"""

from __future__ import annotations

from truerecall.measures._ir import LabelMeasure

measure = LabelMeasure("Rprec", "precision at as many places as rows are relevant", at_depth=False)
