"""The journal in PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from attrs import asdict, frozen
from psycopg import DataError, errors
from psycopg.rows import tuple_row
from psycopg.types.json import Jsonb

from footfall.adapters.postgres.database.connections import Connections, StoreConnection
from footfall.adapters.postgres.database.listener import Listener
from footfall.adapters.postgres.database.sql_files import statement
from footfall.adapters.postgres.journal.rows import read_event
from footfall.application.journal.event_codec import EventCodec
from footfall.application.journal.stream_names import site_streams
from footfall.application.ports.accounts.registrations import StreamAppend
from footfall.application.ports.journal import Actor, ConcurrencyConflict, Metadata, RecordedEvent, Unstorable

_VERSION_TAKEN = "event_stream_version"


@frozen
class PostgresEventStore:
    """EventStore over the table `event`, whose triggers keep order and immutability."""

    _connections: Connections
    _listener: Listener
    _codec: EventCodec

    async def load(self, stream: str) -> list[RecordedEvent]:
        """Return the events of a stream by version."""
        return await self._read("load_stream", {"stream": stream})

    async def append(
        self, stream: str, events: Sequence[Any], *, expected: int, metadata: Metadata
    ) -> list[RecordedEvent]:
        """Append all events if the stream's version is the expected one."""
        appended = StreamAppend(stream=stream, events=events, expected=expected)
        async with self._connections.connection() as connection:
            return await self.append_over(connection, appended, metadata)

    async def append_over(
        self, connection: StoreConnection, appended: StreamAppend, metadata: Metadata
    ) -> list[RecordedEvent]:
        """Append as `append` does, over a connection that may be in a transaction."""
        stream, events = appended.stream, appended.events
        parameters = self._parameters(appended, metadata)
        try:
            await self._prove(connection, parameters, events)
            rows = await connection.rows("journal/events/append_events", **parameters)
        except DataError:
            raise Unstorable from None
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
        """Return the events of a site, of its errors and of every goal that it ever had, by position."""
        return await self._read("load_site", {"streams": site_streams(site_id), "site_id": site_id})

    async def changed(self, *, within: float) -> None:
        """Return at the next notification, or after `within` seconds."""
        await self._listener.wait(within)

    async def _read(self, name: str, parameters: dict[str, Any]) -> list[RecordedEvent]:
        async with self._connections.connection() as connection:
            # Tuples, and data as text for the faster parser: a worker reads all events when it starts.
            cursor = connection.cursor(row_factory=tuple_row)
            await cursor.execute(statement(f"journal/events/{name}"), parameters)
            return [self._recorded(*row) for row in await cursor.fetchall()]

    async def _prove(
        self, connection: StoreConnection, parameters: dict[str, Any], events: Sequence[Any]
    ) -> None:
        """Refuse events that the table would not give back unchanged."""
        cursor = connection.cursor(row_factory=tuple_row)
        await cursor.execute(statement("journal/events/prove_events"), {"events": parameters["events"]})
        if [read_event(self._codec, *row) for row in await cursor.fetchall()] != list(events):
            raise Unstorable

    def _parameters(self, appended: StreamAppend, metadata: Metadata) -> dict[str, Any]:
        return {
            "stream": appended.stream,
            "expected": appended.expected,
            "events": Jsonb([asdict(self._codec.proven(event)) for event in appended.events]),
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
        event = read_event(self._codec, event_type, schema_version, data)
        metadata = Metadata(Actor(user_id, key_prefix), recorded_at, request_id)
        return RecordedEvent(position, stream, version, event, metadata)
