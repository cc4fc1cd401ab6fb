"""What came back beside what is true."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from truerecall.model.arrays import Booleans, Floats, Integers
from truerecall.model.cut import NOTHING, Cut


@dataclass(frozen=True, eq=False)
class Grades:
    """The rows that a judge graded above zero for each query: sorted codes, and their grades beside them.

    ``relevant_from``: the least grade that counts as relevant where a measure asks for yes or no.
    """

    codes: tuple[Integers, ...]
    grades: tuple[Floats, ...]
    relevant_from: float


@dataclass(frozen=True, eq=False)
class Answers:
    """What came back beside what is true, aligned by query, with every id as an integer code.

    Equal ids have equal codes, from 0 on; the judge has no corpus, so a code is no row number. An id that the truth
    does not name has a code that the truth does not hold, and can match nothing in it. Lists are padded at the end
    with NOTHING, their distances with NaN. Shapes: ``truth`` and ``truth_distances`` (queries, depth), ``found`` and
    ``found_distances`` (queries, longest answer), the rest (queries,).

    ``relevant``: for each query the sorted codes of the rows that a judge calls relevant; None without labels.
    ``may_count``: for each place of ``found`` whether its id may answer the query; None where every row of the corpus
    may. ``deepest`` and ``whole``: as in ``Cut``, at the truth's own depth; None where nothing is known beyond
    ``truth``. ``recomputed``: whether ``found_distances`` come from the vectors; measures that need distances refuse
    where they do not. ``approximate``: whether ``truth`` is the work of an index. ``stored``: where the corpus has
    drifted from the truth and ``truth_distances`` are those of now, which need not ascend, the same with the distances
    that the truth holds; else None.
    """

    truth: Integers
    truth_distances: Floats
    eligible: Integers
    found: Integers
    found_distances: Floats
    failed: Booleans
    relevant: tuple[Integers, ...] | None = None
    judged: Grades | None = None
    may_count: Booleans | None = None
    deepest: Floats | None = None
    whole: Booleans | None = None
    distance: str = "l2"
    integral: bool = False
    recomputed: bool = True
    approximate: bool = False
    stored: Answers | None = None

    def __len__(self) -> int:
        return len(self.truth)

    def cut(self, k: int, places: int) -> Cut:
        """The first k true neighbours beside the first ``places`` places; one object for each pair of depths."""
        if (k, places) not in self._cuts:
            n = len(self)
            wider = (cut for (deep, wide), cut in self._cuts.items() if deep >= k and wide >= places)
            true_distances = self.truth_distances[:, :k]
            self._cuts[k, places] = Cut(
                truth=self.truth[:, :k],
                true_distances=true_distances if self.stored is None else np.sort(true_distances, axis=1),
                eligible=self.eligible,
                found=self.found[:, :places],
                found_distances=self.found_distances[:, :places],
                may_count=(self.found != NOTHING if self.may_count is None else self.may_count)[:, :places],
                deepest=np.full(n, np.inf) if self.deepest is None else self.deepest,
                whole=np.zeros(n, np.bool_) if self.whole is None else self.whole,
                distance=self.distance,
                integral=self.integral,
                wider=next(wider, None),
                stored=None if self.stored is None else self.stored.cut(k, places),
            )
        return self._cuts[k, places]

    @cached_property
    def _cuts(self) -> dict[tuple[int, int], Cut]:
        return {}

    @cached_property
    def of_exact_search(self) -> Answers:
        """What exact search would have answered: the truth itself."""
        none = np.zeros(len(self), np.bool_)
        return replace(self, found=self.truth, found_distances=self.truth_distances, failed=none, may_count=None)
