"""Answers from files: what each form means, what comes back, and what is refused in one line."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerecall.errors import FormatError, InputError
from truerecall.model.foreign import ForeignLists
from truerecall.store.answers import read_answers

BIG = 9007199254740993
PLACE = st.integers(-(2**63), 2**63 - 1) | st.integers(0, 9)


def lists(answers: ForeignLists) -> list[list[Any]]:
    """Each list as the strings of its ids, None for a hole."""
    holes = np.zeros(len(answers.ids), bool) if answers.holes is None else answers.holes
    flat = [None if hole else str(own) for own, hole in zip(answers.ids.tolist(), holes, strict=True)]
    starts = answers.offsets.tolist()
    return [flat[a:b] for a, b in pairwise(starts)]


def by_query(answers: ForeignLists) -> dict[str, list[Any]]:
    assert answers.query_ids is not None
    return dict(zip(map(str, answers.query_ids.tolist()), lists(answers), strict=True))


def read(path: Path, text: str | bytes) -> ForeignLists:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_answers(path)


WANTED = {"7": ["3", "1"], "5": ["2", "9"]}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "query_id,neighbor_id,rank\n7,3,1\n7,1,2\n5,2,1\n5,9,2\n"),
        ("ranks from 0, mixed up.csv", "query_id,neighbor_id,rank\n7,1,1\n5,9,1\n7,3,0\n5,2,0\n"),
        ("bom.csv", "\ufeffquery_id,neighbor_id,rank\r\n7,3,1\r\n7,1,2\r\n5,2,1\r\n5,9,2\r\n"),
        ("semicolons.csv", "qid;docid;rank\n7;3;1\n7;1;2\n\n5;2;1\n5;9;2\n"),
        ("tabs.tsv", "query\tneighbor\tRank\n7\t 3 \t1\n7\t1\t2\n5\t2\t1\n5\t9\t2\n"),
        ("bars.csv", "query_id|neighbor-id|rank\n7|3|1\n7|1|2\n5|2|1\n5|9|2"),
        ("quoted.csv", '"query_id","neighbor_id","rank"\n"7","3","1"\n"7","1","2"\n"5","2","1"\n"5","9","2"\n'),
        ("no header.csv", "7,3,1\n7,1,2\n5,2,1\n5,9,2\n"),
        ("pairs.csv", "7,3\n7,1\n5,2\n5,9\n"),
        ("cells.csv", 'query_id,neighbors\n7,"[3, 1]"\n5,"[2, 9]"\n'),
        ("postgres.csv", 'query_id,neighbor_ids\n7,"{3,1}"\n5,"{2,9}"\n'),
        ("numpy.csv", "query_id,neighbors\n7,[3 1]\n5,[2 9]\n"),
        ("blanks.csv", "query_id,ids\n7,3 1\n5,2 9\n"),
        ("a.trec", "7 Q0 3 1 9.5 me\n7 Q0 1 2 9.0 me\n5 Q0 2 1 4 me\n5 Q0 9 2 3 me\n"),
        ("a.run", "7\tQ0\t1\t2\t9.0\tme\n7\tQ0\t3\t1\t9.5\tme\n5  Q0 2 1 4 me\n\n5 Q0 9 2 3 me\n"),
        ("a.jsonl", '{"query_id": 7, "neighbors": [3, 1]}\n{"query_id": 5, "neighbors": [2, 9]}\n'),
        ("lines.jsonl", "\n".join(json.dumps({"query_id": q, "id": i, "rank": r})
                                  for q, i, r in [(7, 1, 2), (7, 3, 1), (5, 2, 1), (5, 9, 2)])),
        ("a.json", '{"7": ["3", "1"], "5": ["2", "9"]}'),
        ("export.json", '{"query_ids": [7, 5], "neighbors": [[3, 1], [2, 9]], "distances": [[0, 1], [0, 1]]}'),
        ("objects.json", '[{"qid": "7", "ids": [3, 1]}, {"qid": "5", "ids": [2, 9]}]'),
    ],
)  # fmt: skip
def test_every_form_says_the_same(tmp_path: Path, name: str, text: str) -> None:
    assert by_query(read(tmp_path / name, text)) == WANTED
    if name.endswith((".csv", ".tsv", ".jsonl", ".json", ".trec")):
        assert by_query(read(tmp_path / (name + ".gz"), gzip.compress(text.encode()))) == WANTED


def test_tables_of_lists_and_of_pairs(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"query_id": [7, 5], "neighbor_ids": [[3, 1], [2, 9]], "scores": [[2.0, 1.0]] * 2}), path)
    assert (by_query(read_answers(path)), read_answers(path).nearer) == (WANTED, "unsaid")
    pq.write_table(pa.table({"query_id": [7, 7, 5, 5], "neighbor_id": [3, 1, 2, 9], "distance": [0.1, 0.2] * 2}), path)
    answers = read_answers(path)
    assert (by_query(answers), answers.nearer, answers.by_number) == (WANTED, "smaller", True)
    feather.write_feather(pa.table({"query_id": ["7", "5"], "top": [["3", "1"], ["2", "9"]]}), tmp_path / "a.feather")
    assert by_query(read_answers(f"{tmp_path}/a.feather::top")) == WANTED


def test_missing_lists_failed_and_missing_neighbours_are_padding(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    table = {
        "query_id": [1, 2, 3, 4],
        "neighbors": [[5, None, 6, None], None, [], [7]],
        "error": [None, None, "", "late"],
    }
    pq.write_table(pa.table(table), path)
    answers = read_answers(path)
    assert lists(answers) == [["5", None, "6"], [], [], ["7"]]
    assert answers.failures is not None
    assert answers.failures.tolist() == ["", "no list", "", "late"]
    assert answers.padding == 2
    left_join = read(tmp_path / "a.csv", "query_id,neighbor_id,rank,error\n1,5,1,\n2,,1,\n3,,1,timeout\n")
    assert lists(left_join) == [["5"], [], []]
    assert left_join.failures is not None
    assert left_join.failures.tolist() == ["", "", "timeout"]
    marked = read(
        tmp_path / "a.jsonl", '{"query_id": "a", "neighbors": null}\n{"query_id": "b", "neighbors": [null, "x"]}'
    )
    assert lists(marked) == [[], [None, "x"]]
    assert marked.failures is not None
    assert marked.failures.tolist() == ["no list", ""]


def test_h11_whole_numbers_of_any_size_stay(tmp_path: Path) -> None:
    for name, text in (
        ("a.jsonl", f'{{"query_id": 0, "neighbors": [{BIG}, {2**64 - 1}]}}'),
        ("mixed.jsonl", f'{{"query_id": 0, "neighbors": ["{BIG}", {2**64 - 1}]}}'),
        ("a.csv", f"query_id,neighbor_id\n0,{BIG}\n0,{2**64 - 1}\n"),
        ("a.trec", f"0 Q0 {BIG} 1 2 x\n0 Q0 {2**64 - 1} 2 1 x\n"),
        ("a.json", f"[[{BIG}, {2**64 - 1}]]"),
    ):
        assert lists(read(tmp_path / name, text)) == [[str(BIG), str(2**64 - 1)]]


def test_scores_by_document_as_other_tools_have_them(tmp_path: Path) -> None:
    answers = read(tmp_path / "run.json", '{"q1": {"d2": 0.5, "d1": 0.9}}')
    assert (by_query(answers), answers.by_number, answers.nearer) == ({"q1": ["d2", "d1"]}, True, "larger")


def test_a_matrix_as_savetxt_writes_it(tmp_path: Path) -> None:
    np.savetxt(tmp_path / "a.csv", np.array([[1, 2, 3, 4, -1], [5, 6, 7, 8, 9]]), delimiter=",", fmt="%d")
    answers = read_answers(tmp_path / "a.csv")
    assert answers.query_ids is None
    assert lists(answers)[1] == ["5", "6", "7", "8", "9"]
    assert answers.remarks == ("each line is read as one list of 5 ids",)


def test_a_hole_in_a_matrix_keeps_its_place(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([[-1, 5, 6, -1], [1, 2, 3, 4]]))
    answers = read_answers(tmp_path / "a.npy")
    assert lists(answers) == [[None, "5", "6"], ["1", "2", "3", "4"]]
    assert answers.padding == 2
    with h5py.File(tmp_path / "a.hdf5", "w") as file:
        file["neighbors"], file["distances"] = np.array([[5, -1]]), np.array([[0.5, np.inf]])
    assert lists(read_answers(tmp_path / "a.hdf5")) == [["5"]]


def test_what_a_file_does_not_say_is_told(tmp_path: Path) -> None:
    assert "no header" in read(tmp_path / "a.csv", "q,7,0.5\nq,8,0.1\n").remarks[0]
    assert "neither ranks nor scores" in read(tmp_path / "b.csv", "query_id,id\nq,7\n").remarks[0]
    alike = read(tmp_path / "c.trec", "q Q0 a 0 1 x\nq Q0 b 0 2 x\n")
    assert ("all alike" in alike.remarks[0], alike.by_number) == (True, True)
    odd = read(tmp_path / "d.trec", "q Q0 a 1 1 x\nq Q0 b 2 2 x\n")
    assert odd.remarks == ("in 1 of 1 lists ranks and numbers disagree; ranks are taken",)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.csv", "", "is empty"),
        ("a.csv", "\n\n", "is empty"),
        ("a.csv", "query_id,neighbor_id\n", "holds no answer at all"),
        ("a.csv", "query_id:neighbor_id\n1:2\n", "has one column"),
        ("a.csv", "q,d,r\n1,2,3\n", "has the columns q, d, r, and they do not say"),
        ("a.csv", "query_id,what\n1,2\n", "has the columns query_id, what, and they do not say"),
        ("a.csv", "query_id,neighbor_id,rank\n1,2\n", "line 2 has 2 columns and the first has 3"),
        ("a.csv", "query_id,neighbor_id,rank\n1,2,1\n1,3,1\n1,4,2\n", "query 1 has the rank 1 twice"),
        ("a.csv", "query_id,neighbor_id,rank\n1,2,first\n", "holds 'first', which is no number"),
        ("a.csv", "query_id,neighbor_id,rank\n1,2,\n", "1 values of column rank are missing"),
        ("a.csv", "query_id,neighbor_id,rank\n,2,1\n", "1 values of column query_id are missing"),
        (
            "a.csv",
            "query_id;neighbor_id;distance\n1;2;0,5\n",
            "'0,5', which is no number; write numbers, with a decimal",
        ),
        ("a.csv", b"\xff\xfeq\0", "is not UTF-8 text"),
        ("a.csv", b"PAR1\0\0", "is no text"),
        ("a.csv.gz", b"\x1f\x8b\x08broken", "is a damaged gzip archive"),
        ("a.trec", "", "is empty"),
        ("a.trec", "q,d,1\n", "line 1 has 1 columns and a TREC run has 6"),
        ("a.jsonl", "", "is empty"),
        ("a.jsonl", '{"query_id": 1}\n', "has the columns query_id, and they do not say"),
        (
            "a.jsonl",
            '{"neighbors": [1]}\n{"query_id": 2, "neighbors": [1]}',
            "some lists have a query id and some have none",
        ),
        ("a.jsonl", '{"query_id": 1, "neighbors": [1.5]}', "holds ids of type float"),
        ("a.json", '["17"]', "holds str where a list of ids was expected"),
        ("a.jsonl", '{"query_id": 1, "neighbors": [1, 2], "distances": [1]}', "has 2 ids and 1 numbers"),
        ("a.jsonl", '{"query_id": 1, "neighbors": [1], "distances": ["x"]}', "has the distance, score or rank 'x'"),
        ("a.json", "17", "holds no lists"),
        ("a.json", "[]", "holds no answer at all"),
        ("a.xyz", "1", "is not a kind of file that answers are read from"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(tmp_path: Path, name: str, text: str | bytes, words: str) -> None:
    with pytest.raises(InputError) as told:
        read(tmp_path / name, text)
    assert words in str(told.value)
    assert str(tmp_path) in str(told.value)


def test_absent_files_folders_and_parts(tmp_path: Path) -> None:
    for path, words in ((tmp_path, "is a folder"), (tmp_path / "no.csv", "does not exist")):
        with pytest.raises(InputError, match=words):
            read_answers(path)
    (tmp_path / "a.csv").write_text("query_id,id\n1,2\n")
    with pytest.raises(InputError, match="names the part x of a file that has no parts"):
        read_answers(f"{tmp_path}/a.csv::x")
    pq.write_table(pa.table({"query_id": [1.5], "neighbor_id": [2]}), tmp_path / "f.parquet")
    with pytest.raises(InputError, match="holds ids of type float64"):
        read_answers(tmp_path / "f.parquet")
    pq.write_table(
        pa.table({"query_id": [1, 2], "ids": [[1], [2]], "distances": [[1.0], [1.0, 2.0]]}), tmp_path / "g.parquet"
    )
    with pytest.raises(FormatError, match="are not of one length"):
        read_answers(tmp_path / "g.parquet")


@given(rows=st.lists(st.lists(PLACE, min_size=1, max_size=5), min_size=1, max_size=6), seed=st.randoms())
def test_every_format_gives_back_what_was_written(tmp_path_factory: Any, rows: list[list[int]], seed: Any) -> None:
    folder = tmp_path_factory.mktemp("answers")
    wanted = {str(query): [str(own) for own in row] for query, row in enumerate(rows)}
    pairs = [(query, own, rank) for query, row in enumerate(rows) for rank, own in enumerate(row)]
    seed.shuffle(pairs)
    columns = dict(zip(("query_id", "neighbor_id", "rank"), zip(*pairs, strict=True), strict=True))
    (folder / "a.csv").write_text("query_id,neighbor_id,rank\n" + "".join(f"{q},{i},{r}\n" for q, i, r in pairs))
    (folder / "a.trec").write_text("".join(f"{q} Q0 {i} {r} {-r} x\n" for q, i, r in pairs))
    (folder / "a.jsonl").write_text(
        "".join(json.dumps({"query_id": q, "id": i, "rank": r}) + "\n" for q, i, r in pairs)
    )
    (folder / "b.jsonl").write_text("".join(json.dumps({"qid": q, "ids": row}) + "\n" for q, row in enumerate(rows)))
    pq.write_table(pa.table({name: pa.array(values) for name, values in columns.items()}), folder / "a.parquet")
    pq.write_table(pa.table({"query_id": list(range(len(rows))), "neighbors": rows}), folder / "b.parquet")
    for path in sorted(folder.iterdir()):
        assert by_query(read_answers(path)) == wanted, path.name
