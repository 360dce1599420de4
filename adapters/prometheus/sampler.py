"""Samples the figures of pools, caches and queues every few seconds."""

import asyncio
from collections.abc import Callable, Mapping

from attrs import field, frozen

from footfall.adapters.prometheus.families import (
    CACHE_ENTRIES,
    CACHE_LOOKUPS,
    INTAKE_WAITING,
    POOL_CONNECTIONS,
    POOL_REQUESTS,
    POOL_WAITING,
)
from footfall.adapters.prometheus.metrics import SharedMetrics

EVERY_SECONDS = 5.0

# Numbers by name, as a pool or a cache reports them of itself.
Figures = Callable[[], Mapping[str, int]]


@frozen(kw_only=True)
class Sampler:
    """Looks at the parts of one worker, so that a scrape that another worker answers sees them too."""

    metrics: SharedMetrics
    intake_waiting: Callable[[], int]
    # Asked each time, since cells come and go.
    pools: Callable[[], Mapping[str, Figures]] = dict
    caches: Mapping[str, Figures] = field(factory=dict)

    def sample(self) -> None:
        """Look once."""
        self.metrics.gauge(INTAKE_WAITING, self.intake_waiting())
        for name, figures in self.pools().items():
            self._pool(name, figures())
        for name, figures in self.caches.items():
            self._cache(name, figures())

    async def run(self) -> None:
        """Look again and again until cancelled."""
        while True:
            self.sample()
            await asyncio.sleep(EVERY_SECONDS)

    def _pool(self, name: str, figures: Mapping[str, int]) -> None:
        size, idle = figures.get("pool_size", 0), figures.get("pool_available", 0)
        self.metrics.gauge(POOL_CONNECTIONS, idle, name, "idle")
        self.metrics.gauge(POOL_CONNECTIONS, size - idle, name, "used")
        self.metrics.gauge(POOL_WAITING, figures.get("requests_waiting", 0), name)
        failed = figures.get("requests_errors", 0)
        self.metrics.reached(POOL_REQUESTS, failed, name, "failed")
        self.metrics.reached(POOL_REQUESTS, figures.get("requests_num", 0) - failed, name, "served")

    def _cache(self, name: str, figures: Mapping[str, int]) -> None:
        self.metrics.reached(CACHE_LOOKUPS, figures["hits"], name, "hit")
        self.metrics.reached(CACHE_LOOKUPS, figures["misses"], name, "miss")
        self.metrics.gauge(CACHE_ENTRIES, figures["currsize"], name)
