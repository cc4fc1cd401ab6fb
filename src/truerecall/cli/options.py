"""The flags that several verbs share: each is spelt and explained once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

CORPUS = typer.Option(
    "--corpus",
    metavar="FILE",
    help="The vectors that are searched: a file, folder of .parquet, row selection, or ENGINE:NAME.",
)
QUERIES = typer.Option("--queries", metavar="FILE", help="The vectors that search.")
DISTANCE = typer.Option("--distance", metavar="NAME", help="l2, ip, cosine, l1 or hamming.")
DEPTH = typer.Option("-k", metavar="K", min=1, help="How many neighbours.")
SEED = typer.Option("--seed", metavar="N", min=0, help="The seed of every random choice.")

CorpusFile = Annotated[Path, CORPUS]
QueriesFile = Annotated[Path, QUERIES]
DistanceName = Annotated[str, DISTANCE]
Depth = Annotated[int, DEPTH]
Ids = Annotated[
    Path | None,
    typer.Option(
        "--ids", metavar="FILE", help="The ids of the corpus: .npy, .txt, .parquet or .json; else a column id."
    ),
]
QueryIds = Annotated[Path | None, typer.Option("--query-ids", metavar="FILE", help="The ids of the queries.")]
Memory = Annotated[
    str | None,
    typer.Option("--memory", metavar="SIZE", help="What the search for the truth may hold at once, as 512MB or 2GB."),
]
Rows = Annotated[
    Path | None,
    typer.Option("--rows", metavar="FILE", help="The rows that may answer: a .npy of booleans, or a file of ids."),
]
Where = Annotated[
    str | None,
    typer.Option("--filter", metavar="CONDITION", help="The rows that may answer, as 'price < 10 AND sold = false'."),
]
AttributesFile = Annotated[
    Path | None,
    typer.Option(
        "--attributes", metavar="FILE", help="The columns of a filter: .parquet, .arrow, .jsonl; else the corpus's own."
    ),
]
Allowed = Annotated[
    Path | None,
    typer.Option(
        "--allowed", metavar="FILE", help="For each query the ids that may answer: .parquet or .jsonl (query_id, ids)."
    ),
]
ExcludeSelf = Annotated[
    str | None,
    typer.Option("--exclude-self", metavar="WAY", help="A query may not find itself: by id, or by equal content."),
]
ZeroVectors = Annotated[
    str,
    typer.Option("--zero-vectors", metavar="POLICY", help="Vectors of zeros under cosine: refuse or leave-out."),
]
NotFinite = Annotated[
    str,
    typer.Option("--not-finite", metavar="POLICY", help="Vectors with NaN or infinity: refuse or leave-out."),
]
TruthFile = Annotated[
    Path | None,
    typer.Option("--truth", metavar="FILE", help="The ground truth to judge by; else it is looked for."),
]
LabelsFile = Annotated[
    Path | None,
    typer.Option("--labels", metavar="FILE", help="Relevant pairs: .parquet, .jsonl, .tsv or TREC qrels."),
]
RelevantFrom = Annotated[
    float | None,
    typer.Option(
        "--relevant-from", metavar="GRADE", min=0, help="The least grade of a relevant pair; else any above zero."
    ),
]
Strata = Annotated[
    str | None,
    typer.Option(
        "--strata",
        metavar="FILE",
        help="The stratum of each query: .parquet or .jsonl (query_id, stratum), or FILE::COLUMN.",
    ),
]
Clusters = Annotated[
    str | None,
    typer.Option(
        "--clusters",
        metavar="FILE",
        help="Queries that share a source, as --strata: (query_id, cluster), or FILE::COLUMN.",
    ),
]
Model = Annotated[
    str | None,
    typer.Option("--model", metavar="NAME", help="The embedding model and its version, in your own words."),
]
Snapshot = Annotated[
    str | None, typer.Option("--snapshot", metavar="NAME", help="Which state of the corpus this is, in your own words.")
]
Rehash = Annotated[
    bool, typer.Option("--rehash", help="Read the whole corpus for its fingerprint, though no file was touched.")
]
MaxDrift = Annotated[
    str | None,
    typer.Option(
        "--max-drift",
        metavar="SHARE",
        help="Let so many rows differ from the truth's, as 0.1% of them: then a warning bounds the error.",
    ),
]
Slack = Annotated[
    int | None,
    typer.Option("--slack", metavar="N", min=0, help="Rows kept beyond K for a refresh; else 10, or K / 10."),
]
TableName = Annotated[
    str | None,
    typer.Option("--table", metavar="NAME", help="The table of postgres, as TABLE or SCHEMA.TABLE."),
]
DsnFile = Annotated[
    Path | None,
    typer.Option("--dsn-file", metavar="FILE", help="Says how a server is reached; else the environment does."),
]
Seed = Annotated[int, SEED]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
