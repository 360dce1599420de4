"""The panel of goals, and the sessions that reached one."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from footfall.adapters.web.reports.panels.inquiries import goal_of, of_goals, query_of
from footfall.adapters.web.reports.panels.rows import PanelRows
from footfall.adapters.web.reports.panels.session_inquiries import of_sessions
from footfall.adapters.web.reports.view import View
from footfall.application.access.readers import Reader
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.goal_values import GoalValue, goal_values
from footfall.domain.traffic.conversion import GoalReport


@frozen
class GoalPanels:
    """Queries the contents of the panels about goals."""

    _reports: ReportSet
    _directory: Directory

    async def contents(self, record: SiteRecord, view: View, rows: PanelRows) -> dict[str, Any]:
        """Return the goals of a page with their conversions and money, and how many the site has."""
        inquiry = of_goals(view, self._directory, record.site.site_id, rows)
        goals = (await inquiry.ask(self._reports, record.site.site_id)).reports
        return {
            "goals": goals,
            "values": await self._values(record, view, goals),
            "requested": rows,
            "total": len(inquiry.goals),
        }

    async def sessions(
        self, record: SiteRecord, view: View, parameters: Mapping[str, Any], rows: PanelRows
    ) -> dict[str, Any]:
        """Return the goal that the parameters name, with a page of its chosen sessions.

        Raises:
            GoalNotFound: the site has no such goal.

        """
        goal = goal_of(parameters, self._directory, record.site.site_id)
        inquiry = of_sessions(view, goal, Reader(record.site.site_id, belongs=True), rows)
        listing = await inquiry.ask(self._reports, record.site.site_id)
        return {"goal": goal.goal, "listing": listing, "requested": rows}

    async def _values(
        self, record: SiteRecord, view: View, goals: Sequence[GoalReport]
    ) -> dict[int, Sequence[GoalValue]]:
        """Return the money in the events of each goal, by the ids of goals that have some."""
        site, query = record.site, query_of(view)
        money = {
            report.goal.goal_id: await goal_values(
                self._reports.properties, site.site_id, report.goal.rule, site.currencies, query
            )
            for report in goals
            if report.conversions.conversions
        }
        return {goal_id: values for goal_id, values in money.items() if values}
