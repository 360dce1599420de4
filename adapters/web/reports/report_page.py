"""Pages of reports, and what all of them have in common."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.rendering import RenderedResource
from footfall.adapters.web.reports.report_request import ReportAccess, ReportRequest
from footfall.adapters.web.security_headers import allow_framing
from footfall.adapters.web.services import Dashboard
from footfall.application.citations.answer_states import Answer
from footfall.application.journal.directory import Directory
from footfall.application.reports.exclusions import count_excluded
from footfall.domain.annotations.annotations import Annotation
from footfall.domain.exceptions import NotFound
from footfall.domain.periods.period import Period
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.traffic.dimensions import FAMILIES
from footfall.domain.traffic.filters import DEFINED_PARAMETERS, GROUP_PARAMETERS, PARAMETERS, FilterType

# Files and panels of single sessions: those of all visits, and those of goals, which a site can share.
VISITS = "visits"
OF_SESSIONS = frozenset({VISITS, "sessions"})


class NotShared(NotFound):
    """The panel is for members only, and the settings of the site do not share it."""

    def __init__(self) -> None:
        super().__init__("This site does not share its errors and sessions")


# The panels of links that open pages and files of other names.
_OPENED_BY = {
    "chart": SharedPanel.OVERVIEW,
    "metrics": SharedPanel.OVERVIEW,
    "property": SharedPanel.PROPERTIES,
    "property-timeseries": SharedPanel.PROPERTIES,
    "occurrences": SharedPanel.ERRORS,
}


def shared_panels(name: str) -> Sequence[SharedPanel]:
    """Return the panels of links that open a panel, a file or an explanation of this name; none opens others."""
    panel = _OPENED_BY.get(name, name)
    return [SharedPanel(panel)] if panel in list(SharedPanel) else []


def require_visits(panel: str, request: ReportRequest) -> None:
    """Refuse panels and files of single sessions: where the site shows none, and of all visits to readers outside.

    Raises:
        NotFound: the reader sees no such panel.

    """
    if panel == VISITS and not request.belongs:
        raise NotFound("Panel not found")
    if panel in OF_SESSIONS:
        request.record.site.config.require_visits()


@frozen
class ReportPage(RenderedResource):
    """A page of reports, with the access check of readers, and the services that it calls."""

    _access: ReportAccess
    _services: Dashboard

    async def values(self, request: ReportRequest, answer: Answer) -> dict[str, Any]:
        """Return what every page with an answer shows: its view, what one may filter by, and what the numbers lack.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        excluded = await excluded_sessions(request, answer)
        return {
            **request.values,
            **filter_choices(request),
            "missing": answer.missing,
            "excluded": excluded,
        }

    async def render(
        self, req: Request, resp: Response, request: ReportRequest, template: str, values: Mapping[str, Any]
    ) -> None:
        """Make a page the response; search engines skip those of links, and some sites frame theirs."""
        await self.renderer.render(req, resp, template, **values)
        set_reader_headers(resp, request)


def visible_annotations(request: ReportRequest, directory: Directory, period: Period) -> list[Annotation]:
    """Return the annotations of a period. Their texts are those of members: other readers do not see them."""
    if not request.belongs:
        return []
    return directory.annotations(request.record.site.site_id).within(period)


def filter_choices(request: ReportRequest) -> dict[str, Any]:
    """Return the attributes and conditions that the reader may filter by."""
    parameters = [name for name in PARAMETERS if name not in DEFINED_PARAMETERS]
    reader = request.reader
    permitted = [name for name in parameters if reader.may_use(name)]
    permitted += filter(reader.may_use, GROUP_PARAMETERS) if request.record.site.page_groups.rules else []
    permitted += [family.name for family in FAMILIES.values() if reader.may_use(family.of_key(""))]
    return {"parameters": permitted, "types": list(FilterType)}


async def excluded_sessions(request: ReportRequest, answer: Answer) -> int | None:
    """Return how many sessions of the period of a page the exclusion rules of the site leave out.

    None to the readers of a link, which can show some of the sessions.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    view, traffic = request.view, answer.reports.traffic
    if request.limits is not None:
        return None
    return await count_excluded(traffic, request.record.site.site_id, view.window.period, view.exclusion)


def set_reader_headers(resp: Response, request: ReportRequest) -> None:
    """Set what pages for readers need: search engines skip links, and some sites frame their page."""
    if request.by_link:
        # The address contains the key, which search engines must not index.
        resp.set_header("X-Robots-Tag", "noindex")
    if request.view.embedded and request.may_embed:
        allow_framing(resp, request.record.site.config.embed_origins)
