"""What errors cost, by columns: the views of their pages by all sessions; the sessions that met them come from rows."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from attrs import frozen

from footfall.adapters.columns.reports.answers import Columns, Reading
from footfall.adapters.columns.sql_files import compose
from footfall.application.ports.errors.error_groups import (
    ALL_GROUPS,
    CostQuery,
    ErrorGroupReports,
    GroupPage,
)
from footfall.domain.error_tracking.cost import Cell, ErrorCost, Tally, costs_of
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.group_details import GroupDetails
from footfall.domain.error_tracking.grouping import GroupChoice, GroupHistory, GroupSort
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.filters import Filter

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@frozen
class ColumnErrorGroupReports:
    """ErrorGroupReports whose costs come from files and the rows that they do not cover."""

    _columns: Columns
    _rows: ErrorGroupReports

    async def groups(
        self,
        site_id: int,
        period: Period,
        decisions: ErrorDecisions,
        page: Page,
        *,
        filters: Sequence[Filter] = (),
        sort: GroupSort = GroupSort.COUNT,
        choice: GroupChoice = ALL_GROUPS,
    ) -> GroupPage:
        """Return a page of the groups of the period."""
        return await self._rows.groups(
            site_id, period, decisions, page, filters=filters, sort=sort, choice=choice
        )

    async def histories(
        self, site_id: int, decisions: ErrorDecisions, groups: Sequence[str]
    ) -> Mapping[str, GroupHistory]:
        """Return what the whole log says of groups."""
        return await self._rows.histories(site_id, decisions, groups)

    async def details(
        self,
        site_id: int,
        group: str,
        period: Period,
        decisions: ErrorDecisions,
        *,
        filters: Sequence[Filter] = (),
    ) -> GroupDetails:
        """Return what a page about a group shows."""
        return await self._rows.details(site_id, group, period, decisions, filters=filters)

    async def trail(self, site_id: int, session_id: int, end: tuple[datetime, int]) -> list[RecordedHit]:
        """Return what happened in a session up to a moment."""
        return await self._rows.trail(site_id, session_id, end)

    async def costs(
        self, site_id: int, groups: Sequence[str], query: CostQuery, decisions: ErrorDecisions
    ) -> list[ErrorCost]:
        """Return what each group cost the goal."""

        async def by_rows() -> list[ErrorCost]:
            return await self._rows.costs(site_id, groups, query, decisions)

        async def by_columns(reading: Reading) -> list[ErrorCost]:
            number = reading.selection.numbers.get(query.goal)
            if number is None:
                return await by_rows()
            return await _costs(reading, number, groups, query, decisions)

        return await self._columns.answer(
            site_id, query.period, query.filters, by_columns, by_rows, goals=[query.goal]
        )


async def _costs(
    reading: Reading, number: int, groups: Sequence[str], query: CostQuery, decisions: ErrorDecisions
) -> list[ErrorCost]:
    exposures = await reading.uncovered.exposures(groups, decisions, number, query.deploys)
    pages = sorted({page for one in exposures.values() for page in one.pages})
    if not pages:
        return costs_of(exposures, {}, len(query.deploys))
    views = dict(await reading.uncovered.page_views(pages, number, query.deploys))
    for cell, tally in (await _views(reading, pages, number, query.deploys)).items():
        views[cell] = views.get(cell, Tally()) + tally
    return costs_of(exposures, views, len(query.deploys))


async def _views(
    reading: Reading, pages: Sequence[str], number: int, deploys: Sequence[datetime]
) -> dict[Cell, Tally]:
    text = compose("costs/views", sessions=reading.selection.sessions)
    marks = [(at - _EPOCH) // _MICROSECOND for at in deploys]
    rows = await reading.query(text, pages=json.dumps(pages), goal=number, deploys=json.dumps(marks))
    return {Cell(*row[:5]): Tally(*row[5:]) for row in rows}
