"""The panel of goals, and the sessions that reached one."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from footfall.adapters.web.reports.panels.rows import PanelRows
from footfall.adapters.web.reports.view import View
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import GoalRecord, SiteRecord
from footfall.application.ports.reports.reports import SessionPage
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.goal_list import ReportQuery, list_goals
from footfall.application.reports.goal_values import GoalValue, goal_values
from footfall.domain.exceptions import GoalNotFound
from footfall.domain.goals.goal import Goal
from footfall.domain.row_choice import RowChoice
from footfall.domain.traffic.conversion import GoalOrder, GoalReport, GoalSort

_GOAL_ID = re.compile(r"[0-9]{1,18}")


@frozen
class GoalPanels:
    """Queries the contents of the panels about goals."""

    _reports: ReportSet
    _directory: Directory

    async def contents(self, record: SiteRecord, view: View, rows: PanelRows) -> dict[str, Any]:
        """Return the goals of a page with their conversions and money, and how many the site has."""
        goals = await self.listed(record, view, rows)
        return {
            "goals": goals,
            "values": await self._values(record, view, goals),
            "requested": rows,
            "total": len(self._chosen(record, rows.choice)),
        }

    async def listed(self, record: SiteRecord, view: View, rows: PanelRows) -> list[GoalReport]:
        """Return a page of the chosen goals with their conversions, the most frequent first."""
        return await list_goals(
            self._chosen(record, rows.choice),
            self._reports.goals,
            record.site.site_id,
            ReportQuery(view.window.period, view.filters),
            order=GoalOrder(GoalSort.TOTAL_CONVERSIONS),
            page=rows.page,
        )

    async def sessions(
        self, record: SiteRecord, view: View, parameters: Mapping[str, Any], rows: PanelRows
    ) -> tuple[Goal, SessionPage]:
        """Return the goal that the parameters name, with a page of its chosen sessions.

        Raises:
            GoalNotFound: the site has no such goal.

        """
        text = str(parameters.get("goal", ""))
        goal = self._directory.goal(int(text)) if _GOAL_ID.fullmatch(text) else None
        if goal is None or goal.goal.site_id != record.site.site_id:
            raise GoalNotFound
        found = await self._reports.goals.converted_sessions(
            record.site.site_id,
            goal.query,
            view.window.period,
            rows.page,
            view.filters,
            choice=rows.choice,
        )
        return goal.goal, found

    def _chosen(self, record: SiteRecord, choice: RowChoice) -> list[GoalRecord]:
        goals = self._directory.goals_of(record.site.site_id)
        return [one for one in goals if choice.is_in(one.goal.name)]

    async def _values(
        self, record: SiteRecord, view: View, goals: Sequence[GoalReport]
    ) -> dict[int, Sequence[GoalValue]]:
        """Return the money in the events of each goal, by the ids of goals that have some."""
        site, query = record.site, ReportQuery(view.window.period, view.filters)
        found = {
            one.goal.goal_id: await goal_values(
                self._reports.properties, site.site_id, one.goal.rule, site.currencies, query
            )
            for one in goals
            if one.conversions.conversions
        }
        return {goal_id: values for goal_id, values in found.items() if values}
