"""RR@k: reciprocal rank of the first relevant row, from ir-measures; its mean over queries is MRR."""

from __future__ import annotations

from truerecall.measures._ir import LabelMeasure

measure = LabelMeasure("RR", "one over the rank of the first relevant row")
