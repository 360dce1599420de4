"""What a panel asks for its file and for its explanation alike."""

from collections.abc import Mapping
from typing import Any

from footfall.adapters.web.reports.panels.breakdowns import PANELS
from footfall.adapters.web.reports.panels.inquiries import (
    has_page_traffic,
    of_cohorts,
    of_errors,
    of_goals,
    of_movers,
    of_pages,
    of_property_series,
    of_property_values,
    of_revenue,
    of_values,
    of_vitals,
    query_of,
)
from footfall.adapters.web.reports.panels.rows import PanelRows
from footfall.adapters.web.reports.panels.session_inquiries import of_journeys
from footfall.adapters.web.reports.view import View
from footfall.application.journal.directory import Directory
from footfall.application.reports.catalogue.inquiry import Inquiry
from footfall.application.reports.catalogue.traffic import TimeseriesInquiry
from footfall.domain.exceptions import NotFound


def of_panel(
    name: str, view: View, parameters: Mapping[str, Any], directory: Directory, site_id: int, rows: PanelRows
) -> Inquiry[Any] | None:
    """Return what a panel asks of a state; None where files and explanations ask in their own ways.

    Raises:
        NotFound: the address of a panel about a property names none, or the site has no goal.
        Invalid: a parameter of the panel is not valid.

    """
    match name:
        case "goals":
            return of_goals(view, directory, site_id, rows)
        case "journeys":
            return of_journeys(view, parameters, directory, site_id)
        case "errors":
            return of_errors(view, directory, site_id, rows)
        case "retention":
            return of_cohorts(view, parameters, directory, site_id)
        case "revenue":
            revenue = of_revenue(view, parameters, directory, site_id, rows)
            if revenue is None:
                raise NotFound("The site has no goal")
            return revenue
        case _ if name in PANELS:
            return _of_breakdown(view, view.tab(name), rows)
    return _of_view(name, view, parameters, rows)


def _of_view(name: str, view: View, parameters: Mapping[str, Any], rows: PanelRows) -> Inquiry[Any] | None:
    match name:
        case "chart":
            return TimeseriesInquiry(query_of(view), view.size, view.window.zone)
        case "vitals":
            return of_vitals(view, rows)
        case "property":
            return of_property_values(view, parameters, rows)
        case "property-timeseries":
            return of_property_series(view, parameters)
    return None


def _of_breakdown(view: View, by: str, rows: PanelRows) -> Inquiry[Any]:
    if view.by_change:
        return of_movers(view, by, rows)
    return of_pages(view, rows) if has_page_traffic(by, view) else of_values(view, by, rows)
