"""Groups of errors with their status and decisions: lists by status and assignee, and the page of one."""

from collections.abc import Sequence
from datetime import datetime

from attrs import evolve, frozen

from footfall.application.ports.errors.error_groups import ErrorGroupReports
from footfall.application.ports.reports.sessions import SessionReports
from footfall.domain.error_tracking.decisions import ErrorDecisions, GroupDecision
from footfall.domain.error_tracking.group_details import GroupDetails
from footfall.domain.error_tracking.grouping import GroupChoice, GroupSort, GroupSummary, group_status
from footfall.domain.error_tracking.occurrence import Occurrence
from footfall.domain.error_tracking.status import ErrorStatus
from footfall.domain.exceptions import ErrorNotFound, Invalid, SessionNotFound, existing
from footfall.domain.pagination import Page
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.session import parse_session_id, session_text
from footfall.domain.visits.trail import Trail, TrailPart


@frozen(kw_only=True)
class GroupRequest:
    """The choice of a list of groups; without status, assignee, text or the groups themselves it shows all."""

    page: Page
    sort: GroupSort = GroupSort.COUNT
    status: ErrorStatus | None = None
    assignee: str | None = None
    containing: str = ""
    only: frozenset[str] | None = None


# The steps before an error that its page shows.
LONGEST_TRAIL = 50


@frozen
class ListedGroup:
    """A group with its decisions and its status."""

    summary: GroupSummary
    decision: GroupDecision
    status: ErrorStatus


@frozen
class GroupList:
    """A page of groups, and the number of groups on all pages."""

    groups: Sequence[ListedGroup]
    total: int


@frozen
class ShownGroup:
    """The page of a group: the group in the period, if it occurred in it, its details, and the trail of a session."""

    group: str
    listed: ListedGroup | None
    decision: GroupDecision
    members: Sequence[str]
    details: GroupDetails
    session: Occurrence | None
    trail: Trail


async def list_groups(
    reports: ErrorGroupReports,
    decisions: ErrorDecisions,
    site_id: int,
    query: ReportQuery,
    request: GroupRequest,
    now: datetime,
) -> GroupList:
    """Return a page of the groups of a site.

    Raises:
        StoreUnavailable: the store does not answer.
        Invalid: a regular expression among the filters takes too long.

    """
    decisions = decisions.with_former(await reports.former_resolutions(site_id))
    return await _list(reports, decisions, site_id, query, request, now)


async def _list(
    reports: ErrorGroupReports,
    decisions: ErrorDecisions,
    site_id: int,
    query: ReportQuery,
    request: GroupRequest,
    now: datetime,
) -> GroupList:
    choice = await _choice(reports, decisions, site_id, request, now)
    choice = evolve(choice, containing=request.containing)
    page = await reports.groups(
        site_id,
        query,
        decisions,
        request.page,
        sort=request.sort,
        choice=choice,
    )
    return GroupList([_listed(summary, decisions, now) for summary in page.summaries], page.total)


async def show_group(
    reports: ErrorGroupReports,
    sessions: SessionReports,
    decisions: ErrorDecisions,
    site_id: int,
    fingerprint: str,
    query: ReportQuery,
    now: datetime,
    *,
    session: str | None = None,
) -> ShownGroup:
    """Return the page of the group that a fingerprint is part of; `session` is the text of a session listed on it.

    Raises:
        ErrorNotFound: no exception with this fingerprint was ever reported on the site.
        StoreUnavailable: the store does not answer.
        SessionNotFound: the session is not stored any more.
        Invalid: the session is not on the page, or a regular expression among the filters takes too long.

    """
    decisions = decisions.with_former(await reports.former_resolutions(site_id))
    group = decisions.group_of(fingerprint)
    if not await reports.histories(site_id, decisions, [group]):
        raise ErrorNotFound
    alone = GroupRequest(page=Page(1, 1), only=frozenset({group}))
    listed = await _list(reports, decisions, site_id, query, alone, now)
    details = await reports.details(site_id, group, query, decisions)
    met = await _session(sessions, site_id, details, session)
    return ShownGroup(
        group,
        next(iter(listed.groups), None),
        decisions.of(group),
        decisions.members(group),
        details,
        met,
        await _trail(sessions, site_id, met),
    )


async def _choice(
    reports: ErrorGroupReports, decisions: ErrorDecisions, site_id: int, request: GroupRequest, now: datetime
) -> GroupChoice:
    """Return the groups of a status and an assignee: those without a decision are open and not assigned."""
    if request.only is not None:
        return GroupChoice(request.only, but=False)
    if request.assignee is not None:
        groups = [group for group in decisions.own_groups if decisions.of(group).assignee == request.assignee]
        if request.status is not None:
            statuses = await _statuses(reports, decisions, site_id, groups, now)
            groups = [group for group in groups if statuses.get(group) is request.status]
        return GroupChoice(frozenset(groups), but=False)
    if request.status is None:
        return GroupChoice()
    decided = [group for group in decisions.own_groups if decisions.of(group).closes]
    statuses = await _statuses(reports, decisions, site_id, decided, now)
    if request.status is ErrorStatus.OPEN:
        closed = (group for group, status in statuses.items() if status is not ErrorStatus.OPEN)
        return GroupChoice(frozenset(closed))
    return GroupChoice(frozenset(group for group in statuses if statuses[group] is request.status), but=False)


async def _statuses(
    reports: ErrorGroupReports, decisions: ErrorDecisions, site_id: int, groups: Sequence[str], now: datetime
) -> dict[str, ErrorStatus]:
    histories = await reports.histories(site_id, decisions, groups)
    return {group: group_status(decisions.of(group), history, now) for group, history in histories.items()}


def _listed(summary: GroupSummary, decisions: ErrorDecisions, now: datetime) -> ListedGroup:
    decision = decisions.of(summary.group)
    return ListedGroup(summary, decision, group_status(decision, summary.history, now))


async def _trail(sessions: SessionReports, site_id: int, met: Occurrence | None) -> Trail:
    if met is None:
        return Trail([], 0)
    part = TrailPart(most=LONGEST_TRAIL, skipped=None, until=met.moment)
    return await sessions.trail(site_id, met.session_id, part)


async def _session(
    sessions: SessionReports, site_id: int, details: GroupDetails, text: str | None
) -> Occurrence | None:
    """Return the occurrence of a session, also by an id that it had before it was joined with another one."""
    if text is None:
        return next(iter(details.latest), None)
    by_id = {session_text(occurrence.session_id): occurrence for occurrence in details.latest}
    if text not in by_id and (position := parse_session_id(text)) is not None:
        session = existing(await sessions.session_with(site_id, position), SessionNotFound)
        text = session_text(session.session_id)
    if text in by_id:
        return by_id[text]
    raise Invalid({"session": ["must be the session_id of a session that this error lists in the period"]})
