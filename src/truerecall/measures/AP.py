"""AP@k: average precision against the labels, from ir-measures; its mean over queries is MAP."""

from __future__ import annotations

from truerecall.measures._ir import LabelMeasure

measure = LabelMeasure("AP", "precision at each relevant row that came back, averaged over all relevant rows")
