"""The contents of the panels below the chart."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from attrs import evolve, frozen

from footfall.adapters.web.places.world_map import MOST_COUNTRIES, map_countries
from footfall.adapters.web.reports.error_pages import PAGE_SIZE, ErrorPanels
from footfall.adapters.web.reports.panels.breakdowns import PANELS, unit_of
from footfall.adapters.web.reports.panels.funnels import FunnelPanels
from footfall.adapters.web.reports.panels.goals import GoalPanels
from footfall.adapters.web.reports.panels.inquiries import (
    has_page_traffic,
    of_movers,
    of_pages,
    of_values,
    of_vitals,
    query_of,
)
from footfall.adapters.web.reports.panels.named_places import NAMED, labels_of, searched_by_name
from footfall.adapters.web.reports.panels.properties import PropertyPanels
from footfall.adapters.web.reports.panels.rows import PanelRows, rows_of
from footfall.adapters.web.reports.view import View
from footfall.application.access.shared_links import permitted_families
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.languages.language import marked
from footfall.application.ports.reports.breakdowns import BreakdownPage, PagesPage
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.inquiry import ROWS
from footfall.application.reports.comparison import RowsBefore, earlier_rows
from footfall.application.reports.goal_values import GoalValue, values_by_row
from footfall.domain.annotations.annotations import Annotation
from footfall.domain.citations.definitions import OF_REPORTS, OF_VITALS, Definition
from footfall.domain.exceptions import NotFound
from footfall.domain.pagination import Page
from footfall.domain.row_choice import RowChoice
from footfall.domain.traffic.breakdown import BreakdownRow, groups_of
from footfall.domain.traffic.filters import GROUP_PARAMETERS
from footfall.domain.traffic.pages import PageTraffic
from footfall.domain.traffic.web_vitals import METRICS, THRESHOLDS, rate

# The filters by groups of pages, by the dimensions with the paths of these.
_GROUP_PARAMETERS = {by: parameter for parameter, by in GROUP_PARAMETERS.items()}
# Panels with single sessions and errors.
DETAILS = frozenset({"sessions", "errors"})
_PAGE_TITLES = MappingProxyType(marked({"sessions": "Sessions", "property": "Event property"}))
VITALS: Mapping[str, str] = MappingProxyType(
    marked(
        {
            "lcp": "Largest Contentful Paint: time until the main content is visible",
            "cls": "Cumulative Layout Shift: unexpected movement of page content",
            "inp": "Interaction to Next Paint: delay between an interaction and its visible response",
            "fcp": "First Contentful Paint: time until the first content is visible",
            "ttfb": "Time to First Byte: response time of the server",
        }
    )
)


@frozen
class PanelContents:
    """Queries the contents of a panel; `deploys` are the marks of its period that the reader may see."""

    _reports: ReportSet
    _directory: Directory
    _deploys: Sequence[Annotation] = ()

    async def of(
        self, name: str, record: SiteRecord, view: View, parameters: Mapping[str, Any], *, full_page: bool
    ) -> tuple[str, dict[str, Any]]:
        """Return the template of a panel and its values; a panel with a `full_page` has more rows.

        Raises:
            NotFound: there is no such panel.
            Invalid: a parameter of the panel is not valid.

        """
        rows = rows_of(parameters, full_page=full_page)
        listed = rows_of(parameters, full_page=True)
        errors = ErrorPanels(self._reports, self._directory, self._deploys)
        match name:
            case "goals":
                return "panel_goals.html", await self.of_goals.contents(record, view, rows)
            case "properties":
                return "panel_properties.html", await self.of_properties.listed(record, view, rows)
            case "property":
                distribution = await self.of_properties.contents(record, view, parameters, listed)
                return "panel_property.html", distribution
            case "funnels":
                funnels = FunnelPanels(self._reports, self._directory)
                return "panel_funnels.html", await funnels.contents(record, view, rows)
            case "sessions":
                sessions = await self.of_goals.sessions(record, view, parameters, listed)
                return "panel_sessions.html", sessions
            case "errors":
                shown = rows_of(parameters, full_page=full_page, size=PAGE_SIZE)
                return "panel_errors.html", await errors.messages(record.site.site_id, view, shown)
            case "vitals":
                return "panel_vitals.html", await self._vitals(record, view, rows)
            case _ if name in PANELS:
                return "panel_breakdown.html", await self._breakdown(name, record, view, rows)
        raise NotFound("Panel not found")

    @property
    def of_goals(self) -> GoalPanels:
        """The panels about goals."""
        return GoalPanels(self._reports, self._directory)

    @property
    def of_properties(self) -> PropertyPanels:
        """The panels about properties of events."""
        return PropertyPanels(self._reports, self._deploys)

    async def breakdown(self, record: SiteRecord, by: str, view: View, rows: PanelRows) -> BreakdownPage:
        """Return a page of the values of a dimension, with the conversions of each under the lens of a goal."""
        if rows.choice.containing and by in NAMED:
            every = await self.breakdown(record, by, view, PanelRows(ROWS))
            labels = await self._labels(record, by, view, [row.value for row in every.rows])
            return searched_by_name(every, labels, rows.choice, rows.page)
        return (await of_values(view, by, rows).ask(self._reports, record.site.site_id)).page

    async def _breakdown(self, name: str, record: SiteRecord, view: View, rows: PanelRows) -> dict[str, Any]:
        panel, by, site_id = PANELS[name], view.tab(name), record.site.site_id
        families = [
            family
            for family in permitted_families(panel.families, belongs=view.belongs)
            if view.shows(family.of_key(""))
        ]
        values = {"panel": panel, "families": families, "by": by, "unit": unit_of(by), "requested": rows}
        values |= {"group_parameters": _GROUP_PARAMETERS, "groups": groups_of(by, view.groups)}
        if view.by_change:
            moved = await of_movers(view, by, rows).ask(self._reports, site_id)
            labels = await self._labels(record, by, view, [movement.value for movement in moved.movements])
            return values | {"moved": moved, "breakdown": None, "labels": labels}
        if has_page_traffic(by, view):
            pages = await of_pages(view, rows).ask(self._reports, site_id)
            breakdown = _as_breakdown(pages)
            values |= {"countries": [], "page_details": {row.pathname: row for row in pages.rows}}
            values |= {"entry_pages": {}, "is_engaged": _is_engaged(pages.rows)}
        else:
            breakdown, countries = await self._rows_and_countries(record, by, view, rows)
            entered = await self._entered(site_id, by, view, breakdown)
            values |= {"countries": countries, "page_details": {}}
            values |= {"entry_pages": entered, "is_engaged": bool(entered)}
        most = max((row.count for row in breakdown.rows), default=1)
        earlier = await self._earlier(record, by, view, breakdown)
        values["labels"] = await self._labels(record, by, view, [row.value for row in breakdown.rows])
        values["money"] = await self._money(record, by, view, [row.value for row in breakdown.rows])
        return values | {"breakdown": breakdown, "most": most, "moved": None, "earlier": earlier}

    async def _entered(
        self, site_id: int, by: str, view: View, breakdown: BreakdownPage
    ) -> Mapping[str, PageTraffic]:
        """Return the pages among entry pages, by their paths or groups; none where no page reports its engagement."""
        if by != "entry_page" or view.lens is not None or not breakdown.rows:
            return {}
        choice = RowChoice(among=tuple(row.value for row in breakdown.rows))
        asked = of_pages(view, PanelRows(Page(1, len(breakdown.rows)), choice))
        pages = (await asked.ask(self._reports, site_id)).rows
        return {row.pathname: row for row in pages} if _is_engaged(pages) else {}

    async def _rows_and_countries(
        self, record: SiteRecord, by: str, view: View, rows: PanelRows
    ) -> tuple[BreakdownPage, Sequence[Any]]:
        """Return the rows of a panel and, of countries without a search, what the map shows."""
        if by != "country" or rows.choice.containing:
            return await self.breakdown(record, by, view, rows), []
        breakdown = await self.breakdown(record, by, view, PanelRows(Page(1, MOST_COUNTRIES)))
        return evolve(breakdown, rows=rows.page.of(breakdown.rows)), map_countries(breakdown.rows)

    async def _labels(self, record: SiteRecord, by: str, view: View, values: Sequence[str]) -> dict[str, str]:
        """Return the names of values that are codes."""
        return await labels_of(self._reports.breakdowns, record.site.site_id, by, values, query_of(view))

    async def _money(
        self, record: SiteRecord, by: str, view: View, values: Sequence[str]
    ) -> Mapping[str, Sequence[GoalValue]]:
        """Return the money of the goal of the lens in the sessions with each value."""
        inquiry, site = of_values(view, by, PanelRows(ROWS)), record.site
        if inquiry.goal is None:
            return {}
        rule, currencies = inquiry.goal.rule, site.currencies
        return await values_by_row(
            self._reports.breakdowns,
            site.site_id,
            rule,
            inquiry.by,
            values,
            currencies,
            inquiry.query,
            groups=inquiry.groups,
        )

    async def _earlier(
        self, record: SiteRecord, by: str, view: View, breakdown: BreakdownPage
    ) -> RowsBefore | None:
        """Return the rows in the compared period; None without data there."""
        if not view.compares or not breakdown.rows:
            return None
        inquiry = of_values(view, by, PanelRows(ROWS))
        earlier = await earlier_rows(
            self._reports.breakdowns,
            record.site.site_id,
            inquiry.by,
            evolve(inquiry.query, period=view.previous_period),
            breakdown,
            goal=inquiry.goal,
            groups=inquiry.groups,
        )
        return earlier if earlier.count else None

    async def _vitals(self, record: SiteRecord, view: View, rows: PanelRows) -> dict[str, Any]:
        vitals = await of_vitals(view, rows).ask(self._reports, record.site.site_id)
        return {
            # All pages together stand before the first ones alone.
            "pages": vitals if rows.page.number == 1 and not rows.search else vitals[1:],
            "measured": len(vitals) - 1,
            "requested": rows,
            "metrics": METRICS,
            "meanings": VITALS,
            "thresholds": THRESHOLDS,
            "rate": rate,
        }


def _is_engaged(pages: Sequence[PageTraffic]) -> bool:
    """Whether a page has a view that reported how long it was looked at, or how far it was scrolled."""
    return any(page.engaged_pageviews or page.scrolled_pageviews for page in pages)


def _as_breakdown(pages: PagesPage) -> BreakdownPage:
    rows = [BreakdownRow(row.pathname, row.pageviews, row.visitors) for row in pages.rows]
    return BreakdownPage(rows, pages.values, pages.pageviews)


def page_title(name: str) -> str:
    """Return the title of a panel's own page."""
    return _PAGE_TITLES.get(name) or dict(panel_titles())[name]


def panel_titles(*, details: bool = True, only: Sequence[str] | None = None) -> Sequence[tuple[str, str]]:
    """Return names and titles of the panels of a dashboard, in their order; `details` includes errors.

    With `only` they are those that it names; names that no panel has mean none.
    """
    every = [
        ("goals", "Goals"),
        ("funnels", "Funnels"),
        *((name, panel.title) for name, panel in PANELS.items()),
        ("properties", "Event properties"),
        ("errors", "Errors"),
        ("vitals", "Web vitals"),
    ]
    shown = [pair for pair in every if only is None or pair[0] in only]
    return [(name, title) for name, title in shown if details or name not in DETAILS]


def uses_of_panel(name: str) -> frozenset[Definition]:
    """Return the definitions that a panel uses."""
    return OF_VITALS if name == "vitals" else OF_REPORTS
