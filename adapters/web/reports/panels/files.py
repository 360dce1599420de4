"""Files of panels: the same reports as CSV and JSON, with more rows (docs/http-api/files.md)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.rendering import PageRenderer, page
from footfall.adapters.web.reports.error_pages import error_message
from footfall.adapters.web.reports.panels.breakdowns import PANELS
from footfall.adapters.web.reports.panels.contents import (
    DETAILS,
    PanelContents,
    has_page_traffic,
    uses_of_panel,
)
from footfall.adapters.web.reports.panels.rows import PanelRows, searched
from footfall.adapters.web.reports.panels.tables import OF_ERRORS, PanelTables
from footfall.adapters.web.reports.site_page import NotShared, ReportAccess, ReportRequest
from footfall.adapters.web.security_headers import set_security_headers
from footfall.application.access.authorization import Access
from footfall.application.access.disclosure import Reader
from footfall.application.citations.answers import Answer
from footfall.application.reports.csv_text import csv_text
from footfall.application.reports.tables import (
    MAX_ROWS,
    Table,
    breakdown_table,
    errors_table,
    goals_table,
    movers_table,
    occurrences_table,
    overview_table,
    pages_table,
    sessions_table,
    timeseries_table,
    vitals_table,
)
from footfall.domain.exceptions import NotFound
from footfall.domain.pagination import Page

_TYPES: Mapping[str, str] = MappingProxyType(
    {"csv": "text/csv; charset=utf-8; header=present", "json": "application/json"}
)


@frozen
class PanelFile:
    """GET …/panels/<panel>/<csv or json>: the rows of a panel, of the chart, or of the metrics as a file."""

    access_get = Access.READER

    renderer: PageRenderer
    _access: ReportAccess

    @page
    async def on_get(
        self, req: Request, resp: Response, site: str, panel: str, file_type: str, key: str | None = None
    ) -> None:
        """Answer with a file that browsers save."""
        request = await self._access.authorize(self.access_get, req, site, key, past=True)
        check_file_type(file_type)
        if panel in DETAILS | OF_ERRORS and not request.details:
            raise NotShared
        history, uses = panel in DETAILS | OF_ERRORS, uses_of_panel(panel)
        async with self._access.opened(request, history=history, uses=uses) as answer:
            table = await self._table(panel, request, answer, req.params)
        save(resp, table, file_type, _file_name(panel, request))

    async def _table(
        self, panel: str, request: ReportRequest, answer: Answer, parameters: Mapping[str, Any]
    ) -> Table:
        contents = PanelContents(answer.reports, answer.directory)
        site_id, view = request.record.site.site_id, request.view
        period, filters, reports = view.window.period, view.filters, answer.reports
        reader, rows = Reader(site_id, request.belongs), PanelRows(Page(1, MAX_ROWS), searched(parameters))
        match panel:
            case "metrics":
                periods = {"current": period, "previous": view.previous_period}
                found = {
                    name: (one, await reports.traffic.overview(site_id, one, filters))
                    for name, one in periods.items()
                }
                return overview_table(found)
            case "chart":
                points = await reports.traffic.timeseries(
                    site_id, period, view.size, view.window.zone, filters
                )
                return timeseries_table(points)
            case "goals":
                return goals_table(await contents.of_goals.listed(request.record, view, rows))
            case "sessions":
                _, sessions = await contents.of_goals.sessions(request.record, view, parameters, rows)
                return sessions_table(sessions.sessions, reader)
            case "vitals":
                return vitals_table(await contents.vitals(request.record, view, rows))
            case "errors":
                summaries = await reports.errors.summarize(
                    site_id, period, rows.page, filters, choice=rows.choice
                )
                return errors_table(summaries.summaries)
            case "occurrences":
                message = error_message(parameters)
                occurred = await reports.errors.occurrences(
                    site_id, message, period, rows.page, filters, choice=rows.choice
                )
                return occurrences_table(occurred.occurrences, reader)
            case _ if panel in PANELS:
                return await _breakdown_table(contents, request, view.tab(panel), rows)
        return await PanelTables(request, answer, parameters).table(panel)


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


async def _breakdown_table(
    contents: PanelContents, request: ReportRequest, by: str, rows: PanelRows
) -> Table:
    record, view = request.record, request.view
    if view.by_change:
        return movers_table(await contents.movers(record, by, view, MAX_ROWS))
    if has_page_traffic(by, view):
        return pages_table(await contents.pages(record, view, rows.page, rows.choice))
    return breakdown_table(await contents.breakdown(record, by, view, rows.page, rows.choice))


def _file_name(panel: str, request: ReportRequest) -> str:
    view = request.view
    subject = view.tab(panel) if panel in PANELS else panel
    first, last = view.local(view.window.period.start).date(), view.last_day
    return f"{request.record.site.domain}-{subject}-{first}-{last}"
