"""Rprec@k: R-precision against the labels, from ir-measures: precision at as many places as rows are relevant."""

from __future__ import annotations

from truerecall.measures._ir import LabelMeasure

measure = LabelMeasure("Rprec", "precision at as many places as rows are relevant", at_depth=False)
