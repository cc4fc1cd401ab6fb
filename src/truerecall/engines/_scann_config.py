"""How a ScaNN searcher is described: its configuration, made by ScaNN's own builder and told the seed.

``num_leaves`` of 0 is no partitioning, ``dimensions_per_block`` of 0 no hashing. Partitions begin with k-means++: from
random rows, which ScaNN would take by itself, the same seed does not give the same searcher. Neither does it where
partitions are trained on a part of the rows, which ScaNN draws without a seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from truerecall.engines._choice import checked_choice
from truerecall.engines._library import imported
from truerecall.engines._stderr import nothing_on_stderr
from truerecall.errors import InputError
from truerecall.model.arrays import Vectors
from truerecall.model.engine import Setting, Settings, Value
from truerecall.model.settings import checked_settings

MEASURES = {"l2": "squared_l2", "ip": "dot_product", "cosine": "dot_product"}
LARGEST = 2**31 - 1
REORDERING = ("float32", "bfloat16", "int8", "none")
HASHES = ("lut16", "lut256")
BUILD_SETTINGS = (
    Setting("num_leaves", int, "partitions of the rows, 0 for none", 0, 0, LARGEST),
    Setting("training_sample_size", int, "rows that partitions and codes are trained on", 100_000, 1, LARGEST),
    Setting("dimensions_per_block", int, "dimensions in a code of asymmetric hashing, 0 for no codes", 2, 0, LARGEST),
    Setting("anisotropic_quantization_threshold", float, "codes favour the direction of a row, 0 for not", 0.0, 0, 1),
    Setting("hash_type", str, "how codes are looked up: lut16 or lut256", "lut16"),
    Setting("reorder", str, "as what rows are kept to re-rank by: float32, bfloat16, int8 or none", "float32"),
)
LEAVES = Setting("leaves_to_search", int, "partitions that are searched", 1, 1, None, True)
REORDERED = Setting(
    "pre_reorder_num_neighbors", int, "best rows by their codes that are re-ranked", 100, 1, LARGEST, True, True
)


def described(settings: Settings) -> dict[str, Value]:
    """All build settings, those not given at their defaults. Raises InputError for what does not go together."""
    given = checked_settings(settings, BUILD_SETTINGS)
    full = {setting.name: setting.default for setting in BUILD_SETTINGS if setting.default is not None} | given
    for name, words in (("reorder", REORDERING), ("hash_type", HASHES)):
        checked_choice(name, full[name], words)
    if not full["dimensions_per_block"]:
        for name in ("anisotropic_quantization_threshold", "hash_type", "reorder"):
            if name in given:
                raise InputError(f"{name} means nothing without codes", "leave it out")
    return full


def searchable(full: Settings) -> tuple[Setting, ...]:
    """What a search can be told of a searcher with these build settings, all of them."""
    found = []
    if full["num_leaves"]:
        found.append(Setting(**{**vars(LEAVES), "maximum": full["num_leaves"]}))
    if full["dimensions_per_block"] and full["reorder"] != "none":
        found.append(REORDERED)
    return tuple(found)


def configuration(vectors: Vectors, distance: str, full: Mapping[str, Any], seed: int) -> Any:
    """The searcher's configuration as ScaNN's own record of it."""
    ops = library()
    from scann.proto import scann_pb2

    builder = ops.builder(vectors, 1, MEASURES[distance])
    sample = full["training_sample_size"]
    if full["num_leaves"]:
        builder.tree(full["num_leaves"], 1, training_sample_size=sample, random_init=False)
    if full["dimensions_per_block"]:
        threshold = full["anisotropic_quantization_threshold"] or float("nan")
        builder.score_ah(
            full["dimensions_per_block"],
            anisotropic_quantization_threshold=threshold,
            training_sample_size=sample,
            hash_type=full["hash_type"],
        )
        if full["reorder"] != "none":
            builder.reorder(1, quantize=_reorder_type(full["reorder"].upper()))
    else:
        builder.score_brute_force()
    config = parsed(builder.create_config(), scann_pb2.ScannConfig())
    narrow = seed % 2**31
    if full["num_leaves"]:
        config.partitioning.clustering_seed = narrow
    if full["dimensions_per_block"]:
        config.hash.asymmetric_hash.clustering_seed = narrow
        config.hash.asymmetric_hash.sampling_seed = narrow
    return config


def searcher(vectors: Vectors, config: Any, threads: int) -> Any:
    """A searcher over the vectors. Raises RuntimeError in ScaNN's words."""
    from google.protobuf import text_format

    with nothing_on_stderr():
        return library().create_searcher(vectors, text_format.MessageToString(config), threads)


def parsed(text: str, config: Any) -> Any:
    """The text as a record."""
    from google.protobuf import text_format

    return text_format.Parse(text, config)


def library() -> Any:
    """ScaNN, with the functions that need no TensorFlow. Raises MissingExtra."""
    return imported("scann.scann_ops.py.scann_ops_pybind", package="scann", extra="scann")


def _reorder_type(name: str) -> Any:
    from scann.scann_ops.py.scann_builder import ReorderType

    return ReorderType[name]
