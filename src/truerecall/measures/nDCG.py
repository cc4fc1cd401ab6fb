"""nDCG@k: normalised discounted cumulative gain of the labels, from ir-measures.

Formula
    ``nDCG@k`` of ir-measures on the first k places of R and the labels. Beside it stands the same of exact search:
    the difference is what the index loses, the rest is the embedding's.

Edge cases
    No row is labelled relevant: undefined. Padding and repeats take no rank. Gains are the grades, which must be
    whole numbers. Needs the extra ``ir``.

Example
    >>> from truerecall import per_query
    >>> per_query(["nDCG@3"], [[1, 2, 3]], [[1, 9, 3]], relevant_ids=[[1, 3]])["nDCG@3"].round(3).tolist()
    [0.92]

Elsewhere
    Some tools take 2^grade - 1 for the gain, which agrees for grades 0 and 1 alone.

Source
    The library ir-measures, which hands it to pytrec_eval (trec_eval) or to code of its own.
"""

from __future__ import annotations

from truerecall.measures._ir import LabelMeasure

measure = LabelMeasure("nDCG", "gain of the labelled rows that came back, early places weighing most")
