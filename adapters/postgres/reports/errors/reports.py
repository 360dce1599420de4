"""Reports on errors, from counts that stay small in a flood of messages."""

from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from attrs import frozen
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.intake.hit_rows import recorded_hit
from footfall.adapters.postgres.reports.errors.pieces import error_pieces
from footfall.adapters.postgres.reports.expressions import selected_snapshot
from footfall.adapters.postgres.reports.selection import SessionCondition
from footfall.adapters.postgres.reports.snapshot import ReportConnections
from footfall.application.ports.errors.error_reports import OccurrencePage, SummaryPage
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.error_tracking.aggregation import ErrorBucket, ErrorSummary
from footfall.domain.error_tracking.occurrence import Occurrence, error_details
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import Bucket, BucketSize, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.periods.quarter_hour import on_quarter
from footfall.domain.row_choice import EVERY_ROW, RowChoice, folded
from footfall.domain.sites.excluded_patterns import PatternCompiler
from footfall.domain.tracking.hit import visitor_text
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class PostgresStoredErrors:
    """StoredErrors over the read models."""

    _connections: ReportConnections
    _compile_patterns: PatternCompiler

    async def names(self, site_id: int, period: Period, page: Page, choice: RowChoice) -> SummaryPage:
        """Return a page of the messages, most frequent first."""
        name = "errors/names_containing" if choice.containing else "errors/names"
        return await self._summaries(name, SessionCondition(site_id, ReportQuery(period)), page, choice)

    async def new(self, site_id: int, query: ReportQuery, page: Page) -> SummaryPage:
        """Return a page of the messages first seen in the period, latest first."""
        return await self._summaries("errors/new", SessionCondition(site_id, query), page)

    async def occurrences(
        self, site_id: int, message: str, query: ReportQuery, page: Page, *, choice: RowChoice = EVERY_ROW
    ) -> OccurrencePage:
        """Return a page of the occurrences of one message, newest first."""
        places = {
            **error_pieces(query.period),
            "message": message,
            "containing": folded(choice.containing),
            "limit": page.size,
            "offset": page.offset,
        }
        name = "occurrences/occurrences_containing" if choice.containing else "occurrences/occurrences"
        rows = await self._rows(name, SessionCondition(site_id, query), places)
        on_page = [occurrence_of(row) for row in rows if row["position"] is not None]
        return OccurrencePage(on_page, rows[0]["on_all_pages"])

    async def buckets(
        self,
        site_id: int,
        query: ReportQuery,
        size: BucketSize,
        zone: ZoneInfo,
        *,
        message: str | None = None,
    ) -> list[ErrorBucket]:
        """Return the number of occurrences in each bucket of the period, ascending."""
        buckets = split_into_buckets(query.period, size, zone)
        places = {**_places(buckets, query.period), "message": message, "any": message is None}
        rows = await self._rows("errors/buckets", SessionCondition(site_id, query), places)
        counts = {row["piece"]: row["count"] for row in rows}
        return [
            ErrorBucket(bucket.time, counts.get(index, 0)) for index, bucket in enumerate(buckets, start=1)
        ]

    async def cause(self, site_id: int, message: str) -> str | None:
        """Return the fingerprint of the latest occurrence of a message."""
        async with self._connections.connection() as connection:
            parameters = {"site_id": site_id, "message": message}
            row = await connection.row(compose("reports/errors/cause_of"), **parameters)
        if row is not None and row["fingerprint"] is None:
            raise StoreUnavailable("the causes of errors are still being told apart")
        return None if row is None else row["fingerprint"]

    async def _summaries(
        self, name: str, selection: SessionCondition, page: Page, choice: RowChoice = EVERY_ROW
    ) -> SummaryPage:
        places = {
            **error_pieces(selection.query.period),
            "limit": page.size,
            "offset": page.offset,
            "until": page.offset + page.size,
            "containing": folded(choice.containing),
        }
        rows = await self._rows(name, selection, places)
        on_page = [_summary(row) for row in rows if row["message"] is not None]
        return SummaryPage(on_page, rows[0]["on_all_pages"])

    async def _rows(
        self, name: str, selection: SessionCondition, parameters: dict[str, Any]
    ) -> list[DictRow]:
        whole = f"reports/{name}_of_selected" if selection.query.filters else f"reports/{name}"
        query = compose(whole, conditions=selection.conditions)
        async with selected_snapshot(self._connections, selection, self._compile_patterns) as selected:
            return await selected.rows(query, parameters)


def _places(buckets: Sequence[Bucket], period: Period) -> dict[str, Any]:
    edges = [bucket.period.start for bucket in buckets]
    pieces = error_pieces(period)
    if not all(map(on_quarter, edges[1:])):
        # Only single occurrences tell on which side of such an edge they lie.
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
        fingerprint=row["fingerprint"],
    )


def occurrence_of(row: DictRow) -> Occurrence:
    """Return the occurrence of a row."""
    recorded = recorded_hit(row)
    user_id = row["known_user"] or visitor_text(recorded.hit.visitor_id)
    details = error_details(recorded.hit.properties or {})
    return Occurrence(recorded.position, recorded.hit, row["session_id"], user_id, details)
