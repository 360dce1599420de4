"""The contents of the panels below the chart."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from attrs import evolve, frozen

from footfall.adapters.web.places.region_names import region_labels
from footfall.adapters.web.places.world_map import MOST_COUNTRIES, map_countries
from footfall.adapters.web.reports.breakdown_panels import PANELS, UNITS, Panel
from footfall.adapters.web.reports.error_pages import ErrorPanels
from footfall.adapters.web.reports.view import View
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.errors.error_groups import ErrorGroupReports
from footfall.application.ports.errors.error_reports import ErrorReports
from footfall.application.ports.reports.breakdowns import BreakdownPage, BreakdownReports, PagesPage
from footfall.application.ports.reports.funnels import FunnelReports
from footfall.application.ports.reports.properties import PropertyReports
from footfall.application.ports.reports.reports import Freshness, GoalReports, SessionPage, TrafficReports
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.comparison import Earlier, Movers, earlier_rows, largest_movers
from footfall.application.reports.goal_list import ReportQuery, list_goals
from footfall.application.reports.goal_values import GoalValue, goal_values
from footfall.domain.exceptions import FunnelNotCountable, GoalNotFound, Invalid, NotFound
from footfall.domain.funnels.checking import countable_steps, step_names
from footfall.domain.goals.goal import MAX_EVENT_NAME, MAX_GOALS, MAX_PROPERTY, EventRule, Goal, GoalQuery
from footfall.domain.pagination import Page, parse_page
from footfall.domain.text import text_fault
from footfall.domain.traffic.breakdown import EVERY_ROW, BreakdownRow, RowChoice, parse_search
from footfall.domain.traffic.conversion import GoalOrder, GoalReport, GoalSort
from footfall.domain.traffic.properties import PropertyValues
from footfall.domain.traffic.web_vitals import METRICS, THRESHOLDS, rate

_GOAL_ID = re.compile(r"[0-9]{1,18}")
ROWS = 8
MANY_ROWS = 100
# Panels with single sessions and errors.
DETAILS = frozenset({"sessions", "errors", "occurrences"})
_PAGE_TITLES = MappingProxyType(
    {"sessions": "Sessions", "occurrences": "Error", "property": "Event property"}
)
VITALS: Mapping[str, str] = MappingProxyType(
    {
        "lcp": "Largest Contentful Paint: time until the main content is visible",
        "cls": "Cumulative Layout Shift: unexpected movement of page content",
        "inp": "Interaction to Next Paint: delay between an interaction and its visible response",
        "fcp": "First Contentful Paint: time until the first content is visible",
        "ttfb": "Time to First Byte: response time of the server",
    }
)


@frozen(kw_only=True)
class Reports:
    """The reports that the dashboard queries."""

    traffic: TrafficReports
    goals: GoalReports
    breakdowns: BreakdownReports
    errors: ErrorReports
    funnels: FunnelReports
    properties: PropertyReports
    error_groups: ErrorGroupReports
    freshness: Freshness


@frozen
class _Rows:
    """The page of a list and the choice among its rows."""

    page: Page
    choice: RowChoice


@frozen
class PanelContents:
    """Queries the contents of a panel."""

    _reports: ReportSet
    _directory: Directory

    async def of(
        self, name: str, record: SiteRecord, view: View, parameters: Mapping[str, Any], *, full_page: bool
    ) -> tuple[str, dict[str, Any]]:
        """Return the template of a panel and its values; a panel with a `full_page` has more rows.

        Raises:
            NotFound: there is no such panel.
            Invalid: a parameter of the panel is not valid.

        """
        site_id = record.site.site_id
        errors = ErrorPanels(self._reports.errors)
        match name:
            case "goals":
                goals = await self.goals(record, view)
                return "panel_goals.html", {"goals": goals, "values": await self._values(record, view, goals)}
            case "properties":
                return "panel_properties.html", await self.event_properties(record, view, Page(1, MANY_ROWS))
            case "property":
                return "panel_property.html", await self._property(record, view, parameters)
            case "funnels":
                return "panel_funnels.html", await self.funnel(record, view)
            case "sessions":
                goal, found = await self.sessions(record, view, parameters, Page(1, MANY_ROWS))
                return "panel_sessions.html", {"goal": goal, "found": found}
            case "errors":
                most = None if full_page else ROWS
                return "panel_errors.html", await errors.messages(site_id, view, parameters, most)
            case "occurrences":
                return "panel_occurrences.html", await errors.occurrences(site_id, view, parameters)
            case "vitals":
                rows = _rows_of(parameters, full_page=full_page)
                return "panel_vitals.html", await self._vitals(record, view, rows.page)
            case _ if name in PANELS:
                rows = _rows_of(parameters, full_page=full_page)
                return "panel_breakdown.html", await self._breakdown(name, record, view, rows)
        raise NotFound("Panel not found")

    async def breakdown(
        self, record: SiteRecord, by: str, view: View, page: Page, choice: RowChoice = EVERY_ROW
    ) -> BreakdownPage:
        """Return a page of the values of a dimension, with the conversions of each under the lens of a goal."""
        lens = view.lens
        # Beside the sessions that reached the goal of a lens stand the others: their filter is none of the breakdown.
        filters = [one for one in view.filters if one is not lens]
        goal = None if lens is None else lens.goals[0]
        return await self._reports.breakdowns.break_down(
            record.site.site_id, by, view.window.period, page, filters, goal=goal, choice=choice
        )

    async def _breakdown(self, name: str, record: SiteRecord, view: View, rows: _Rows) -> dict[str, Any]:
        panel, by, page = PANELS[name], view.tab(name), rows.page
        values = {"panel": panel, "by": by, "unit": UNITS.get(by, "session"), "requested": rows}
        if view.by_change:
            moved = await self.movers(record, by, view, page.size)
            labels = await self._labels(record, by, view, [one.value for one in moved.movements])
            return values | {"moved": moved, "found": None, "labels": labels}
        if has_page_traffic(by, view):
            pages = await self.pages(record, view, page, rows.choice)
            found = _as_breakdown(pages)
            values |= {"countries": [], "page_details": {one.pathname: one for one in pages.rows}}
        else:
            found, countries = await self._rows_and_countries(record, by, view, rows)
            values |= {"countries": countries, "page_details": {}}
        most = max((row.count for row in found.rows), default=1)
        earlier = await self._earlier(record, by, view, found)
        values["labels"] = await self._labels(record, by, view, [row.value for row in found.rows])
        return values | {"found": found, "most": most, "moved": None, "earlier": earlier}

    async def _rows_and_countries(
        self, record: SiteRecord, by: str, view: View, rows: _Rows
    ) -> tuple[BreakdownPage, Sequence[Any]]:
        """Return the rows of a panel and, of countries without a search, what the map shows."""
        if by != "country" or rows.choice.containing:
            return await self.breakdown(record, by, view, rows.page, rows.choice), []
        found = await self.breakdown(record, by, view, Page(1, MOST_COUNTRIES), rows.choice)
        return evolve(found, rows=rows.page.of(found.rows)), map_countries(found.rows)

    async def pages(
        self, record: SiteRecord, view: View, page: Page, choice: RowChoice = EVERY_ROW
    ) -> PagesPage:
        """Return a page of the pages with their visitors, bounces and times."""
        return await self._reports.breakdowns.pages(
            record.site.site_id, view.window.period, page, view.filters, choice=choice
        )

    async def _labels(self, record: SiteRecord, by: str, view: View, values: Sequence[str]) -> dict[str, str]:
        """Return the names of regions; their codes are unique only in the countries that the hits come from."""
        if by != "region" or not any(values):
            return {}
        found = await self._reports.breakdowns.break_down(
            record.site.site_id, "country", view.window.period, Page(1, MOST_COUNTRIES), view.filters
        )
        return region_labels(values, [row.value for row in found.rows])

    async def movers(self, record: SiteRecord, by: str, view: View, limit: int) -> Movers:
        """Return the values that changed most since the compared period."""
        window = evolve(view.window, before=view.previous_period)
        return await largest_movers(
            self._reports.breakdowns, record.site.site_id, by, window, view.filters, limit
        )

    async def _earlier(self, record: SiteRecord, by: str, view: View, found: BreakdownPage) -> Earlier | None:
        """Return the rows in the compared period; None without data there, and under the lens of a goal."""
        if not view.compares or view.lens is not None or not found.rows:
            return None
        breakdowns, site_id = self._reports.breakdowns, record.site.site_id
        earlier = await earlier_rows(breakdowns, site_id, by, view.previous_period, found, view.filters)
        return earlier if earlier.count else None

    async def goals(self, record: SiteRecord, view: View) -> list[GoalReport]:
        """Return all goals with their conversions, the most frequent first."""
        site_id = record.site.site_id
        return await list_goals(
            self._directory.goals_of(site_id),
            self._reports.goals,
            site_id,
            ReportQuery(view.window.period, view.filters),
            order=GoalOrder(GoalSort.TOTAL_CONVERSIONS),
            page=Page(1, MAX_GOALS),
        )

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

    async def event_properties(self, record: SiteRecord, view: View, page: Page) -> dict[str, Any]:
        """Return the properties of the chosen event, or of the most frequent one."""
        site_id, period = record.site.site_id, view.window.period
        events = await self._reports.breakdowns.break_down(
            site_id, "event_name", period, Page(1, ROWS), view.filters
        )
        names = [row.value for row in events.rows if row.value]
        chosen = dict(view.parameters).get("properties")
        event = chosen if chosen in names else next(iter(names), None)
        values = {"names": names, "event": event, "found": None, "currencies": record.site.currencies}
        if event is None:
            return values
        reports = self._reports.properties
        found = await reports.properties(site_id, EventRule(event), period, page, view.filters)
        return values | {"found": found}

    async def property_values(
        self, record: SiteRecord, view: View, parameters: Mapping[str, Any], page: Page
    ) -> PropertyValues:
        """Return the values of the property that the parameters name.

        Raises:
            NotFound: they name none.
            Invalid: a name is too long, or cannot be stored.

        """
        event, key = _property_of(parameters)
        return await self._reports.properties.values(
            record.site.site_id, EventRule(event), key, view.window.period, page, view.filters
        )

    async def _property(
        self, record: SiteRecord, view: View, parameters: Mapping[str, Any]
    ) -> dict[str, Any]:
        event, key = _property_of(parameters)
        found = await self.property_values(record, view, parameters, Page(1, MANY_ROWS))
        points = await self._reports.properties.series(
            record.site.site_id,
            EventRule(event),
            key,
            view.window.period,
            view.size,
            view.window.zone,
            view.filters,
        )
        currency = record.site.currencies.get((event, key))
        return {"event": event, "key": key, "found": found, "points": points, "currency": currency}

    async def funnel(self, record: SiteRecord, view: View) -> dict[str, Any]:
        """Return the chosen funnel, or the first one, with its progress here and in the compared period."""
        site = record.site
        chosen = dict(view.parameters).get("funnels")
        funnels = self._directory.funnels_of(site.site_id)
        shown = next(
            (one for one in funnels if str(one.funnel.funnel_id) == chosen), next(iter(funnels), None)
        )
        values = {"funnels": funnels, "shown": shown, "refusal": None, "found": None, "before": None}
        if shown is None:
            return values
        plan, goals = shown.funnel.plan, [one.goal for one in self._directory.goals_of(site.site_id)]
        try:
            steps = countable_steps(
                plan, {one.goal_id: one.rule for one in goals}, rotating=site.config.salt_user_ids
            )
        except FunnelNotCountable as refusal:
            return values | {"refusal": refusal.message}
        periods = [view.window.period, *([view.previous_period] if view.compares else [])]
        found = [
            await self._reports.funnels.progress(site.site_id, steps, period, view.filters)
            for period in periods
        ]
        names = step_names(plan, {one.goal_id: one.name for one in goals})
        return values | {"found": found[0], "before": found[1] if view.compares else None, "names": names}

    async def sessions(
        self, record: SiteRecord, view: View, parameters: Mapping[str, Any], page: Page
    ) -> tuple[Goal, SessionPage]:
        """Return the goal that the parameters name, with a page of its sessions.

        Raises:
            GoalNotFound: the site has no such goal.

        """
        text = str(parameters.get("goal", ""))
        goal = self._directory.goal(int(text)) if _GOAL_ID.fullmatch(text) else None
        if goal is None or goal.goal.site_id != record.site.site_id:
            raise GoalNotFound
        found = await self._reports.goals.converted_sessions(
            record.site.site_id,
            GoalQuery(goal.goal.rule, goal.defined_at_position),
            view.window.period,
            page,
            view.filters,
        )
        return goal.goal, found

    async def _vitals(self, record: SiteRecord, view: View, page: Page) -> dict[str, Any]:
        found = await self._reports.breakdowns.web_vitals(
            record.site.site_id, view.window.period, page, view.filters
        )
        return {
            # All pages together stand before the first ones alone.
            "pages": found if page.number == 1 else found[1:],
            "measured": len(found) - 1,
            "requested": page,
            "metrics": METRICS,
            "meanings": VITALS,
            "thresholds": THRESHOLDS,
            "rate": rate,
        }


def _property_of(parameters: Mapping[str, Any]) -> tuple[str, str]:
    event, key = parameters.get("event"), parameters.get("key")
    if not isinstance(event, str) or not isinstance(key, str):
        raise NotFound("Property not found")
    limits = {"event": (event, MAX_EVENT_NAME), "key": (key, MAX_PROPERTY)}
    errors = {
        name: [fault] for name, (text, most) in limits.items() if (fault := text_fault(text, maximum=most))
    }
    if errors:
        raise Invalid(errors)
    return event, key


def has_page_traffic(by: str, view: View) -> bool:
    """Whether a panel shows visitors, bounces and times of pages; the lens of a goal has figures of its own."""
    return by == "pathname" and view.lens is None and not view.by_change


def _as_breakdown(pages: PagesPage) -> BreakdownPage:
    rows = [BreakdownRow(one.pathname, one.pageviews, one.visitors) for one in pages.rows]
    return BreakdownPage(rows, pages.values, pages.pageviews)


def _rows_of(parameters: Mapping[str, Any], *, full_page: bool) -> _Rows:
    """Return the rows of a panel: the first ones, or on a page of its own those that the address names.

    Raises:
        Invalid: the number of the page or the text to search for is not valid.

    """
    if not full_page:
        return _Rows(Page(1, ROWS), EVERY_ROW)
    page = parse_page({"page": str(parameters.get("page", 1))}, size=MANY_ROWS)
    return _Rows(page, parse_search(str(parameters.get("search", ""))))


def page_title(name: str) -> str:
    """Return the title of a panel's own page."""
    return _PAGE_TITLES.get(name) or dict(panel_titles())[name]


def panel_titles(panels: Mapping[str, Panel] = PANELS, *, details: bool = True) -> Sequence[tuple[str, str]]:
    """Return names and titles of the panels of a dashboard, in their order; `details` includes errors."""
    titles = [(name, panel.title) for name, panel in panels.items()]
    every = [
        ("goals", "Goals"),
        ("funnels", "Funnels"),
        *titles,
        ("properties", "Event properties"),
        ("errors", "Errors"),
        ("vitals", "Web vitals"),
    ]
    return [(name, title) for name, title in every if details or name not in DETAILS]
