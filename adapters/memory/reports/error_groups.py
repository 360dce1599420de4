"""Groups of errors in memory: the functions of the domain over the whole log."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import frozen

from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.journal.stream_names import site_stream
from footfall.application.ports.errors.error_groups import ALL_GROUPS, CostQuery, GroupPage
from footfall.domain.error_tracking.comparable_sessions import ErrorCost, error_costs
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.group_details import GroupDetails, describe_group
from footfall.domain.error_tracking.grouping import (
    GroupChoice,
    GroupHistory,
    GroupSort,
    former_resolutions,
    group_histories,
    summarize_groups,
)
from footfall.domain.pagination import Page
from footfall.domain.sites.site import ErrorResolved
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class MemoryErrorGroupReports:
    """ErrorGroupReports and ErrorCostReports over a traffic log and a journal in memory."""

    _log: MemoryTrafficLog
    _journal: MemoryEventStore

    async def groups(
        self,
        site_id: int,
        query: ReportQuery,
        decisions: ErrorDecisions,
        page: Page,
        *,
        sort: GroupSort = GroupSort.COUNT,
        choice: GroupChoice = ALL_GROUPS,
    ) -> GroupPage:
        """Return a page of the groups of the period."""
        hits = self._log.hits_of(site_id)
        summaries = summarize_groups(
            hits, query.period, decisions, filters=query.filters, sort=sort, choice=choice
        )
        return GroupPage(page.of(summaries), len(summaries))

    async def histories(
        self, site_id: int, decisions: ErrorDecisions, groups: Sequence[str]
    ) -> Mapping[str, GroupHistory]:
        """Return what the whole log says of groups."""
        histories = group_histories(self._log.hits_of(site_id), decisions)
        return {group: histories[group] for group in groups if group in histories}

    async def former_resolutions(self, site_id: int) -> Mapping[str, datetime]:
        """Return which causes were resolved by their messages in former versions."""
        events = await self._journal.load(site_stream(site_id))
        resolutions = {
            recorded.event.message: recorded.metadata.recorded_at
            for recorded in events
            if isinstance(recorded.event, ErrorResolved)
        }
        return former_resolutions(self._log.hits_of(site_id), resolutions)

    async def details(
        self, site_id: int, group: str, query: ReportQuery, decisions: ErrorDecisions
    ) -> GroupDetails:
        """Return what a page about a group shows."""
        return describe_group(
            self._log.hits_of(site_id), group, query.period, decisions, filters=query.filters
        )

    async def costs(
        self, site_id: int, groups: Sequence[str], query: CostQuery, decisions: ErrorDecisions
    ) -> list[ErrorCost]:
        """Return what each group cost the goal."""
        return error_costs(
            self._log.hits_of(site_id),
            groups,
            query.goal.rule,
            query.period,
            decisions,
            filters=query.filters,
            deploys=query.deploys,
        )
