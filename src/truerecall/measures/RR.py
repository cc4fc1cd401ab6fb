"""RR@k: reciprocal rank of the first relevant row, from ir-measures; its mean over queries is MRR.

Formula
    ``RR@k`` of ir-measures on the first k places of R and the labels. Beside it stands the same of exact search:
    the difference is what the index loses, the rest is the embedding's.

Edge cases
    No row is labelled relevant: undefined. Padding and repeats take no rank. It is of labels: ``mrr`` is that of
    the nearest true neighbour. Needs the extra ``ir``.

Example
    >>> from truerecall import per_query
    >>> per_query(["RR@3"], [[1, 2, 3]], [[1, 9, 3]], relevant_ids=[[1, 3]])["RR@3"].round(3).tolist()
    [1.0]

Elsewhere
    MS MARCO's MRR@10 is RR@10.

Source
    The library ir-measures, which hands it to pytrec_eval (trec_eval) or to code of its own.
"""

from __future__ import annotations

from truerecall.measures._ir import LabelMeasure

measure = LabelMeasure("RR", "one over the rank of the first relevant row")
