"""What errors cost, by columns; the store knows where sessions met errors first."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from attrs import frozen

from footfall.adapters.columns.reports.answers import Columns, Reading
from footfall.adapters.columns.reports.expressions import rule_condition
from footfall.adapters.columns.sql_files import compose
from footfall.application.ports.errors.error_groups import (
    ALL_GROUPS,
    CostQuery,
    GroupPage,
    StoredGroups,
)
from footfall.domain.error_tracking.cost import CountedStratum, ErrorCost, Tally, costs_of
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.group_details import GroupDetails
from footfall.domain.error_tracking.grouping import GroupChoice, GroupHistory, GroupSort
from footfall.domain.error_tracking.loss import Stratum
from footfall.domain.exceptions import GoalSetAside
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.filters import Filter

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@frozen
class ColumnErrorGroupReports:
    """ErrorGroupReports whose costs come from files and fresh rows."""

    _columns: Columns
    _stored: StoredGroups

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
        return await self._stored.groups(
            site_id, period, decisions, page, filters=filters, sort=sort, choice=choice
        )

    async def histories(
        self, site_id: int, decisions: ErrorDecisions, groups: Sequence[str]
    ) -> Mapping[str, GroupHistory]:
        """Return what the whole log says of groups."""
        return await self._stored.histories(site_id, decisions, groups)

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
        return await self._stored.details(site_id, group, period, decisions, filters=filters)

    async def session_of(self, site_id: int, position: int) -> int | None:
        """Return the session that holds a hit."""
        return await self._stored.session_of(site_id, position)

    async def trail(self, site_id: int, session_id: int, end: tuple[datetime, int]) -> list[RecordedHit]:
        """Return what happened in a session up to a moment."""
        return await self._stored.trail(site_id, session_id, end)

    async def costs(
        self, site_id: int, groups: Sequence[str], query: CostQuery, decisions: ErrorDecisions
    ) -> list[ErrorCost]:
        """Return what each group cost the goal."""
        return await self._columns.answer(
            site_id, query.period, query.filters, lambda reading: _costs(reading, groups, query, decisions)
        )


async def _costs(
    reading: Reading, groups: Sequence[str], query: CostQuery, decisions: ErrorDecisions
) -> list[ErrorCost]:
    [reason] = await reading.store.set_aside([query.goal])
    if reason is not None:
        raise GoalSetAside(reason)
    sightings = await reading.store.sightings(groups, decisions)
    condition = rule_condition(query.goal.rule, reading.selection.values)
    text = compose("costs/costs", sessions=reading.selection.sessions, condition=condition)
    marks = [(at - _EPOCH) // _MICROSECOND for at in query.deploys]
    rows = await reading.query(text, sightings=sightings, deploys=json.dumps(marks))
    met = {groups[owner]: Tally(*counts[:2]) for owner, _, *counts, times in rows if times is None}
    strata = [
        CountedStratum(groups[owner], stretch, Stratum(*counts), times)
        for owner, stretch, *counts, times in rows
        if times is not None
    ]
    return costs_of({group: met.get(group, Tally()) for group in groups}, strata, len(query.deploys))
