"""nDCG@k: normalised discounted cumulative gain of the labels, from ir-measures."""

from __future__ import annotations

from truerecall.measures._ir import LabelMeasure

measure = LabelMeasure("nDCG", "gain of the labelled rows that came back, early places weighing most")
