"""What the command line says when something is wrong: one line on standard error, the right status, no traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.interrupts import heard
from truerecall.cli import engine_card
from truerecall.cli.main import main
from truerecall.errors import EngineFailed, RequirementNotMet, TruerecallError

PIPES: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}


def command_line(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "truerecall", *map(str, arguments)], capture_output=True, text=True, check=False
    )


def the_line(standard_error: str) -> str:
    """The one line that was said of the failure; lines of progress may stand before it."""
    assert "Traceback" not in standard_error
    lines = [line for line in standard_error.splitlines() if line.startswith("truerecall: ")]
    assert len(lines) == 1, standard_error
    assert standard_error.rstrip().endswith(lines[0])
    return lines[0]


@pytest.fixture
def vectors(tmp_path: Path) -> tuple[Path, Path]:
    random = np.random.default_rng(0)
    base, queries = tmp_path / "base.npy", tmp_path / "q.npy"
    np.save(base, random.normal(size=(50, 4)).astype(np.float32))
    np.save(queries, random.normal(size=(5, 4)).astype(np.float32))
    return base, queries


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no verb was named"),
        (["rum"], "Did you mean 'run'?"),
        (["truth"], "truerecall truth --help"),
        (["truth", "bild"], "Did you mean 'build'?"),
        (["engines", "--jason"], "has no option --jason; did you mean --json?"),
        (["engines", "--xyzzyx"], "see: truerecall engines --help"),
        (["run", "--engine"], "requires an argument"),
        (["run", "--engine", "faiss"], "--corpus"),
        (["report"], "truerecall report --help"),
        (["report", "runs", "--format", "pdf", "--out", "x.pdf"], "unknown format pdf; known are: html, json, md"),
        (["report", "runs", "--format", "html"], "add --out report.html"),
        (["truth", "show", "absent.parquet"], "absent.parquet does not exist"),
        (["truth", "build", "absent.npy", "--queries", "q", "--distance", "l2", "-k", "0", "--out", "t"], "-k"),
        (
            ["truth", "build", "absent.npy", "--queries", "q", "--distance", "l2", "-k", "ten", "--out", "t"],
            "valid integer",
        ),
    ],
)
def test_bad_usage_is_status_2(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert words in the_line(shown.err)
    assert shown.out == ""


RUN = ["run", "--engine", "faiss", "--repeats", "1", "--distance", "l2", "-k", "3", "--set", "factory=HNSW8"]


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--vary", "efSearch"], "is not NAME=VALUE"),
        (["--vary", "efSearch=16,,32"], "empty value"),
        (["--set", "factory=Flat"], "twice"),
        (["--memory", "lots"], "is not a size"),
        (["--seed", "-1"], "--seed"),
        (["--distance", "cosinus"], "did you mean cosine?"),
        (["--ids", "absent.txt"], "absent.txt does not exist"),
        (["--labels", "absent.qrels"], "absent.qrels does not exist"),
        (["--truth", "absent.parquet"], "absent.parquet does not exist"),
        (["--set", "efConstruktion=40"], "efConstruction"),
        (["--vary", "efserch=16,32"], "efSearch"),
        (["--engine", "fais"], "--engine names faiss and fais; name one"),
        (["-k", "51"], "50"),
    ],
)
def test_unusable_input_of_run_is_status_2(
    flags: list[str], words: str, vectors: tuple[Path, Path], tmp_path: Path
) -> None:
    base, queries = vectors
    done = command_line(*RUN, "--corpus", base, "--queries", queries, "--out", tmp_path / "runs", *flags)
    assert done.returncode == 2, done.stderr
    assert words in the_line(done.stderr)
    assert done.stdout == ""


def test_a_misspelt_engine_is_status_2(vectors: tuple[Path, Path], tmp_path: Path) -> None:
    base, queries = vectors
    flags = ["fais" if flag == "faiss" else flag for flag in RUN]
    done = command_line(*flags, "--corpus", base, "--queries", queries, "--out", tmp_path / "runs")
    assert done.returncode == 2, done.stderr
    assert "did you mean faiss?" in the_line(done.stderr)


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        ("{}", "no JSON list"),
        ("[1, 2", "is not JSON: line 1"),
        ("[1.5, 2]", "float"),
        ('[1, "a"]', "int, str"),
        ("[1, 2, 3]", "50"),
        (str([1] * 50), "repeated"),
    ],
)
def test_unusable_ids_are_status_2(ids: str, words: str, vectors: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "ids.json").write_text(ids)
    base, queries = vectors
    files = ["--out", str(tmp_path / "t.parquet"), "--ids", str(tmp_path / "ids.json")]
    done = command_line("truth", "build", base, "--queries", queries, "--distance", "l2", "-k", "3", *files)
    assert done.returncode == 2, done.stderr
    assert words in the_line(done.stderr)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda base, _: base.unlink(), "does not exist"),
        (lambda base, _: base.write_bytes(b"not an array"), "base.npy"),
        (lambda base, _: np.save(base, np.full((50, 4), np.nan, np.float32)), "NaN"),
        (lambda _, queries: np.save(queries, np.ones((5, 3), np.float32)), "3 dimensions"),
        (lambda base, _: (base.unlink(), base.mkdir()), "is a folder"),
    ],
    ids=["missing", "no array", "NaN", "dimensions", "folder"],
)
def test_unusable_vectors_are_status_2(spoil: object, words: str, vectors: tuple[Path, Path], tmp_path: Path) -> None:
    base, queries = vectors
    spoil(base, queries)  # type: ignore[operator]
    flags = ["--distance", "l2", "-k", "3", "--out", str(tmp_path / "t.parquet")]
    done = command_line("truth", "build", base, "--queries", queries, *flags)
    assert done.returncode == 2, done.stderr
    assert words in the_line(done.stderr)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (RequirementNotMet("seen", "do"), 1),
        (EngineFailed("seen", "do"), 3),
        (TruerecallError("seen", "do"), 70),
        (PermissionError(13, "Permission denied", "/some/where"), 2),
        (OSError(28, "No space left on device"), 2),
        (ConnectionResetError(104, "Connection reset by peer"), 70),
        (ZeroDivisionError("x"), 70),
        (MemoryError(), 70),
        (RecursionError("deep"), 70),
        (SystemExit(1), 70),
        (AssertionError(), 70),
        (KeyboardInterrupt(), 130),
    ],
)
def test_every_failure_has_its_status(
    error: BaseException, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(engine_card, "card_of", fail)
    assert main(["engines", "--json"]) == status
    shown = capsys.readouterr()
    the_line(shown.err)
    assert shown.out == ""


def test_an_internal_error_leaves_its_details_in_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("this went wrong")

    monkeypatch.setattr(engine_card, "card_of", fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert main(["engines"]) == 70
    (details,) = tmp_path.glob("truerecall-*.txt")
    assert str(details) in the_line(capsys.readouterr().err)
    assert "ZeroDivisionError: this went wrong" in details.read_text()


def test_a_reader_that_leaves_is_no_failure() -> None:
    for arguments in ("--help", "checks --json", "run --help"):
        script = f'"{sys.executable}" -m truerecall {arguments} | true; echo ${{PIPESTATUS[0]}}'
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
        assert (done.stdout.strip(), done.stderr) == ("0", "")


def test_an_interruption_is_status_130() -> None:
    waiting = "import truerecall.cli.engine_card as e, time; e.card_of = lambda *_: time.sleep(60); "
    script = (
        waiting
        + "from truerecall.cli.main import main; import sys; print('up', flush=True); sys.exit(main(['engines']))"
    )
    with subprocess.Popen([sys.executable, "-c", script], preexec_fn=heard, **PIPES) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        time.sleep(0.5)
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(timeout=20) == 130
        assert "interrupted" in the_line(process.stderr.read().decode())


def test_an_interrupted_run_keeps_the_truth_and_goes_on(vectors: tuple[Path, Path], tmp_path: Path) -> None:
    base, queries = vectors
    out = tmp_path / "runs"
    vary = ["--vary", "efSearch=16,32", "--corpus", str(base), "--queries", str(queries), "--out", str(out)]
    endless = [sys.executable, "-m", "truerecall", *RUN, *vary, "--warmup", "1000000000"]
    with subprocess.Popen(endless, text=True, preexec_fn=heard, **PIPES) as process:
        assert process.stderr is not None
        said = ""
        while "measure" not in said:
            line = process.stderr.readline()
            assert line, f"it ended before it measured: {said}"
            said += line
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        said += process.stderr.read()
        assert process.wait(timeout=20) == 130
    assert "interrupted" in the_line(said)
    assert (out / "truth.parquet").exists()
    done = command_line(*RUN, *vary, "--warmup", "0")
    assert done.returncode == 0, done.stderr
    assert "truth found" in done.stderr


@pytest.mark.parametrize("out", ["base.npy", ".", "base.npy/t.parquet"])
def test_a_truth_never_takes_the_place_of_vectors(out: str, vectors: tuple[Path, Path], tmp_path: Path) -> None:
    base, queries = vectors
    before = base.read_bytes()
    flags: list[str | Path] = ["--queries", queries, "--distance", "l2", "-k", "3", "--out", tmp_path / out]
    done = command_line("truth", "build", base, *flags)
    assert done.returncode == 2, done.stderr
    assert the_line(done.stderr) == done.stderr.rstrip()  # said before anything was read
    assert base.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["base.npy", "q.npy"]


def test_a_report_cannot_be_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(tmp_path), "--format", "html", "--out", str(tmp_path)]) == 2
    assert "is a folder; name a file in it" in the_line(capsys.readouterr().err)


def test_a_locale_without_umlauts_is_no_failure(vectors: tuple[Path, Path], tmp_path: Path) -> None:
    base, queries = vectors
    ids = tmp_path / "ids.json"
    ids.write_text(json.dumps([f"Zeile {row} \u00e4\U0001f600" for row in range(50)]))
    out = tmp_path / "runs"
    done = command_line(*RUN, "--corpus", base, "--queries", queries, "--ids", ids, "--out", out, "--warmup", "0")
    assert done.returncode == 0, done.stderr
    plain = {**os.environ, "PYTHONIOENCODING": "ascii"}
    report = [sys.executable, "-m", "truerecall", "report", str(out), "--format", "md"]
    done = subprocess.run(report, capture_output=True, encoding="utf-8", env=plain, check=False)
    assert done.returncode == 0, done.stderr
    assert "95 % interval | n | verdict" in done.stdout
    assert "| setting | p50, ms |" in done.stdout
    assert "\u2013" in done.stdout  # the dash of a percentile that is withheld


def test_a_closed_standard_output_is_no_failure() -> None:
    script = f'"{sys.executable}" -m truerecall checks --json >&-'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_interruption_while_the_command_line_loads_is_status_130() -> None:
    script = (
        "import sys, builtins; real = builtins.__import__\n"
        "def stop(name, *more):\n"
        "    if name == 'typer': raise KeyboardInterrupt\n"
        "    return real(name, *more)\n"
        "builtins.__import__ = stop\n"
        "from truerecall.__main__ import main; sys.exit(main())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 130
    assert "interrupted" in the_line(done.stderr)
