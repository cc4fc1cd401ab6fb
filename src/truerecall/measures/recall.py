"""recall@k: the share of the k true nearest neighbours that are among the first k returned.

Formula
    |R ∩ G| / |G|. G is the exact top k, of |G| = min(k, eligible rows); R is the first k places of what came back,
    then without padding and repeats. ``10-recall@100`` (also ``recall@10/100``) takes the first 100 places: it
    judges candidates that a second stage re-ranks.

Edge cases
    The order within the k does not count, so with k returned it equals precision@k. Fewer than k came back: the
    missing places are misses, the divisor stays. A repeated id counts once; padding (-1) is never an id; an unknown
    id is a miss. No eligible row: undefined. All eligible rows tie and are more than k: undefined. A failed query
    counts 0.

Example
    >>> from truerecall import recall_at_k
    >>> recall_at_k([[1, 2, 3, 4]], [[1, 2, 2, -1]], k=4).tolist()
    [0.5]
    >>> recall_at_k([[1, 2, 3, 4]], [[9, 8, 7, 1]], k=1, places=4).tolist()
    [1.0]

Elsewhere
    "Recall@n" of the product-quantisation papers (and of FAISS's early demos) is 1-recall@n: is the first true
    neighbour among n answers? ann-benchmarks compares distances with a fixed margin of 1e-3, whatever their scale,
    and no ids, so that ten copies of one good point score 1. VectorDBBench counts a repeated id twice.
    big-ann-benchmarks and DiskANN credit every row that ties at place k, without a cap. FAISS's
    ``knn_intersection_measure`` takes a -1 that both sides hold for a hit. vector-db-benchmark scores 1.0 where a
    query has no truth.

Source
    Set overlap as in Manning, Raghavan and Schütze, "Introduction to Information Retrieval", chapter 8.
"""

from __future__ import annotations

from truerecall.model.answers import Answers
from truerecall.model.measure import Measure, PerQuery
from truerecall.model.measure_name import MeasureName


class Recall(Measure):
    title = "share of the true nearest neighbours that came back"
    usual = True

    def demand(self, name: MeasureName) -> None:
        name.demand_no_argument()

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        cut = answers.cut(name.k, name.places)
        return PerQuery(cut.share(cut.hits), cut.undefined)


measure = Recall()
