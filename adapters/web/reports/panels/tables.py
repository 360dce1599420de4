"""Tables of panels and pages: funnels, properties of events, causes of errors, their costs, and annotations."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from footfall.adapters.web.reports.panels.contents import PanelContents
from footfall.adapters.web.reports.panels.inquiries import query_of
from footfall.adapters.web.reports.panels.rows import PanelRows, searched
from footfall.adapters.web.reports.site_page import ReportRequest
from footfall.application.access.disclosure import Reader
from footfall.application.citations.answers import Answer
from footfall.application.reports.error_costs import CostRequest, list_costs, unchanged_goal
from footfall.application.reports.error_groups import GroupRequest, list_groups
from footfall.application.reports.exploration_tables import (
    annotations_table,
    error_costs_table,
    error_groups_table,
    funnel_table,
    properties_table,
)
from footfall.application.reports.goal_list import ReportQuery
from footfall.application.reports.tables import MAX_ROWS, Table, goals_table, sessions_table
from footfall.domain.error_tracking.grouping import parse_sort, parse_status
from footfall.domain.exceptions import GoalNotFound, NotFound
from footfall.domain.pagination import Page

# The tables with single errors, which sites share with other readers than members on request.
OF_ERRORS = frozenset({"error-groups", "error-costs"})


@frozen
class PanelTables:
    """Queries the rows of a panel that is none of a breakdown."""

    _request: ReportRequest
    _answer: Answer
    _parameters: Mapping[str, Any]

    async def table(self, name: str) -> Table:
        """Return the rows of a panel.

        Raises:
            NotFound: there is no such panel, or the reader may not see it.
            Invalid: a parameter of the panel is not valid.

        """
        record, view = self._request.record, self._request.view
        contents = PanelContents(self._answer.reports, self._answer.directory)
        match name:
            case "goals":
                return goals_table(await contents.of_goals.listed(record, view, self._rows))
            case "sessions":
                _, found = await contents.of_goals.sessions(record, view, self._parameters, self._rows)
                return sessions_table(found.sessions, self._reader)
            case "funnels":
                shown = await contents.funnel(record, view, self._rows)
                if shown["found"] is None:
                    raise NotFound("Funnel not found" if shown["refusal"] is None else shown["refusal"])
                return funnel_table(shown["names"], shown["found"], shown["before"])
            case "properties":
                listed = await contents.of_properties.listed(record, view, self._rows)
                found = listed["found"].properties if listed["found"] else []
                return properties_table(found, listed["event"] or "", record.site.currencies)
            case "error-groups":
                return await self._groups()
            case "error-costs":
                return await self._costs()
            case "annotations" if self._request.belongs:
                kept = self._answer.directory.annotations(record.site.site_id)
                return annotations_table(kept.newest_first(releases=False)[:MAX_ROWS])
        raise NotFound("Panel not found")

    @property
    def _rows(self) -> PanelRows:
        return PanelRows(Page(1, MAX_ROWS), searched(self._parameters))

    @property
    def _reader(self) -> Reader:
        return Reader(self._request.record.site.site_id, self._request.belongs)

    @property
    def _query(self) -> ReportQuery:
        return query_of(self._request.view)

    async def _groups(self) -> Table:
        status, sort = self._text("status"), self._text("sort")
        asked = GroupRequest(
            query=self._query,
            page=self._rows.page,
            sort=parse_sort(sort),
            status=parse_status(status),
            containing=self._rows.choice.containing,
        )
        decisions = self._answer.directory.error_decisions(self._reader.site_id)
        found = await list_groups(
            self._answer.reports.error_groups,
            decisions,
            self._reader.site_id,
            asked,
            self._answer.positions.at,
        )
        return error_groups_table(found.groups, self._reader)

    async def _costs(self) -> Table:
        text = self._text("goal") or ""
        if not text.isascii() or not text.isdecimal() or len(text) > 18:  # noqa: PLR2004 - the longest id
            raise GoalNotFound
        answer, site_id = self._answer, self._reader.site_id
        goal = unchanged_goal(answer.directory, answer.present, site_id, int(text), name="as_of")
        asked = CostRequest(site_id=site_id, goal=goal, query=self._query, now=answer.positions.at)
        found = await list_costs(answer.reports.error_groups, answer.directory, asked)
        return error_costs_table(found.groups, self._reader)

    def _text(self, name: str) -> str | None:
        value = self._parameters.get(name)
        return value if isinstance(value, str) else None
