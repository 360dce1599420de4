"""The journal in memory."""

import asyncio
from collections.abc import Sequence
from typing import Any

from footfall.application.ports import ConcurrencyConflict, Metadata, RecordedEvent
from footfall.application.streams import site_stream
from footfall.domain.goal import GoalDefined


class MemoryEventStore:
    """EventStore over a list; every method takes effect at once."""

    def __init__(self) -> None:
        self._events: list[RecordedEvent] = []
        self._wakeup = asyncio.Event()

    async def load(self, stream: str) -> list[RecordedEvent]:
        """Return the events of a stream by version."""
        return [recorded for recorded in self._events if recorded.stream == stream]

    async def append(
        self, stream: str, events: Sequence[Any], *, expected: int, metadata: Metadata
    ) -> list[RecordedEvent]:
        """Append all events if the stream's version is the expected one."""
        if len(await self.load(stream)) != expected:
            raise ConcurrencyConflict(stream)
        position = len(self._events)
        recorded = [
            RecordedEvent(position + index, stream, expected + index, event, metadata)
            for index, event in enumerate(events, start=1)
        ]
        self._events.extend(recorded)
        self._wake()
        return recorded

    async def read_all(self, *, after: int, limit: int) -> list[RecordedEvent]:
        """Return events of all streams with a position above `after`."""
        return self._events[after : after + limit]

    async def load_site(self, site_id: int) -> list[RecordedEvent]:
        """Return the events of a site and of every goal that it ever had, by position."""
        streams = {site_stream(site_id)} | {
            recorded.stream
            for recorded in self._events
            if isinstance(recorded.event, GoalDefined) and recorded.event.site_id == site_id
        }
        return [recorded for recorded in self._events if recorded.stream in streams]

    async def changed(self, *, within: float) -> None:
        """Return at the next append, or after `within` seconds."""
        try:
            await asyncio.wait_for(self._wakeup.wait(), within)
        except TimeoutError:
            return

    def _wake(self) -> None:
        self._wakeup.set()
        self._wakeup = asyncio.Event()
