"""The panels below the chart: what a site's traffic is made of."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from attrs import frozen

from footfall.adapters.web.breakdown_panels import PANELS, UNITS, Panel
from footfall.adapters.web.errors import ErrorPanels
from footfall.adapters.web.view import View
from footfall.application.breakdowns import BreakdownReports
from footfall.application.directory import Directory, ListedSite
from footfall.application.error_reports import ErrorReports
from footfall.application.goal_list import Question, list_goals
from footfall.application.reports import AskedGoal, Freshness, GoalReports, TrafficReports
from footfall.domain.conversion import GoalOrder, GoalSort
from footfall.domain.errors import GoalNotFound, NotFound
from footfall.domain.goal import MAX_GOALS
from footfall.domain.page import Page
from footfall.domain.vitals import METRICS, THRESHOLDS, rate

_GOAL_ID = re.compile(r"[0-9]{1,18}")
ROWS = 8
MANY_ROWS = 100
VITALS: Mapping[str, str] = MappingProxyType(
    {
        "lcp": "Largest contentful paint: when the main thing was there",
        "cls": "Cumulative layout shift: how much the page jumped",
        "inp": "Interaction to next paint: how long an answer to a click took",
        "fcp": "First contentful paint: when anything was there",
        "ttfb": "Time to first byte: how long the server took",
    }
)


@frozen(kw_only=True)
class Reports:
    """Where the numbers come from."""

    traffic: TrafficReports
    goals: GoalReports
    breakdowns: BreakdownReports
    errors: ErrorReports
    freshness: Freshness


class PanelContents:
    """Asks the reports for what a panel shows; the answer is a template with its values."""

    def __init__(self, reports: Reports, directory: Directory) -> None:
        self._reports = reports
        self._directory = directory
        self._error_panels = ErrorPanels(reports.errors)

    async def of(
        self, name: str, listed: ListedSite, view: View, parameters: Mapping[str, Any], *, whole: bool
    ) -> tuple[str, dict[str, Any]]:
        """Return the template of a panel and what is in it; a `whole` panel has many rows.

        Raises:
            NotFound: there is no such panel.
            Invalid: a parameter is not one of the panel's.

        """
        size, site_id = Page(1, MANY_ROWS if whole else ROWS), listed.site.site_id
        await self._reports.freshness.catch_up()
        match name:
            case "goals":
                return "panel_goals.html", await self._goals(listed, view)
            case "sessions":
                return "panel_sessions.html", await self._sessions(listed, view, parameters)
            case "errors":
                rows = None if whole else ROWS
                found = await self._error_panels.messages(site_id, view, parameters, rows)
                return "panel_errors.html", found
            case "occurrences":
                found = await self._error_panels.occurrences(site_id, view, parameters)
                return "panel_occurrences.html", found
            case "vitals":
                return "panel_vitals.html", await self._vitals(listed, view, size)
            case _ if name in PANELS:
                return "panel_shares.html", await self._shares(name, listed, view, size)
        raise NotFound("There is no such panel")

    async def _shares(self, name: str, listed: ListedSite, view: View, page: Page) -> dict[str, Any]:
        panel, by = PANELS[name], view.tab(name)
        found = await self._reports.breakdowns.break_down(
            listed.site.site_id, by, view.window.period, page, view.filters
        )
        most = max((share.count for share in found.shares), default=1)
        return {"panel": panel, "by": by, "found": found, "most": most, "unit": UNITS.get(by, "sessions")}

    async def _goals(self, listed: ListedSite, view: View) -> dict[str, Any]:
        site_id = listed.site.site_id
        goals = await list_goals(
            self._directory.goals_of(site_id),
            self._reports.goals,
            site_id,
            Question(view.window.period, view.filters),
            order=GoalOrder(GoalSort.TOTAL_CONVERSIONS),
            page=Page(1, MAX_GOALS),
        )
        return {"goals": goals}

    async def _sessions(
        self, listed: ListedSite, view: View, parameters: Mapping[str, Any]
    ) -> dict[str, Any]:
        text = str(parameters.get("goal", ""))
        goal = self._directory.goal(int(text)) if _GOAL_ID.fullmatch(text) else None
        if goal is None or goal.goal.site_id != listed.site.site_id:
            raise GoalNotFound
        found = await self._reports.goals.converted_sessions(
            listed.site.site_id,
            AskedGoal(goal.goal.rule, goal.defined_at_position),
            view.window.period,
            Page(1, MANY_ROWS),
            view.filters,
        )
        return {"goal": goal.goal, "found": found}

    async def _vitals(self, listed: ListedSite, view: View, page: Page) -> dict[str, Any]:
        found = await self._reports.breakdowns.web_vitals(
            listed.site.site_id, view.window.period, page, view.filters
        )
        return {
            "pages": found,
            "metrics": METRICS,
            "meanings": VITALS,
            "thresholds": THRESHOLDS,
            "rate": rate,
        }


def listed_panels(panels: Mapping[str, Panel] = PANELS) -> Sequence[tuple[str, str]]:
    """Return names and titles of all panels of a page, in their order."""
    titles = [(name, panel.title) for name, panel in panels.items()]
    return [("goals", "Goals"), *titles, ("errors", "Errors"), ("vitals", "Web vitals")]
