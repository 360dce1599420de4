"""The journal in PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import orjson
from attrs import asdict
from psycopg import errors
from psycopg.rows import tuple_row
from psycopg.types.json import Jsonb

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.listener import Listener
from footfall.adapters.postgres.statements import statement
from footfall.application.journal import EventCodec, SerializedEvent
from footfall.application.ports import Actor, ConcurrencyConflict, Metadata, RecordedEvent
from footfall.application.streams import site_stream

_VERSION_TAKEN = "event_stream_version"


class PostgresEventStore:
    """EventStore over the table `event`, whose triggers keep order and immutability."""

    def __init__(self, connections: Connections, listener: Listener, codec: EventCodec) -> None:
        self._connections = connections
        self._listener = listener
        self._codec = codec

    async def load(self, stream: str) -> list[RecordedEvent]:
        """Return the events of a stream by version."""
        return await self._read("load_stream", {"stream": stream})

    async def append(
        self, stream: str, events: Sequence[Any], *, expected: int, metadata: Metadata
    ) -> list[RecordedEvent]:
        """Append all events if the stream's version is the expected one."""
        parameters = self._parameters(stream, events, expected, metadata)
        try:
            async with self._connections.connection() as connection:
                cursor = await connection.execute(statement("append_events"), parameters)
                rows = await cursor.fetchall()
        except errors.UniqueViolation as violation:
            if violation.diag.constraint_name != _VERSION_TAKEN:
                raise
            raise ConcurrencyConflict(stream) from None
        if len(rows) != len(events):
            raise ConcurrencyConflict(stream)
        return [
            RecordedEvent(row["position"], stream, row["version"], event, metadata)
            for row, event in zip(rows, events, strict=True)
        ]

    async def read_all(self, *, after: int, limit: int) -> list[RecordedEvent]:
        """Return events of all streams with a position above `after`."""
        return await self._read("read_events", {"after": after, "limit": limit})

    async def load_site(self, site_id: int) -> list[RecordedEvent]:
        """Return the events of a site and of every goal that it ever had, by position."""
        return await self._read("load_site", {"stream": site_stream(site_id), "site_id": site_id})

    async def changed(self, *, within: float) -> None:
        """Return at the next notification, or after `within` seconds."""
        await self._listener.wait(within)

    async def _read(self, name: str, parameters: dict[str, Any]) -> list[RecordedEvent]:
        async with self._connections.connection() as connection:
            # Rows as tuples and data as text, for the faster parser: a worker that starts reads everything.
            cursor = connection.cursor(row_factory=tuple_row)
            await cursor.execute(statement(name), parameters)
            return [self._recorded(*row) for row in await cursor.fetchall()]

    def _parameters(
        self, stream: str, events: Sequence[Any], expected: int, metadata: Metadata
    ) -> dict[str, Any]:
        return {
            "stream": stream,
            "expected": expected,
            "events": Jsonb([asdict(self._codec.encode(event)) for event in events]),
            "recorded_at": metadata.recorded_at,
            "user_id": metadata.actor.user_id,
            "key_prefix": metadata.actor.key_prefix,
            "request_id": metadata.request_id,
        }

    def _recorded(  # noqa: PLR0913, PLR0917 - the columns of a row, in their order
        self,
        position: int,
        stream: str,
        version: int,
        event_type: str,
        schema_version: int,
        data: str,
        recorded_at: datetime,
        user_id: str | None,
        key_prefix: str | None,
        request_id: str | None,
    ) -> RecordedEvent:
        event = self._codec.decode(SerializedEvent(event_type, schema_version, orjson.loads(data)))
        metadata = Metadata(Actor(user_id, key_prefix), recorded_at, request_id)
        return RecordedEvent(position, stream, version, event, metadata)
