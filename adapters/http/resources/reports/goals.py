"""The list of goals and the sessions of one, over HTTP (docs/read/reports.md#goals)."""

from typing import Any

from footfall.adapters.http.resources.reports.description import (
    PAGE_SIZE,
    PAGED,
    Answered,
    Report,
    Reports,
    State,
)
from footfall.adapters.http.resources.reports.sessions import require_visits
from footfall.adapters.http.wire.parameters import path_id
from footfall.adapters.http.wire.report_bodies import goal_report_body, page_meta, session_bodies
from footfall.application.ports.reports.reports import MatchedSessions
from footfall.application.reports.catalogue.goals import (
    NEWEST_FIRST,
    GoalList,
    GoalSessionsInquiry,
    GoalsInquiry,
    goal_at,
)
from footfall.domain.exceptions import GoalNotFound
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.traffic.conversion import parse_goal_order

SESSIONS_PAGE_SIZE = 25


def _goals(state: State) -> GoalsInquiry:
    query, order = state.query, state.parameters.read(parse_goal_order, NEWEST_FIRST)
    choice, page = state.parameters.search(), state.page_of(PAGE_SIZE, ("limit", "page_size"))
    goals = tuple(goal for goal in state.reader.goals if choice.is_in(goal.goal.name))
    # The columns of a CSV file are the same for all goals, whatever their events hold.
    counts_alone = state.is_explained or state.parameters.csv
    return GoalsInquiry(query, goals, order, page, {} if counts_alone else state.currencies)


def _goals_body(answered: Answered[GoalsInquiry, GoalList]) -> dict[str, Any]:
    inquiry, listing = answered.inquiry, answered.result
    data = [goal_report_body(*report) for report in zip(listing.reports, listing.values, strict=True)]
    return {"data": data, "meta": page_meta(inquiry.page, len(inquiry.goals))}


def _sessions(state: State) -> GoalSessionsInquiry:
    number = path_id(state.path["goal"], GoalNotFound)
    choice, query = state.parameters.search(), state.query
    page = state.page_of(SESSIONS_PAGE_SIZE)
    state.parameters.check()
    require_visits(state.present, state.reader)
    goal = goal_at(state.directory, state.reader.site_id, number)
    return GoalSessionsInquiry(query, goal.query, state.reader, choice, page)


def _sessions_body(answered: Answered[GoalSessionsInquiry, MatchedSessions]) -> dict[str, Any]:
    inquiry, page = answered.inquiry, answered.result
    data = list(map(inquiry.reader.shown, session_bodies(page.sessions)))
    return {"data": data, "meta": page_meta(inquiry.page, page.total)}


REPORTS: Reports = {
    "goals": Report(
        panels=frozenset({SharedPanel.GOALS}),
        explained="goals",
        own=("search",),
        shown=(*PAGED, "page_size", "sort", "order"),
        inquiry=_goals,
        body=_goals_body,
    ),
    "goals/{goal}/sessions": Report(own=("search", *PAGED), inquiry=_sessions, body=_sessions_body),
}
