"""A plan in a file: what it may say, what of it is told when it is wrong, and how flags go before it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from truerecall.errors import FormatError, InputError
from truerecall.model.mode import Mode
from truerecall.model.plan import EnginePlan, Plan
from truerecall.store.config import Configuration, read_configuration

LEAST = """
corpus = "docs.npy"
queries = "/elsewhere/queries.npy"
distance = "COSINE"
k = 10
out = "runs"

[[engine]]
name = "faiss"
"""
ALL = """
corpus = "docs.npy"
queries = "queries.npy"
distance = "ip"
k = 5
out = "runs"
ids = "ids.txt"
query_ids = "query_ids.txt"
truth = "truth.parquet"
labels = "labels.tsv"
relevant_from = 2
model = "m 1"
max_drift = "0.1%"
memory = "2GB"
seed = 7
threads = 2
warmup = 0
repeats = 4
builds = 3
modes = ["one-by-one", "batch:64", "clients:4"]
resident = 1

[[engine]]
name = "faiss"
set = { factory = "HNSW32", efConstruction = 80 }
vary = { efSearch = [16, 32] }

[[engine]]
name = "numpy-flat"
"""


def read(tmp_path: Path, text: str, **given: Any) -> Configuration:
    (tmp_path / "plan.toml").write_text(text)
    return read_configuration(tmp_path / "plan.toml", given)


def refused(tmp_path: Path, text: str, **given: Any) -> str:
    with pytest.raises(InputError) as caught:
        read(tmp_path, text, **given)
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(f"{tmp_path / 'plan.toml'}: ", "")


def test_what_is_not_said_is_as_in_every_plan(tmp_path: Path) -> None:
    found = read(tmp_path, LEAST)
    assert found == Configuration(
        Plan((EnginePlan("faiss"),), "cosine", 10),
        tmp_path / "docs.npy",
        Path("/elsewhere/queries.npy"),
        tmp_path / "runs",
    )


def test_all_that_can_be_said(tmp_path: Path) -> None:
    engines = (
        EnginePlan("faiss", {"factory": "HNSW32", "efConstruction": 80}, {"efSearch": (16, 32)}),
        EnginePlan("numpy_flat"),
    )
    modes = (Mode(), Mode("batch", 64), Mode("clients", 4))
    assert read(tmp_path, ALL) == Configuration(
        Plan(engines, "ip", 5, 7, 2, 0, 4, 3, modes, 1),
        tmp_path / "docs.npy",
        tmp_path / "queries.npy",
        tmp_path / "runs",
        tmp_path / "ids.txt",
        tmp_path / "query_ids.txt",
        tmp_path / "truth.parquet",
        tmp_path / "labels.tsv",
        2.0,
        "m 1",
        0.001,
        2 * 10**9,
    )


def test_filters_are_read_as_conditions_and_shares_of_the_rows(tmp_path: Path) -> None:
    filters = """filters = ["g = 3", "price < 10 and colour in ('a')"]\n"""
    found = read(tmp_path, filters + 'selectivity = [50, 0.5]\nattributes = "columns.parquet"\n' + LEAST)
    assert list(map(str, found.plan.filters)) == [
        "g = 3",
        "price < 10 AND colour IN ('a')",
        "drawn_percent < 50",
        "drawn_percent < 0.5",
    ]
    assert found.attributes == tmp_path / "columns.parquet"
    said = refused(tmp_path, 'filters = ["g ="]\nselectivity = [100, 0, true]\n' + LEAST)
    for part in (
        "filters[0]: 'g =' is no condition",
        "selectivity[1]: no filter keeps 0 %",
        "selectivity[2]: it is True",
    ):
        assert part in said


def test_numbers_do_where_words_do(tmp_path: Path) -> None:
    found = read(tmp_path, "memory = 4096\nmax_drift = 0.02\nrelevant_from = 1.5\n" + LEAST)
    assert (found.memory_bytes, found.max_drift, found.relevant_from) == (4096, 0.02, 1.5)


def test_what_is_given_goes_before_the_file(tmp_path: Path) -> None:
    own = [{"name": "hnswlib", "set": {"M": 8}, "vary": {"ef": [10]}}]
    found = read(tmp_path, ALL, engine=own, out=Path("here"), k=3, modes=["batch:2"], memory="1MB")
    assert found.plan.engines == (EnginePlan("hnswlib", {"M": 8}, {"ef": (10,)}),)
    assert (found.out, found.plan.k, found.plan.modes, found.memory_bytes) == (
        Path("here"),
        3,
        (Mode("batch", 2),),
        10**6,
    )
    assert (found.plan.seed, found.corpus) == (7, tmp_path / "docs.npy")
    assert read(tmp_path, LEAST.replace("k = 10", "k = 0"), k=2).plan.k == 2
    given = {"corpus": Path("c"), "queries": Path("q"), "distance": "l2", "k": 1, "out": Path("o"), "engine": own}
    assert read_configuration(None, given).plan.distance == "l2"


def test_everything_that_is_wrong_is_told_at_once_with_its_place(tmp_path: Path) -> None:
    said = refused(
        tmp_path,
        """
        corpus = 3
        querys = "queries.npy"
        distance = "cosin"
        k = 0
        seed = -1
        threads = true
        warmup = 2.5
        repeats = "3"
        modes = ["one by one", "clients:0", 3]
        memory = "2XB"
        max_drift = 7
        relevant_from = nan
        model = ""
        labels = []

        [[engine]]
        name = "fais"
        set = { factory = true, M = inf }
        vary = { efSearch = 16, nprobe = [], k_factor_rf = [1, 2020-01-01] }
        vry = { efSearch = [1] }

        [[engine]]
        set = 3
        """,
    )
    for words in (
        "corpus: it is 3 (name a file)",
        "unknown key querys (did you mean query_ids?)",
        "distance: unknown distance cosin (did you mean cosine?)",
        "k: it is 0 (give a whole number not below 1)",
        "seed: it is -1 (give a whole number not below 0)",
        "threads: it is True (give a whole number not below 1)",
        "warmup: it is 2.5 (give a whole number not below 0)",
        "repeats: it is '3' (give a whole number not below 1)",
        "modes[0]: the mode 'one by one' is none (give one-by-one, or as batch:64, or as clients:4)",
        "modes[1]: the mode 'clients:0' is none",
        "modes[2]: it is 3 (give a word)",
        "memory: '2XB' is not a size (write it as 512MB, 2GB or 1GiB)",
        "max_drift: '7' is no share of the rows (write it as 0.1% or 0.001)",
        "relevant_from: it is nan (give a number not below 0)",
        "model: it is '' (give a word)",
        "labels: it is [] (name a file)",
        "engine[0].name: unknown engine fais (did you mean faiss?)",
        "engine[0].set.factory: it is True (give a number or a word)",
        "engine[0].set.M: it is inf",
        "engine[0].vary.efSearch: it is 16 (give a list of one or more)",
        "engine[0].vary.nprobe: it is [] (give a list of one or more)",
        "engine[0].vary.k_factor_rf[1]: it is datetime.date(2020, 1, 1) (give a number or a word)",
        "engine[0]: unknown key vry (did you mean vary?)",
        "engine[1].name: it is missing (name it)",
        "engine[1].set: it is no table (give names with values)",
        f"--queries, --out are missing (give that, or write it in {tmp_path / 'plan.toml'})",
    ):
        assert words in said


def test_one_problem_is_one_line_as_everywhere(tmp_path: Path) -> None:
    assert (
        refused(tmp_path, LEAST.replace('"faiss"', '"fais"'))
        == "engine[0].name: unknown engine fais; did you mean faiss?"
    )
    assert refused(tmp_path, "efSearch = 3\n" + LEAST).startswith("unknown key efSearch; ")
    one = refused(tmp_path, LEAST.replace("[[engine]]", "[engine]"))
    assert one == "engine: it is one table; give a list of them: each under its name in double brackets"
    assert refused(tmp_path, LEAST, distance="l3").startswith("--distance: unknown distance l3; known are: ")
    assert refused(tmp_path, LEAST, modes=["all"]).startswith("--mode: the mode 'all' is none; ")
    assert refused(tmp_path, LEAST, modes=["all", "all"]).startswith("--mode: the mode 'all' is none; ")
    assert refused(tmp_path, LEAST.replace("k = 10", "")).startswith("-k is missing; give that, or write it in ")


def test_without_a_file_what_is_missing_is_named_by_flag() -> None:
    with pytest.raises(InputError) as caught:
        read_configuration(None, {"k": 3, "corpus": Path("c")})
    assert str(caught.value) == (
        "--queries, --distance, --out, --engine are missing; give that, or a --plan FILE that has it"
    )


@pytest.mark.parametrize("content", [b"k = ", b"\xff\xfe\x00", b"[engine", b"k = 1\nk = 2"])
def test_what_is_no_toml_is_told_with_the_place(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_bytes(content)
    with pytest.raises(FormatError, match=r"plan\.toml is no TOML"):
        read_configuration(tmp_path / "plan.toml", {})
