"""Errors: which messages occurred how often, from counts that a flood of messages leaves small."""

from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from psycopg.rows import DictRow

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.error_pieces import error_pieces
from footfall.adapters.postgres.error_queries import (
    BUCKETS,
    NAMES,
    NAMES_OF_SELECTED,
    NEW,
    NEW_OF_SELECTED,
    OCCURRENCES,
    ONE,
    ONE_OF_SELECTED,
)
from footfall.adapters.postgres.hit_rows import recorded_hit
from footfall.adapters.postgres.report_selection import Selection
from footfall.adapters.postgres.reporting import on_quarter, reporting
from footfall.adapters.postgres.statements import statement
from footfall.application.streams import site_stream
from footfall.domain.bucket import Bucket, BucketSize, cut
from footfall.domain.error_report import ErrorBucket, ErrorSummary, error_status
from footfall.domain.filter import Filter
from footfall.domain.hit import visitor_text
from footfall.domain.occurrence import Occurrence, error_details
from footfall.domain.page import Page
from footfall.domain.period import Period


class PostgresErrorReports:
    """ErrorReports over the read models; the journal says what was resolved."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def summarize(
        self, site_id: int, period: Period, page: Page, filters: Sequence[Filter] = ()
    ) -> list[ErrorSummary]:
        """Return a page of the messages, most frequent first."""
        query = NAMES_OF_SELECTED if filters else NAMES
        return await self._summaries(query, site_id, period, page, filters)

    async def new(
        self, site_id: int, period: Period, page: Page, filters: Sequence[Filter] = ()
    ) -> list[ErrorSummary]:
        """Return a page of the messages first seen in the period, latest first."""
        query = NEW_OF_SELECTED if filters else NEW
        return await self._summaries(query, site_id, period, page, filters)

    async def summary(
        self, site_id: int, message: str, period: Period, filters: Sequence[Filter] = ()
    ) -> ErrorSummary | None:
        """Return the summary of one message, None when it did not occur."""
        query = ONE_OF_SELECTED if filters else ONE
        places = {**error_pieces(period), "stream": site_stream(site_id), "message": message}
        rows = await self._rows(query, Selection(site_id, period, filters), filters, places)
        return _summary(rows[0]) if rows else None

    async def occurrences(
        self, site_id: int, message: str, period: Period, page: Page, filters: Sequence[Filter] = ()
    ) -> list[Occurrence]:
        """Return a page of the occurrences of one message, newest first."""
        places = {"message": message, "limit": page.size, "offset": page.offset}
        rows = await self._rows(OCCURRENCES, Selection(site_id, period, filters), filters, places)
        return [_occurrence(row) for row in rows]

    async def buckets(
        self,
        site_id: int,
        period: Period,
        size: BucketSize,
        zone: ZoneInfo,
        *,
        message: str | None = None,
        filters: Sequence[Filter] = (),
    ) -> list[ErrorBucket]:
        """Return the number of occurrences in each bucket of the period, ascending."""
        buckets = cut(period, size, zone)
        places = _places(buckets, period, by_rows=bool(filters))
        places |= {"message": message, "any": message is None}
        rows = await self._rows(BUCKETS, Selection(site_id, period, filters), filters, places)
        counts = {row["piece"]: row["count"] for row in rows}
        return [
            ErrorBucket(bucket.time, counts.get(index, 0)) for index, bucket in enumerate(buckets, start=1)
        ]

    async def knows(self, site_id: int, message: str) -> bool:
        """Whether an exception with exactly this message was ever reported."""
        async with self._connections.connection() as connection:
            parameters = {"site_id": site_id, "message": message}
            row = await (await connection.execute(statement("report/error_known"), parameters)).fetchone()
        return row is not None and bool(row["known"])

    async def _summaries(
        self, query: str, site_id: int, period: Period, page: Page, filters: Sequence[Filter]
    ) -> list[ErrorSummary]:
        places = {
            **error_pieces(period),
            "stream": site_stream(site_id),
            "limit": page.size,
            "offset": page.offset,
            "until": page.offset + page.size,
        }
        rows = await self._rows(query, Selection(site_id, period, filters), filters, places)
        return [_summary(row) for row in rows]

    async def _rows(
        self, query: str, selection: Selection, filters: Sequence[Filter], parameters: dict[str, Any]
    ) -> list[DictRow]:
        chosen = "and session_id in (select session_id from selected)" if filters else ""
        expression = f"{selection.expression}," if filters else ""
        text = query.replace("{selected}", expression).replace("{of_selected}", chosen)
        async with reporting(self._connections, impatient=selection.impatient) as connection:
            # A plan for any period would be one for none: what a period holds decides how it is best read.
            cursor = await connection.execute(
                text.encode(), {**selection.parameters, **parameters}, prepare=False
            )
            return await cursor.fetchall()


def _places(buckets: Sequence[Bucket], period: Period, *, by_rows: bool) -> dict[str, Any]:
    edges = [bucket.period.start for bucket in buckets]
    pieces = error_pieces(period)
    if by_rows or not all(map(on_quarter, edges[1:])):
        # Nothing but single occurrences tells on which side of such an edge they lie.
        pieces["quarters_start"] = pieces["quarters_end"] = period.end
    return {**pieces, "edges": edges or [period.start]}


def _summary(row: DictRow) -> ErrorSummary:
    return ErrorSummary(
        message=row["message"],
        error_name=row["error_name"],
        count=row["count"],
        session_count=row["session_count"],
        total=row["total"],
        first_seen=row["first_seen"],
        last_seen=row["last_seen"],
        status=error_status(row["last_seen"], row["resolved_at"]),
    )


def _occurrence(row: DictRow) -> Occurrence:
    recorded = recorded_hit(row)
    user_id = row["session_user"] or visitor_text(recorded.hit.visitor_id)
    details = error_details(recorded.hit.properties or {})
    return Occurrence(recorded.position, recorded.hit, row["session_id"], user_id, details)
