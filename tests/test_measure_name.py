"""Names of measures: every spelling, back and forth, and what is no name."""

from __future__ import annotations

import pytest

from truerecall.errors import InputError
from truerecall.model.measure_name import MeasureName

NO_NAMES = [
    *("", "recall", "recall@", "recall@0", "recall@-1", "recall@1.5", "@10", "re call@10"),
    *("10-recall", "100-recall@10", "0-recall@10", "recall@100/10", "5-recall@10/20"),
    *("recall@10(", "recall@10)", "recall@10(1)(2)"),
]


@pytest.mark.parametrize(
    ("text", "name", "written"),
    [
        ("recall@10", MeasureName("recall", 10), "recall@10"),
        (" Recall@10 ", MeasureName("recall", 10), "recall@10"),
        ("semantic-recall@5", MeasureName("semantic_recall", 5), "semantic_recall@5"),
        ("10-recall@100", MeasureName("recall", 10, 100), "10-recall@100"),
        ("recall@10/100", MeasureName("recall", 10, 100), "10-recall@100"),
        ("10-recall@10", MeasureName("recall", 10), "recall@10"),
        ("eps_recall@10(0.01)", MeasureName("eps_recall", 10, argument="0.01"), "eps_recall@10(0.01)"),
        ("eps-recall@10:0.01", MeasureName("eps_recall", 10, argument="0.01"), "eps_recall@10(0.01)"),
        ("tolerant_recall@100:1%", MeasureName("tolerant_recall", 100, argument="1%"), "tolerant_recall@100(1%)"),
        (
            "tolerant_recall@100(auto)",
            MeasureName("tolerant_recall", 100, argument="auto"),
            "tolerant_recall@100(auto)",
        ),
    ],
)
def test_every_spelling_has_one_name(text: str, name: MeasureName, written: str) -> None:
    assert MeasureName.parse(text) == name
    assert str(name) == written
    assert MeasureName.parse(written) == name


def test_a_name_without_a_depth_takes_the_default() -> None:
    assert MeasureName.parse("recall", default_k=7) == MeasureName("recall", 7)
    assert MeasureName.parse("rbo(0.9)", default_k=7) == MeasureName("rbo", 7, argument="0.9")


@pytest.mark.parametrize("text", NO_NAMES)
def test_what_names_no_measure(text: str) -> None:
    with pytest.raises(InputError):
        MeasureName.parse(text)


@pytest.mark.parametrize("text", ["semantic_recall@10(0.5)", "5-semantic_recall@10"])
def test_a_measure_that_knows_neither_argument_nor_second_depth(text: str) -> None:
    from truerecall.measures.semantic_recall import measure

    with pytest.raises(InputError, match="semantic_recall"):
        measure.demand(MeasureName.parse(text))
