"""Metrics in the format of Prometheus, right across all workers of one service."""

from footfall.adapters.prometheus.exposition import Exposition
from footfall.adapters.prometheus.families import FAMILIES, Family
from footfall.adapters.prometheus.meters import SharedMeters
from footfall.adapters.prometheus.regions import Region, Regions, Share
from footfall.adapters.prometheus.sampler import Sampler

__all__ = ["FAMILIES", "Exposition", "Family", "Region", "Regions", "Sampler", "Share", "SharedMeters"]
