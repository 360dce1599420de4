"""Names of errors with filters by columns; the store knows what the whole history says of a message."""

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.selection.expressions import of_types
from footfall.adapters.columns.selection.row_choice import listed, page_parameters
from footfall.adapters.columns.sql_files import compose, over
from footfall.application.ports.errors.error_reports import StoredErrors, SummaryPage
from footfall.application.ports.reports.fresh_rows import ErrorHistory
from footfall.domain.error_tracking.aggregation import ErrorSummary
from footfall.domain.pagination import Page
from footfall.domain.periods.unix_time import instant_of
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class ColumnErrorNames:
    """ErrorNameReports whose names with filters come from files and fresh rows."""

    _columns: Columns
    _stored: StoredErrors

    async def summarize(
        self, site_id: int, query: ReportQuery, page: Page, *, choice: RowChoice = EVERY_ROW
    ) -> SummaryPage:
        """Return a page of the messages, most frequent first."""
        if not query.filters:
            return await self._stored.names(site_id, query.period, page, choice)
        return await self._columns.answer(site_id, query, lambda reading: _summaries(reading, page, choice))


async def _summaries(reading: Reading, page: Page, choice: RowChoice) -> SummaryPage:
    hits = reading.selection.hits(of_types([HitType.ERROR]))
    query = over(compose("errors/names"), **listed(over(compose("errors/messages"), hits=hits), choice))
    rows = await reading.query(query, **page_parameters(page, choice))
    on_page = [row for row in rows if row[2] is not None]
    histories = await reading.store.histories([row[2] for row in on_page]) if on_page else {}
    return SummaryPage([_summary(row, histories[row[2]]) for row in on_page], rows[0][0])


def _summary(row: Sequence[Any], history: ErrorHistory) -> ErrorSummary:
    _, total, message, count, sessions, last_seen = row
    return ErrorSummary(
        message=message,
        error_name=history.error_name,
        count=count,
        session_count=sessions,
        total=total,
        first_seen=history.first_seen,
        last_seen=instant_of(last_seen),
        fingerprint=history.fingerprint,
    )
