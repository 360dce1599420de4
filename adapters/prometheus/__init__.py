"""Metrics in the format of Prometheus, right across all workers of one service."""

from footfall.adapters.prometheus.columns import show_columns, show_reader
from footfall.adapters.prometheus.exposition import Exposition
from footfall.adapters.prometheus.families import FAMILIES, Family
from footfall.adapters.prometheus.metrics import SharedMetrics
from footfall.adapters.prometheus.regions import Region, Regions, WorkerMetrics
from footfall.adapters.prometheus.sampler import Sampler

__all__ = [
    "FAMILIES",
    "Exposition",
    "Family",
    "Region",
    "Regions",
    "Sampler",
    "SharedMetrics",
    "WorkerMetrics",
    "show_columns",
    "show_reader",
]
