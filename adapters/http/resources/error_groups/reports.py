"""Groups of errors: their list, and the page of one (docs/errors/error-groups.md)."""

from collections.abc import Mapping
from typing import Any

from footfall.adapters.http.resources.endpoint import Body, Endpoints, ReaderCall
from footfall.adapters.http.resources.error_groups.bodies import group_body, shown_body
from footfall.adapters.http.resources.reports.description import PAGED, Answered, Report, Reports, State
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.application.access.authorization import Access
from footfall.application.reports.catalogue.error_groups import ErrorGroupsInquiry
from footfall.application.reports.error_groups import GroupList, GroupRequest, show_group
from footfall.domain.error_tracking.fingerprint import is_fingerprint
from footfall.domain.error_tracking.grouping import GroupSort, parse_sort
from footfall.domain.error_tracking.status import ErrorStatus, parse_status
from footfall.domain.exceptions import ErrorNotFound, Invalid

ENDPOINTS = Endpoints()


def _groups(state: State) -> ErrorGroupsInquiry:
    parameters, reader = state.parameters, state.reader
    query, page = state.query, state.page
    request = GroupRequest(
        page=page,
        sort=parameters.read(lambda texts: parse_sort(texts.get("sort")), GroupSort.COUNT),
        status=parameters.read(_status, None),
        assignee=parameters.read(lambda texts: _assignee(texts, belongs=reader.belongs), None),
        containing=parameters.search().containing,
    )
    decisions = state.directory.error_decisions(reader.site_id)
    return ErrorGroupsInquiry(query, decisions, parameters.now, reader, request)


def _groups_body(answered: Answered[ErrorGroupsInquiry, GroupList]) -> dict[str, Any]:
    inquiry, groups = answered.inquiry, answered.result
    data = [group_body(group, inquiry.reader) for group in groups.groups]
    return {"data": data, "meta": page_meta(inquiry.request.page, groups.total)}


@ENDPOINTS.of_reader("GET", "/errors/{group}", Access.DETAILS)
async def show_error_group(call: ReaderCall) -> Body:
    """Answer with the stacks of a group, where it occurs, the sessions that met it, and the trail of one."""
    reader, group, parameters = call.reader, call.path["group"], call.parameters(own=("session",))
    query = parameters.query()
    session = parameters.read(lambda texts: texts.get("session"), None)
    parameters.check()
    if not is_fingerprint(group):
        raise ErrorNotFound
    async with call.opened(parameters, query.period, history=True) as answering:
        decisions = answering.directory.error_decisions(reader.site_id)
        shown = await show_group(
            answering.reports.error_groups,
            answering.reports.sessions,
            decisions,
            reader.site_id,
            group,
            query,
            parameters.now,
            session=session,
        )
    # Source maps belong to the present, and to members.
    present = reader.belongs and reader.as_of is None
    latest = [stack.latest for stack in shown.details.stacks] if present else []
    sourced = await call.services.source_stacks.of(reader.site_id, latest)
    return {"data": shown_body(shown, reader, sourced)}


def _status(texts: Mapping[str, str]) -> ErrorStatus | None:
    return parse_status(texts.get("status"))


def _assignee(texts: Mapping[str, str], *, belongs: bool) -> str | None:
    assignee = texts.get("assignee")
    if assignee is not None and not belongs:
        raise Invalid({"assignee": ["is only for members of the site's organization"]})
    return assignee


REPORTS: Reports = {
    "errors": Report(
        explained="errors",
        access=Access.DETAILS,
        own=("search",),
        shown=(*PAGED, "sort", "status", "assignee"),
        inquiry=_groups,
        body=_groups_body,
    )
}
