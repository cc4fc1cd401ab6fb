"""A shelf lists what lies in its folder, what other packages add, and what is lent to it."""

from __future__ import annotations

import pytest

from truerecall.errors import UnknownName
from truerecall.shelf import Shelf


def test_a_name_is_found_in_any_spelling_and_a_near_one_is_suggested() -> None:
    shelf = Shelf("checks", "check")
    assert shelf.spelling("Short-Answers") == "short_answers"
    with pytest.raises(UnknownName, match="did you mean short_answers"):
        shelf.get("short_answer")


def test_what_is_lent_stands_on_the_shelf_for_a_while_and_hides_what_had_its_name() -> None:
    shelf = Shelf("checks", "check")
    own, mine, other = shelf.get("short_answers"), object(), object()
    with shelf.lend("short_answers", mine), shelf.lend("mine", other):
        assert shelf.get("short-answers") is mine
        assert shelf.get("mine") is other
        assert "mine" in shelf.names()
    assert shelf.get("short_answers") is own
    assert "mine" not in shelf.names()
