"""What the panels of a dashboard ask that show a report as it stands."""

from collections.abc import Mapping
from typing import Any

from footfall.adapters.web.reports.panels.rows import PanelRows
from footfall.adapters.web.reports.view import View
from footfall.application.reports.catalogue.breakdowns import (
    BreakdownInquiry,
    LargestMoversInquiry,
    PagesInquiry,
    WebVitalsInquiry,
)
from footfall.application.reports.catalogue.errors import ErrorNamesInquiry
from footfall.application.reports.catalogue.inquiry import Inquiry
from footfall.application.reports.catalogue.properties import PropertySeriesInquiry, PropertyValuesInquiry
from footfall.application.reports.catalogue.traffic import TimeseriesInquiry
from footfall.application.reports.goal_list import ReportQuery
from footfall.domain.exceptions import Invalid, NotFound
from footfall.domain.goals.goal import MAX_EVENT_NAME, MAX_PROPERTY, EventRule
from footfall.domain.text import text_fault


def query_of(view: View) -> ReportQuery:
    """Return the period and the filters of a view."""
    return ReportQuery(view.window.period, view.filters)


def of_values(view: View, by: str, rows: PanelRows) -> BreakdownInquiry:
    """Return what a panel asks about the values of an attribute, with the conversions of each under a lens.

    Beside the sessions that reached the goal of the lens stand the others: its filter is none of the rows.
    """
    lens = view.lens
    query = ReportQuery(view.window.period, [one for one in view.filters if one is not lens])
    goal = None if lens is None else lens.goals[0]
    return BreakdownInquiry(query, by, goal=goal, choice=rows.choice, page=rows.page)


def of_pages(view: View, rows: PanelRows) -> PagesInquiry:
    """Return what the panel of pages asks, as long as `has_page_traffic`."""
    return PagesInquiry(query_of(view), rows.choice, rows.page)


def of_movers(view: View, by: str, rows: PanelRows) -> LargestMoversInquiry:
    """Return what a panel asks about the values that changed most."""
    window = view.compared_window
    return LargestMoversInquiry(ReportQuery(window.span, view.filters), window, by, rows.page.size)


def of_vitals(view: View, rows: PanelRows) -> WebVitalsInquiry:
    """Return what the panel of web vitals asks."""
    return WebVitalsInquiry(query_of(view), rows.choice, rows.page)


def of_property_values(view: View, parameters: Mapping[str, Any], rows: PanelRows) -> PropertyValuesInquiry:
    """Return what is asked about the values of the property that an address names.

    Raises:
        NotFound: it names none.
        Invalid: a name is too long, or cannot be stored.

    """
    event, key = property_of(parameters)
    return PropertyValuesInquiry(query_of(view), EventRule(event), key, rows.choice, rows.page)


def of_property_series(view: View, parameters: Mapping[str, Any]) -> PropertySeriesInquiry:
    """Return what is asked about the numbers over time of the property that an address names.

    Raises:
        NotFound: it names none.
        Invalid: a name is too long, or cannot be stored.

    """
    event, key = property_of(parameters)
    return PropertySeriesInquiry(query_of(view), EventRule(event), key, view.size, view.window.zone)


def of_panel(name: str, view: View, parameters: Mapping[str, Any], rows: PanelRows) -> Inquiry[Any] | None:
    """Return what a panel asks for its file and its explanation alike; None when they ask in their own ways.

    Raises:
        NotFound: the address of a panel about a property names none.
        Invalid: a name is too long, or cannot be stored.

    """
    match name:
        case "chart":
            return TimeseriesInquiry(query_of(view), view.size, view.window.zone)
        case "vitals":
            return of_vitals(view, rows)
        case "errors":
            return ErrorNamesInquiry(query_of(view), rows.choice, rows.page)
        case "property":
            return of_property_values(view, parameters, rows)
        case "property-timeseries":
            return of_property_series(view, parameters)
    return None


def has_page_traffic(by: str, view: View) -> bool:
    """Whether a panel shows visitors, bounces and times of pages; the lens of a goal has figures of its own."""
    return by == "pathname" and view.lens is None and not view.by_change


def property_of(parameters: Mapping[str, Any]) -> tuple[str, str]:
    """Return the event and the key of the property that an address names.

    Raises:
        NotFound: it names none.
        Invalid: a name is too long, or cannot be stored.

    """
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
