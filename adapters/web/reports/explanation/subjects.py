"""The reports of a dashboard whose changes are explained, and what they ask in a state."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from attrs import evolve, frozen

from footfall.adapters.web.reports.panels.breakdowns import PANELS
from footfall.adapters.web.reports.panels.contents import has_page_traffic
from footfall.adapters.web.reports.site_page import ReportRequest
from footfall.adapters.web.reports.view import View
from footfall.application.citations.inquiries import (
    ERROR_NAMES,
    PAGES,
    WEB_VITALS,
    BreakdownInquiry,
    Inquiry,
    OverviewInquiry,
    PropertiesInquiry,
    RowsInquiry,
    TimeseriesInquiry,
    funnel_inquiry,
    goals_inquiry,
)
from footfall.application.journal.directory import Directory
from footfall.application.reports.goal_list import ReportQuery
from footfall.domain.exceptions import NotFound
from footfall.domain.goals.goal import EventRule

# The labels of figures, by the names of their columns.
FIGURES: Mapping[str, str] = MappingProxyType(
    {
        "sessions": "Sessions",
        "visitors": "Visitors",
        "pageviews": "Pageviews",
        "events": "Custom events",
        "bounce_rate": "Bounce rate",
        "average_session_duration": "Average duration",
        "total_conversions": "Conversions",
        "total_sessions": "All sessions",
        "conversion_rate": "Conversion rate",
        "count": "Count",
        "percentage": "Share",
        "entries": "Entries",
        "time_on_page": "Time on page",
        "sessionCount": "Sessions",
        "reached": "Reached",
        "rate": "Rate",
        "went_on": "Went on",
        "dropped_off": "Dropped off",
        "median_seconds": "Median time",
        "left": "Left the site",
        "samples": "Samples",
    }
)


@frozen
class Subject:
    """A report whose changes are explained, by the name of its panel, with a title."""

    name: str
    title: str


def subjects_of(request: ReportRequest, directory: Directory) -> Sequence[Subject]:
    """Return the reports of a view that can be explained to its reader."""
    view, site_id = request.view, request.record.site.site_id
    chosen = dict(view.parameters)
    found = [Subject("overview", "Overview"), Subject("chart", "Over time"), Subject("goals", "Goals")]
    if directory.funnels_of(site_id):
        found.append(Subject("funnels", "Funnel"))
    found += [Subject(name, _title(name, view.tab(name))) for name in PANELS]
    if "properties" in chosen:
        found.append(Subject("properties", f"Properties of {chosen['properties']}"))
    if request.details:
        found.append(Subject("errors", "Errors"))
    return [*found, Subject("vitals", "Web vitals")]


def inquiry(name: str, request: ReportRequest, funnel_id: int | None, directory: Directory) -> Inquiry:
    """Return what the report of a panel asks in a state.

    Raises:
        Invalid: a filter of the view cannot be used in this state.
        NotFound: there is no such panel, or no such funnel in this state.
        FunnelNotCountable: a goal of the funnel was deleted.

    """
    site_id = request.record.site.site_id
    record = directory.site(str(site_id)) or request.record
    view = request.with_permitted_filters(record, directory.goals_of(site_id)).view
    query = ReportQuery(view.window.period, view.filters)
    match name:
        case "overview":
            return OverviewInquiry(query)
        case "chart":
            return TimeseriesInquiry(query, view.size, view.window.zone)
        case "goals":
            return goals_inquiry(query, directory.goals_of(site_id))
        case "funnels":
            return funnel_inquiry(query, directory, site_id, funnel_id)
        case "properties":
            return PropertiesInquiry(query, EventRule(dict(view.parameters).get("properties", "")))
        case "errors":
            return RowsInquiry(ERROR_NAMES, query)
        case "vitals":
            return RowsInquiry(WEB_VITALS, query)
        case _ if name in PANELS:
            return _breakdown(query, view, view.tab(name))
    raise NotFound("Report not found")


def _breakdown(query: ReportQuery, view: View, by: str) -> Inquiry:
    if has_page_traffic(by, view):
        return RowsInquiry(PAGES, query)
    lens = view.lens
    if lens is None:
        return BreakdownInquiry(query, by)
    others = evolve(query, filters=[one for one in view.filters if one is not lens])
    return BreakdownInquiry(others, by, goal=lens.goals[0])


def _title(name: str, by: str) -> str:
    panel = PANELS[name]
    return panel.title if by == panel.tabs[0][0] else f"{panel.title}: {dict(panel.tabs)[by]}"
