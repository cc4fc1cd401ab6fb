"""What Qdrant offers alike on a server and in this process."""

from __future__ import annotations

from truerecall.engines._base import BareEngine
from truerecall.engines._qdrant_filter import conditions
from truerecall.engines._qdrant_words import DISTANCES, GRAPH_SETTINGS, checked_graph, search_settings
from truerecall.model.engine import Capability, Setting, Settings
from truerecall.model.filter import Filter


class GraphsOfQdrant(BareEngine):
    """A base for engines that are Qdrant."""

    capabilities: frozenset[Capability] = frozenset(
        {"build", "attach", "save", "exact", "source", "filter", "delete", "update"}
    )
    distances = DISTANCES
    build_settings = GRAPH_SETTINGS

    def search_settings(self, build: Settings, *, distance: str, dimensions: int) -> tuple[Setting, ...]:
        self.demand_distance(distance)
        settings = checked_graph(build)
        return search_settings(int(settings["ef_construct"]), str(settings["quantization"]))

    def demand_filter(self, where: Filter) -> None:
        conditions(where)
