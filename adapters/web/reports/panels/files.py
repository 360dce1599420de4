"""Files of panels: the same reports as CSV and JSON, with more rows (docs/read/programs/files.md)."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.reports.panels.breakdowns import PANELS
from footfall.adapters.web.reports.panels.contents import DETAILS, PanelContents, uses_of_panel
from footfall.adapters.web.reports.panels.funnels import FunnelPanels
from footfall.adapters.web.reports.panels.inquiries import (
    all_before,
    chosen_groups,
    goal_of,
    of_bots,
    of_costs,
    of_groups,
    of_properties,
    of_values,
    query_of,
    revenue_around,
)
from footfall.adapters.web.reports.panels.named_places import NAMED
from footfall.adapters.web.reports.panels.panel_inquiries import of_panel
from footfall.adapters.web.reports.panels.properties import PropertyPanels
from footfall.adapters.web.reports.panels.rows import PanelRows, searched
from footfall.adapters.web.reports.panels.session_inquiries import (
    of_sessions,
    of_visits,
    span_of,
    with_definitions,
)
from footfall.adapters.web.reports.report_page import (
    VISITS,
    NotShared,
    ReportPage,
    require_visits,
    shared_panels,
)
from footfall.adapters.web.reports.report_request import ReportRequest
from footfall.adapters.web.reports.view import View
from footfall.adapters.web.security_headers import set_security_headers
from footfall.application.access.authorization import Access
from footfall.application.citations.answer_states import Answer
from footfall.application.ports.reports.properties import PropertyPage
from footfall.application.reports.catalogue.breakdowns import Breakdown
from footfall.application.reports.catalogue.funnels import FunnelInquiry, FunnelProgress
from footfall.application.reports.catalogue.inquiry import Inquiry
from footfall.application.reports.catalogue.traffic import ComparedOverviewInquiry, LiveInquiry
from footfall.application.reports.csv_text import csv_text
from footfall.application.reports.tables import MAX_ROWS, Table, annotations_table
from footfall.domain.exceptions import NotFound
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.traffic.online.live import live_period
from footfall.domain.traffic.report_query import ReportQuery

_TYPES: Mapping[str, str] = MappingProxyType(
    {"csv": "text/csv; charset=utf-8; header=present", "json": "application/json"}
)
# Those that depend on more than their period and the one that it is compared with.
_SPANS: Mapping[str, Callable[[View], Period]] = MappingProxyType(
    {"retention": all_before, "revenue": revenue_around}
)
# The tables with single errors, which sites share with other readers than members on request.
OF_ERRORS = frozenset({"error-groups", "error-costs"})
# Their counts do not say when they were made.
_WITHOUT_PAST = frozenset({"bots"})


@frozen
class PanelFile(ReportPage):
    """GET …/panels/<panel>/<csv or json>: the rows of a panel, of the chart, or of the metrics as a file."""

    access_get = Access.READER

    async def on_get(
        self, req: Request, resp: Response, site: str, panel: str, file_type: str, key: str | None = None
    ) -> None:
        """Answer with a file that browsers save."""
        past, panels = panel not in _WITHOUT_PAST, shared_panels(panel)
        request = await self._access.authorize(self.access_get, req, site, key, past=past, panels=panels)
        check_file_type(file_type)
        if panel in DETAILS | OF_ERRORS and not request.sees_messages:
            raise NotShared
        require_visits(panel, request)
        history, uses = panel in DETAILS | OF_ERRORS, uses_of_panel(panel)
        span = _SPANS[panel](request.view) if panel in _SPANS else None
        span = span_of(request.view, req.params) if panel == VISITS else span
        async with self._access.opened(request, history=history, uses=uses, span=span) as answer:
            table = await self._table(panel, request, answer, req.params)
        save(resp, table, file_type, _file_name(panel, request))

    async def _table(
        self, panel: str, request: ReportRequest, answer: Answer, parameters: Mapping[str, Any]
    ) -> Table:
        rows = PanelRows(Page(1, MAX_ROWS), searched(parameters))
        if panel in PANELS and rows.choice.containing and request.view.tab(panel) in NAMED:
            contents, view = PanelContents(answer.reports, answer.directory), request.view
            breakdown = await contents.breakdown(request.record, view.tab(panel), view, rows)
            return of_values(view, view.tab(panel), rows).table(Breakdown(breakdown))
        if inquiry := _inquiry(panel, request, answer, parameters, rows):
            return inquiry.table(await inquiry.ask(answer.reports, request.record.site.site_id))
        return await _table_of_chosen(panel, request, answer, rows)


def _inquiry(
    panel: str, request: ReportRequest, answer: Answer, parameters: Mapping[str, Any], rows: PanelRows
) -> Inquiry[Any] | None:
    """Return what a panel asks whose file is a report as it stands; None of others.

    Raises:
        NotFound, Invalid: a parameter of the panel names nothing, or is not valid.

    """
    view, directory, site_id = request.view, answer.directory, request.record.site.site_id
    match panel:
        case "metrics":
            return ComparedOverviewInquiry(query_of(view), view.compared_window)
        case "sessions":
            return of_sessions(view, goal_of(parameters, directory, site_id), request.reader, rows)
        case "visits":
            return with_definitions(of_visits(view, parameters), view, parameters, directory, site_id)
        case "error-groups":
            return of_groups(view, chosen_groups(parameters, rows), request.reader, answer)
        case "error-costs":
            goal_id = goal_of(parameters, directory, site_id).goal.goal_id
            return of_costs(view, goal_id, request.reader, answer)
        case "bots":
            return of_bots(view, request.record.site, rows.page)
        case "live" if request.as_of is None:
            return LiveInquiry(ReportQuery(live_period(answer.positions.at), view.filters))
    return of_panel(panel, view, request.kept, directory, site_id, rows)


async def _table_of_chosen(name: str, request: ReportRequest, answer: Answer, rows: PanelRows) -> Table:
    """Return the rows about the chosen funnel or event, or the annotations.

    Raises:
        NotFound: there is no such panel, or the reader may not see it.

    """
    record, view = request.record, request.view
    match name:
        case "funnels":
            shown = await FunnelPanels(answer.reports, answer.directory).progress(record, view, rows)
            if shown["progress"] is None:
                raise NotFound("Funnel not found" if shown["refusal"] is None else shown["refusal"])
            inquiry: FunnelInquiry = shown["inquiry"]
            return inquiry.table(FunnelProgress(shown["progress"], shown["before"]))
        case "properties":
            listed = await PropertyPanels(answer.reports).listed(record, view, rows)
            properties = listed["listing"] or PropertyPage([], 0)
            return of_properties(view, listed["event"] or "", record, rows).table(properties)
        case "annotations" if request.belongs:
            annotations = answer.directory.annotations(record.site.site_id)
            return annotations_table(annotations.newest_first(releases=False)[:MAX_ROWS])
    raise NotFound("Panel not found")


def check_file_type(file_type: str) -> None:
    """Raise NotFound for a type of files that does not exist."""
    if file_type not in _TYPES:
        raise NotFound("File not found")


def save(resp: Response, table: Table, file_type: str, name: str) -> None:
    """Answer with a table as a file of this type, which browsers save under a name."""
    resp.content_type = _TYPES[file_type]
    if file_type == "csv":
        resp.text = csv_text(table)
    else:
        resp.media = {"data": table.records()}
    resp.downloadable_as = f"{name}.{file_type}"
    set_security_headers(resp)


def _file_name(panel: str, request: ReportRequest) -> str:
    view = request.view
    # A name that strangers give is no part of the name of a file.
    subject = view.tab(panel).partition(":")[0] if panel in PANELS else panel
    first, last = view.local(view.window.period.start).date(), view.last_day
    return f"{request.record.site.domain}-{subject}-{first}-{last}"
