"""AP@k: average precision against the labels, from ir-measures; its mean over queries is MAP.

Formula
    ``AP@k`` of ir-measures on the first k places of R and the labels. Beside it stands the same of exact search:
    the difference is what the index loses, the rest is the embedding's.

Edge cases
    No row is labelled relevant: undefined. Padding and repeats take no rank. The divisor is all relevant rows, also
    where they are more than k. Needs the extra ``ir``.

Example
    >>> from truerecall import per_query
    >>> per_query(["AP@3"], [[1, 2, 3]], [[1, 9, 3]], relevant_ids=[[1, 3]])["AP@3"].round(3).tolist()
    [0.833]

Elsewhere
    MAP@k of some libraries divides by min(k, relevant rows).

Source
    The library ir-measures, which hands it to pytrec_eval (trec_eval) or to code of its own.
"""

from __future__ import annotations

from truerecall.measures._ir import LabelMeasure

measure = LabelMeasure("AP", "precision at each relevant row that came back, averaged over all relevant rows")
