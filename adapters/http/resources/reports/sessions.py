"""The sessions of a site and the page of one, over HTTP (docs/read/visits.md)."""

import json
from collections.abc import Mapping
from typing import Any

from footfall.adapters.http.resources.endpoint import Endpoints, ReaderCall, Result
from footfall.adapters.http.resources.reports.description import Answered, Report, Reports, State
from footfall.adapters.http.wire.report_bodies import page_meta, step_body, visit_bodies
from footfall.application.access.authorization import Access
from footfall.application.access.readers import Reader
from footfall.application.journal.directory import Directory
from footfall.application.reports.catalogue.cohorts import FIRST, FIRST_GOAL, listed_first
from footfall.application.reports.catalogue.journeys import GROUPS, OF_LISTS, listed_journey
from footfall.application.reports.catalogue.sessions import (
    ERROR,
    SessionList,
    SessionsInquiry,
    listed_errors,
)
from footfall.application.reports.session_page import (
    SessionQuestion,
    ShownSession,
    ShownStep,
    find_session,
    show_session,
)
from footfall.application.reports.tables import Table, table_of
from footfall.domain.exceptions import SiteNotFound, existing
from footfall.domain.tracking.hit import HitType
from footfall.domain.visits.session_list import parse_place, parse_visitor

PAGE_SIZE = 25
TRAIL_SIZE = 200
# Each step is read with all that its hit has: an error has up to 64 kB.
TRAIL_SIZE_OF_FILES = 1_000
# The place behind which a list goes on, also where the answer is a file.
NEXT = "Footfall-Next"
_STEP = (
    *("timestamp", "secondsSinceLast", "type", "pathname", "querystring", "text", "properties"),
    *("engagedSeconds", "scrollPercent", "goals", "errorGroup"),
)

ENDPOINTS = Endpoints()


def require_visits(directory: Directory, reader: Reader) -> None:
    """Refuse single sessions where the site, as it is at present, does not show any.

    Raises:
        SiteNotFound: the site was deleted after the reader was admitted.
        VisitsTurnedOff: it shows none.

    """
    existing(directory.site(str(reader.site_id)), SiteNotFound).site.config.require_visits()


def _sessions(state: State) -> SessionsInquiry:
    require_visits(state.present, state.reader)
    parameters = state.parameters
    query, choice, most = state.query, parameters.search(), state.page_of(PAGE_SIZE).size
    visitor = parameters.read(lambda texts: parse_visitor(texts.get("visitor")), None)
    after = parameters.read(lambda texts: parse_place(texts.get("cursor")), None)
    directory, site_id = state.directory, state.reader.site_id
    journey = parameters.read(lambda texts: listed_journey(texts, directory, site_id), None)
    decisions, none = directory.error_decisions(site_id), tuple[str, ...]()
    errors = parameters.read(lambda texts: listed_errors(texts.get(ERROR), decisions), none)
    zone, now = state.zone, parameters.now
    first = parameters.read(lambda texts: listed_first(texts, zone, now, directory, site_id), None)
    return SessionsInquiry(query, choice, visitor, after, most, journey, errors, first)


def _next(listed: SessionList) -> str | None:
    return None if listed.next is None else str(listed.next)


def _sessions_body(answered: Answered[SessionsInquiry, SessionList]) -> dict[str, Any]:
    listed = answered.result
    meta = {"pageSize": answered.inquiry.most, "next": _next(listed)}
    return {"data": visit_bodies(listed.sessions), "meta": meta}


def _sessions_headers(listed: SessionList) -> Mapping[str, str]:
    following = _next(listed)
    return {} if following is None else {NEXT: following}


@ENDPOINTS.of_reader("GET", "/sessions/{session}", Access.VIEWER)
async def show_session_page(call: ReaderCall) -> Result:
    """Answer with a session, its trail, and the other visits of its visitor; as CSV with the trail."""
    reader, reports = call.reader, call.services.reports
    require_visits(reports.directory, reader)
    parameters = call.parameters(own=("page", "limit"), common={"as_of"})
    page = parameters.page(size=TRAIL_SIZE, in_file=TRAIL_SIZE_OF_FILES)
    parameters.check()
    found_session = await find_session(reports.present.sessions, reader.site_id, call.path["session"])
    exclusion = reader.exclusion()
    is_cheap = reader.as_of is None and found_session.is_cheap(exclusion)
    async with call.opened(parameters, found_session.span, is_cheap=is_cheap) as answering:
        question = SessionQuestion.of(found_session, page, answering.directory, reader.site_id, exclusion)
        shown = await show_session(
            answering.reports.sessions, reader.site_id, question, reports.compile_patterns
        )
    if parameters.csv:
        return _trail_table(shown)
    return {"data": _shown_body(shown), "meta": page_meta(page, shown.total)}


def _shown_body(shown: ShownSession) -> dict[str, Any]:
    return {
        **visit_bodies([shown.session])[0],
        "excluded": shown.excluded,
        "trail": [_shown_step_body(step) for step in shown.trail],
        "others": visit_bodies(shown.others),
        "moreOthers": shown.has_more,
    }


def _shown_step_body(shown: ShownStep) -> dict[str, Any]:
    recorded, pause = shown.step.recorded, shown.step.since_last
    hit, engagement = recorded.hit, recorded.engagement
    engaged = None if engagement is None else engagement.engaged_ms
    # Exact, whatever an event holds.
    properties = json.dumps(hit.properties, ensure_ascii=False) if hit.properties is not None else ""
    return {
        **step_body(shown.step),
        "secondsSinceLast": None if pause is None else pause.total_seconds(),
        "querystring": hit.querystring or "",
        "properties": properties if hit.type is HitType.CUSTOM_EVENT else "",
        "engagedSeconds": None if engaged is None else engaged / 1000,
        "scrollPercent": None if engagement is None else engagement.scroll_percent,
        "goals": [{"goalId": goal.goal_id, "name": goal.name} for goal in shown.goals],
        "errorGroup": shown.group,
    }


def _trail_table(shown: ShownSession) -> Table:
    rows = map(_shown_step_body, shown.trail)
    # A cell has the numbers of the goals.
    return table_of(
        _STEP, [{**row, "goals": " ".join(str(goal["goalId"]) for goal in row["goals"])} for row in rows]
    )


REPORTS: Reports = {
    "sessions": Report(
        access=Access.VIEWER,
        own=("search", "visitor", ERROR, *FIRST, FIRST_GOAL, *OF_LISTS, GROUPS),
        shown=("cursor", "limit"),
        inquiry=_sessions,
        body=_sessions_body,
        headers=_sessions_headers,
    )
}
