"""P@k: precision against the labels, from ir-measures: the share of the first k places that hold a relevant row."""

from __future__ import annotations

from truerecall.measures._ir import LabelMeasure

measure = LabelMeasure("P", "share of the k places that hold a relevant row")
