"""The journal in memory."""

import asyncio
from collections.abc import Sequence
from typing import Any

from attrs import define, field

from footfall.application.journal.event_codec import EventCodec
from footfall.application.journal.stream_names import site_streams
from footfall.application.ports.accounts.registrations import StreamAppend
from footfall.application.ports.journal import ConcurrencyConflict, Metadata, RecordedEvent
from footfall.domain.alerts.firings import AlertFired
from footfall.domain.funnels.funnel import FunnelDefined
from footfall.domain.goals.goal import GoalDefined


@define(eq=False, slots=False)  # tests replace single methods
class MemoryEventStore:
    """EventStore over the list `events`; every method takes effect at once."""

    events: list[RecordedEvent] = field(factory=list, repr=False)
    _codec: EventCodec = field(factory=EventCodec, init=False)
    _wakeup: asyncio.Event = field(factory=asyncio.Event, init=False)

    async def high_water_mark(self) -> int:
        """Return the position of the last event."""
        return len(self.events)

    async def load(self, stream: str) -> list[RecordedEvent]:
        """Return the events of a stream by version."""
        return [recorded for recorded in self.events if recorded.stream == stream]

    async def append(
        self, stream: str, events: Sequence[Any], *, expected: int, metadata: Metadata
    ) -> list[RecordedEvent]:
        """Append all events if the stream's version is the expected one."""
        for event in events:
            self._codec.proven(event)
        if len(await self.load(stream)) != expected:
            raise ConcurrencyConflict(stream)
        position = len(self.events)
        recorded = [
            RecordedEvent(position + index, stream, expected + index, event, metadata)
            for index, event in enumerate(events, start=1)
        ]
        self.events.extend(recorded)
        self._wake()
        return recorded

    async def append_all(self, appended: StreamAppend, metadata: Metadata) -> None:
        """Append what is stored together with something else."""
        await self.append(appended.stream, appended.events, expected=appended.expected, metadata=metadata)

    async def read_all(self, *, after: int, limit: int) -> list[RecordedEvent]:
        """Return events of all streams with a position above `after`."""
        return self.events[after : after + limit]

    async def load_site(self, site_id: int) -> list[RecordedEvent]:
        """Return the events of a site, of its errors and of every goal and funnel that it ever had, by position."""
        streams = set(site_streams(site_id)) | {
            recorded.stream
            for recorded in self.events
            if isinstance(recorded.event, GoalDefined | FunnelDefined | AlertFired)
            and recorded.event.site_id == site_id
        }
        return [recorded for recorded in self.events if recorded.stream in streams]

    async def changed(self, *, within: float) -> None:
        """Return at the next append, or after `within` seconds."""
        try:
            await asyncio.wait_for(self._wakeup.wait(), within)
        except TimeoutError:
            return

    def _wake(self) -> None:
        self._wakeup.set()
        self._wakeup = asyncio.Event()
