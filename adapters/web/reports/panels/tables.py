"""Tables of panels that are no report of a view alone: the chosen funnel and event, bots, cohorts, and annotations."""

from footfall.adapters.web.reports.panels.contents import PanelContents
from footfall.adapters.web.reports.panels.funnels import FunnelPanels
from footfall.adapters.web.reports.panels.inquiries import of_bots, of_cohorts, of_properties, of_revenue
from footfall.adapters.web.reports.panels.rows import PanelRows
from footfall.adapters.web.reports.report_request import ReportRequest
from footfall.application.citations.answer_states import Answer
from footfall.application.ports.reports.properties import PropertyPage
from footfall.application.reports.catalogue.funnels import FunnelInquiry, FunnelProgress
from footfall.application.reports.tables import MAX_ROWS, Table, annotations_table
from footfall.domain.exceptions import NotFound

# The tables with single errors, which sites share with other readers than members on request.
OF_ERRORS = frozenset({"error-groups", "error-costs"})


async def table_of_panel(name: str, request: ReportRequest, answer: Answer, rows: PanelRows) -> Table:
    """Return the rows of a panel.

    Raises:
        NotFound: there is no such panel, or the reader may not see it.

    """
    record, view = request.record, request.view
    contents = PanelContents(answer.reports, answer.directory)
    match name:
        case "funnels":
            shown = await FunnelPanels(answer.reports, answer.directory).progress(record, view, rows)
            if shown["progress"] is None:
                raise NotFound("Funnel not found" if shown["refusal"] is None else shown["refusal"])
            inquiry: FunnelInquiry = shown["inquiry"]
            return inquiry.table(FunnelProgress(shown["progress"], shown["before"]))
        case "properties":
            listed = await contents.of_properties.listed(record, view, rows)
            properties = listed["listing"] or PropertyPage([], 0)
            return of_properties(view, listed["event"] or "", record, rows).table(properties)
        case "bots":
            of_site = of_bots(view, record.site, rows.page)
            return of_site.table(await of_site.ask(answer.reports, record.site.site_id))
        case "retention":
            cohorts = of_cohorts(view, request.kept, answer.directory, record.site.site_id)
            return cohorts.table(await cohorts.ask(answer.reports, record.site.site_id))
        case "revenue":
            of_goal = of_revenue(view, request.kept, answer.directory, record.site.site_id, rows)
            if of_goal is None:
                raise NotFound("The site has no goal")
            return of_goal.table(await of_goal.ask(answer.reports, record.site.site_id))
        case "annotations" if request.belongs:
            annotations = answer.directory.annotations(record.site.site_id)
            return annotations_table(annotations.newest_first(releases=False)[:MAX_ROWS])
    raise NotFound("Panel not found")
