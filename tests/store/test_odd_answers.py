"""Answer files that look right and are not: each is refused in one line, and none is read as something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from truerecall.errors import InputError
from truerecall.store.answers import read_answers


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", "[[[1]], [[2]]]", "holds lists or objects where an id was expected"),
        ("a.json", "[" * 100_000, "nested too deep"),
        ("a.json", f"[[{'9' * 5000}]]", "a whole number of thousands of digits"),
        ("a.json", '{"0": [1], "0": [2]}', "the name '0' stands twice"),
        ("a.jsonl", '{"query_id": 0, "neighbors": [1], "neighbors": [2]}', "the name 'neighbors' stands twice"),
        ("a.csv", "query_id,neighbor_id,neighbor_id\n0,1,2\n", "two columns are called neighbor_id"),
    ],
)
def test_what_is_refused(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message) as refused:
        read_answers(tmp_path / name)
    assert "\n" not in str(refused.value)


def test_lines_that_all_report_an_error_are_failed_queries(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"query_id": 0, "error": "timeout"}\n{"query_id": 1, "error": "refused"}\n')
    lists = read_answers(tmp_path / "a.jsonl")
    assert lists.failures is not None
    assert lists.failures.tolist() == ["timeout", "refused"]
    assert lists.offsets.tolist() == [0, 0, 0]


def test_a_header_of_repeated_numbers_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1,1,1,2,3\n4,5,6,7,8\n")
    assert read_answers(tmp_path / "a.csv").ids.tolist() == [1, 1, 1, 2, 3, 4, 5, 6, 7, 8]
