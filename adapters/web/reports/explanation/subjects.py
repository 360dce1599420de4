"""The reports of a dashboard whose changes are explained, and what they ask in a state."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from attrs import evolve, frozen

from footfall.adapters.web.reports.error_pages import error_message
from footfall.adapters.web.reports.panels.breakdowns import PANELS
from footfall.adapters.web.reports.panels.inquiries import query_of
from footfall.adapters.web.reports.panels.panel_inquiries import of_panel
from footfall.adapters.web.reports.panels.rows import PanelRows
from footfall.adapters.web.reports.report_page import shared_panels
from footfall.adapters.web.reports.report_request import ReportRequest
from footfall.adapters.web.reports.view import View
from footfall.application.access.shared_links import dimension_for
from footfall.application.journal.directory import Directory
from footfall.application.languages.language import marked, tr
from footfall.application.reports.catalogue.breakdowns import movers_inquiry
from footfall.application.reports.catalogue.error_groups import ErrorGroupsInquiry, error_costs_inquiry
from footfall.application.reports.catalogue.errors import ErrorBucketsInquiry
from footfall.application.reports.catalogue.funnels import funnel_at, funnel_inquiry
from footfall.application.reports.catalogue.inquiry import ROWS, Inquiry
from footfall.application.reports.catalogue.journeys import PARAMETERS as JOURNEY
from footfall.application.reports.catalogue.properties import PropertiesInquiry
from footfall.application.reports.catalogue.revenue import PARAMETERS as REVENUE
from footfall.application.reports.catalogue.traffic import OverviewInquiry
from footfall.application.reports.error_costs import unchanged_goal
from footfall.domain.exceptions import NotFound
from footfall.domain.goals.goal import EventRule

# The labels of figures, by the names of their columns.
FIGURES: Mapping[str, str] = MappingProxyType(
    marked(
        {
            "sessions": "Sessions",
            "visitors": "Visitors",
            "pageviews": "Pageviews",
            "events": "Custom events",
            "bounce_rate": "Bounce rate",
            "average_session_duration": "Average duration",
            "sessions_with_pageviews": "Sessions with a pageview",
            "total_conversions": "Conversions",
            "total_sessions": "All sessions",
            "total_sessions_with_pageviews": "All sessions with a pageview",
            "conversion_rate": "Conversion rate",
            "count": "Count",
            "percentage": "Share",
            "entries": "Entries",
            "entry_engaged_time": "Engaged time of entries",
            "engaged_entries": "Entries with engaged time",
            "time_on_page": "Time on page",
            "engaged_time": "Engaged time",
            "engaged_sessions": "Sessions with engaged time",
            "engaged_pageviews": "Pageviews with engaged time",
            "scroll_depth": "Scroll depth",
            "scrolled_pageviews": "Pageviews with scroll depth",
            "sessionCount": "Sessions",
            "error_count": "Errors",
            "sum": "Sum",
            "average": "Average",
            "difference": "Difference",
            "previous": "Compared period",
            "change": "Change",
            "conversions": "Conversions",
            "conversionRate": "Conversion rate",
            "comparedSessions": "Compared sessions",
            "comparedConversions": "Conversions of compared sessions",
            "otherSessions": "Comparable sessions",
            "otherConversions": "Conversions of comparable sessions",
            "conversionsLost": "Conversions lost",
            "returned": "Came back",
            "compared_count": "Count, second model",
            "compared_sum": "Sum, second model",
            "reached": "Reached",
            "rate": "Rate",
            "went_on": "Went on",
            "dropped_off": "Dropped off",
            "median_seconds": "Median time",
            "left": "Left the site",
            "samples": "Samples",
        }
    )
)


_ROWS = PanelRows(ROWS)
# The parameters in the addresses of pages of single properties, errors and costs.
OWN = ("event", "key", "message", "goal", "cohort", *REVENUE, *JOURNEY)
# Reports with a row for each group of errors.
OF_GROUPS = frozenset({"error-groups", "error-costs"})


@frozen
class Choice:
    """The choice of an address: its period and filters, the funnel or goal, and the `own` parameters of its report."""

    request: ReportRequest
    own: Mapping[str, str]
    funnel_id: int | None
    goal_id: int | None
    present: Directory


def titles_of(choice: Choice) -> Mapping[str, str]:
    """Return the titles of the reports that can be explained to the reader of a view, by the names of their panels.

    Reports on a property or a message are those that the address names.
    """
    view, own, chosen = choice.request.view, choice.own, dict(choice.request.view.parameters)
    titles = {"overview": tr("Overview"), "chart": tr("Over time"), "goals": tr("Goals")}
    if choice.funnel_id is not None:
        titles["funnels"] = tr("Funnel")
    titles |= {"journeys": tr("Journeys"), **{name: _title(name, view) for name in PANELS}}
    if "properties" in chosen:
        titles["properties"] = tr("Properties of {event}", event=chosen["properties"])
    if "event" in own and "key" in own:
        titles["property"] = title = f"{own['event']}: {own['key'] or tr('(empty)')}"
        titles["property-timeseries"] = tr("{title}, over time", title=title)
    if choice.request.sees_messages:
        titles |= {"errors": tr("Errors"), "error-groups": tr("Errors by cause")}
        if "message" in own:
            titles["occurrences"] = tr("{title}, over time", title=own["message"] or tr("No message"))
        if choice.goal_id is not None:
            titles["error-costs"] = tr("Conversions lost to errors")
    if choice.goal_id is not None:
        titles["revenue"] = tr("Revenue by source")
    titles |= {"vitals": tr("Web vitals"), "retention": tr("Retention")}
    limits = choice.request.limits
    return {
        name: title for name, title in titles.items() if limits is None or limits.opens(shared_panels(name))
    }


def inquiry(name: str, choice: Choice, directory: Directory) -> Inquiry[Any]:
    """Return what the report of a panel asks in a state.

    Raises:
        Invalid: a filter of the view cannot be used in this state, or a name in the address is no name.
        NotFound: there is no such panel, or no such funnel or goal in this state.
        FunnelNotCountable: a goal of the funnel was deleted.

    """
    site_id = choice.request.record.site.site_id
    record = directory.site(str(site_id)) or choice.request.record
    view = choice.request.with_permitted_filters(record, directory).view
    # A period that the view is compared with has an explanation of its own.
    view, query = evolve(view, compares=False), query_of(view)
    match name:
        case "overview":
            return OverviewInquiry(query)
        case "funnels":
            plan = funnel_at(directory, site_id, choice.funnel_id).funnel.plan
            return funnel_inquiry(query, directory, site_id, plan)
        case "properties":
            return PropertiesInquiry(query, EventRule(dict(view.parameters).get("properties", "")))
        case "error-groups":
            decisions = directory.error_decisions(site_id)
            return ErrorGroupsInquiry(query, decisions, view.at, choice.request.reader)
        case "occurrences":
            return ErrorBucketsInquiry(query, view.size, view.window.zone, error_message(choice.own))
        case "error-costs":
            goal = unchanged_goal(directory, choice.present, site_id, choice.goal_id or 0)
            return error_costs_inquiry(query, goal, directory, choice.request.reader, view.at)
        case _ if name in PANELS and view.by_change:
            by = dimension_for(view.tab(name), belongs=view.belongs)
            return movers_inquiry(view.compared_window, view.asked, by, view.groups)
    shared = of_panel(name, view, choice.own, directory, site_id, _ROWS)
    if shared is None:
        raise NotFound("Report not found")
    return shared


def _title(name: str, view: View) -> str:
    panel, by = PANELS[name], view.tab(name)
    title = tr(panel.title)
    if by != panel.tabs[0][0]:
        title = f"{title}: {tr(dict(panel.shown_tabs(by))[by])}"
    return tr("{title}, what changed most", title=title) if view.by_change else title
