"""Sessions one by one: the store has them by their times and their visitors, files and fresh rows by filters."""

import re

from attrs import frozen

from footfall.adapters.columns.reports.cohorts import first_sessions
from footfall.adapters.columns.reports.journeys import journey_parameters, sessions_with
from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.selection.row_choice import choice_parameters, containing
from footfall.adapters.columns.selection.selection import Selection
from footfall.adapters.columns.sql_files import compose, over
from footfall.application.ports.reports.sessions import StoredSessions
from footfall.domain.row_choice import RowChoice, folded
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.session import Session
from footfall.domain.visits.session_list import SEARCHED, SessionsQuery
from footfall.domain.visits.trail import Trail, TrailPart

# The texts that the digits of a visitor can contain.
_DIGITS = re.compile("[0-9a-f]{1,16}")


@frozen
class ColumnSessions:
    """SessionReports from files and fresh rows, and from what the store has by times and visitors."""

    _columns: Columns
    _stored: StoredSessions

    async def listed(self, site_id: int, query: SessionsQuery) -> list[Session]:
        """Return the sessions of a list."""
        if query.is_plain:
            return await self._stored.listed(site_id, query)

        async def by_columns(reading: Reading) -> list[Session]:
            return await self._stored.named(site_id, await _listed(reading, query))

        return await self._columns.answer(site_id, ReportQuery(query.span, query.filters), by_columns)

    async def session_with(self, site_id: int, position: int) -> Session | None:
        """Return the session that holds a hit."""
        return await self._stored.session_with(site_id, position)

    async def trail(self, site_id: int, session_id: int, part: TrailPart) -> Trail:
        """Return a part of the trail of a session."""
        return await self._stored.trail(site_id, session_id, part)


async def _listed(reading: Reading, query: SessionsQuery) -> list[int]:
    # The reading can be about more than the period.
    selection = Selection(query.period, query.filters, reading.selection.values)
    after, conditions = query.after, [_containing(query.choice)]
    values = {
        "start": query.period.start,
        "end": query.period.end,
        "most": query.most,
        "visitor": query.visitor,
        "after_start": after and after.start,
        "after_id": after and after.session_id,
        **choice_parameters(query.choice),
    }
    among = []
    if query.journey is not None:
        among.append(sessions_with(query.journey, selection))
        values |= journey_parameters(query.journey)
    if query.first is not None:
        among.append(first_sessions(query.first, selection.values))
        values |= {"first_since": query.first.span.start, "first_before": query.first.span.end}
    if query.errors:
        among.append(compose("sessions/with_errors"))
        values["errors_met"] = await reading.store.errors_met(query.errors, query.period)
    if query.visitor is not None:
        conditions.append(compose("sessions/of_visitor"))
    if after is not None:
        conditions.append(compose("sessions/behind"))
    conditions += [f"session_id in ({ids})" for ids in among]
    text = over(compose("sessions/listed"), sessions=selection.sessions_that(*conditions))
    return [session_id for (session_id,) in await reading.query(text, **values)]


def _containing(choice: RowChoice) -> str:
    """Return the condition on a text; a session without a user is shown with the digits of its visitor."""
    condition = containing(choice, *SEARCHED)
    if not _DIGITS.fullmatch(folded(choice.containing)):
        return condition
    return f"({condition} or {compose('sessions/of_digits')})"
