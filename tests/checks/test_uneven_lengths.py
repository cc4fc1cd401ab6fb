"""uneven-lengths: inner product and cosine that ask different questions."""

from __future__ import annotations

import numpy as np

from tests.shapes import corpus_shape, estimate
from truerecall.checks.uneven_lengths import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding
from truerecall.model.shape import CorpusShape, Estimate, Lengths, undefined

values = np.array([1.0, 3.0])


def case(distance: str, agreement: Estimate, *, even: bool = False) -> dict[str, CorpusShape]:
    return {"corpus_shape": corpus_shape(distance=distance, lengths=Lengths(values, even, False, agreement))}


FIRES = {"ip": case("ip", estimate(0.4)), "cosine": case("cosine", estimate(0.6)), "nearly": case("ip", estimate(0.97))}
STAYS_QUIET = {
    "l2 asks for lengths": case("l2", estimate(0.4)),
    "one length": case("ip", estimate(0.9995, 0.0005), even=True),
    "the same neighbours": case("ip", estimate(0.985, 0.01)),
    "bits": {"corpus_shape": corpus_shape(lengths=None, distance="hamming")},
}


def test_it_says_what_the_wrong_distance_could_reach() -> None:
    finding = check.examine(**FIRES["ip"])
    assert isinstance(finding, Finding)
    assert finding.severity == "note"
    assert "rows are 1 to 3 long: of the nearest by ip, 40% are also the nearest by cosine" in finding.message
    finding = check.examine(**FIRES["cosine"])
    assert isinstance(finding, Finding)
    assert "also the nearest by ip" in finding.message


def test_it_cannot_tell_from_too_few_rows() -> None:
    assert check.examine(**case("ip", undefined("it needs 10 usable rows"))) == CannotTell("it needs 10 usable rows")
