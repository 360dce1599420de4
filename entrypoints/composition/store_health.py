"""The standing of a store for probes and metrics: they wait for no store that hangs."""

import asyncio
import time
from collections.abc import Sequence

from attrs import define, field, frozen

from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import Lag
from footfall.entrypoints.composition.traffic_store import TrafficStore

# A probe has its answer within half a second (docs/internals/running.md#health).
PROBE_SECONDS = 0.4
# Many that ask at once share an answer; of a store that answers late the last one counts for some time more.
FRESH_SECONDS = 1.0
IDLE_SECONDS = 300.0
LATE_SECONDS = 6.0


@frozen
class Standing:
    """The reasons why a store does not take or show traffic, and how far its reports are behind if there are none."""

    obstacles: Sequence[str]
    lag: Lag | None


SILENT = Standing(["the store does not answer"], None)


@define(eq=False)
class StoreLook:
    """Asks a store how it stands, at most once at a time; an idle one is asked seldom."""

    _store: TrafficStore
    _found: Standing = field(default=SILENT, init=False)
    _found_at: float = field(default=float("-inf"), init=False)
    _asking: asyncio.Task[None] | None = field(default=None, init=False)

    async def standing(self) -> Standing:
        """Return how the store stands; one that does not say so in time does not answer."""
        fresh = IDLE_SECONDS if self._store.pulse.idle and not self._found.obstacles else FRESH_SECONDS
        if self._is_known_for(fresh):
            return self._found
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        await asyncio.wait([self._asking], timeout=PROBE_SECONDS)
        return self._found if self._is_known_for(fresh + LATE_SECONDS) else SILENT

    def close(self) -> None:
        """Ask no more."""
        if self._asking is not None:
            self._asking.cancel()

    def _is_known_for(self, seconds: float) -> bool:
        return time.monotonic() - self._found_at < seconds

    async def _ask(self) -> None:
        self._found = await _standing(self._store)
        self._found_at = time.monotonic()


async def _standing(store: TrafficStore) -> Standing:
    obstacles = await store.obstacles()
    if obstacles:
        return Standing(obstacles, None)
    try:
        return Standing([], await store.freshness.lag())
    except StoreUnavailable:
        return SILENT
