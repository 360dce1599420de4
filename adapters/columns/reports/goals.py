"""Conversions of goals: the store sums those of its goals; all others are found by matching hits with the rules."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.selection.expressions import (
    event_condition,
    group_condition,
    of_types,
    page_condition,
    path_condition,
)
from footfall.adapters.columns.selection.row_choice import containing, page_parameters
from footfall.adapters.columns.sql_files import Kept, compose, over, select
from footfall.application.ports.reports.reports import MatchedSessions, StoredConversions
from footfall.application.ports.reports.sessions import StoredSessions
from footfall.domain.goals.goal import EventRule, GoalQuery, PageGroupRule, PathRule
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.conversion import SEARCHED_OF_SESSIONS, Conversions, SessionCounts
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class ColumnGoalReports:
    """GoalReports from files and fresh rows, and from what the store sums of its goals."""

    _columns: Columns
    _stored: StoredConversions
    _sessions: StoredSessions

    async def count_conversions(
        self, site_id: int, goals: Sequence[GoalQuery], query: ReportQuery
    ) -> list[Conversions]:
        """Return the conversions of each goal, in the order of the goals."""
        stored = {} if query.filters else await self._stored.counted(site_id, goals, query.period)
        uncounted = [goal for index, goal in enumerate(goals) if index not in stored]
        if not uncounted:
            return [stored[index] for index in range(len(goals))]
        matched = iter(
            await self._columns.answer(site_id, query, lambda reading: _conversions(reading, uncounted))
        )
        return [stored[index] if index in stored else next(matched) for index in range(len(goals))]

    async def converted_sessions(
        self, site_id: int, goal: GoalQuery, query: ReportQuery, page: Page, *, choice: RowChoice = EVERY_ROW
    ) -> MatchedSessions:
        """Return a page of the sessions that satisfied the rule, latest end first."""
        if not query.filters:
            stored = await self._stored.sessions(site_id, goal, query.period, page, choice)
            if stored is not None:
                return stored

        async def by_columns(reading: Reading) -> MatchedSessions:
            ids, total = await _page(reading, goal, page, choice)
            return MatchedSessions(await self._sessions.named(site_id, ids), total)

        return await self._columns.answer(site_id, query, by_columns)

    async def are_counted(self, site_id: int, goals: Sequence[GoalQuery], period: Period) -> bool:
        """Whether no files have to be read for the conversions of the goals."""
        return await self._stored.are_counted(site_id, goals, period)

    async def set_aside(self, site_id: int) -> Mapping[int, str]:
        """Return the goals of the site that the store does not count, with the reasons."""
        return await self._stored.set_aside(site_id)


async def _conversions(reading: Reading, goals: Sequence[GoalQuery]) -> list[Conversions]:
    aside = await reading.store.set_aside(goals)
    query = over(compose("goals/sessions"), sessions=reading.selection.sessions)
    [(sessions, viewed)] = await reading.query(query)
    every = SessionCounts(await _matched(reading, goals), sessions, viewed)
    return [every.of(0 if reason else every.converted[index], reason) for index, reason in enumerate(aside)]


async def _matched(reading: Reading, goals: Sequence[GoalQuery]) -> dict[int, int]:
    """Return the number of sessions that reached each goal, by its index."""
    values = reading.selection.values
    paths, pages, events = dict[int, str](), dict[int, str](), dict[int, str]()
    for index, goal in enumerate(goals):
        match goal.rule:
            case PathRule(pattern, None):
                paths[index] = path_condition(pattern, values)
            case PageGroupRule():
                paths[index] = group_condition(goal.rule, values)
            case PathRule():
                pages[index] = page_condition(goal.rule, values)
            case EventRule():
                events[index] = event_condition(goal.rule, values)
    return {
        **await _of_type(reading, HitType.PAGEVIEW, paths, by_paths=True),
        **await _of_type(reading, HitType.PAGEVIEW, pages),
        **await _of_type(reading, HitType.CUSTOM_EVENT, events),
    }


async def _of_type(
    reading: Reading, kind: HitType, conditions: Mapping[int, str], *, by_paths: bool = False
) -> dict[int, int]:
    if not conditions:
        return {}
    flags = ", ".join(f"({condition}) as matches_{index}" for index, condition in conditions.items())
    hits = reading.selection.hits(of_types([kind]))
    if by_paths:
        # Hits are read once for all goals, and each path is compared once.
        relations = {
            "viewed": Kept(over(compose("goals/viewed"), hits=hits)),
            "viewed_path": over(compose("selection/paths"), hits="from viewed"),
            "path": select("viewed_path", columns=f"pathname, {flags}"),
            "matched": compose("goals/matched"),
        }
    else:
        relations = {"matched": over(select("hits", columns=f"session_id, {flags}"), hits=hits)}
    [row] = await reading.query(over(compose("goals/converted"), **relations))
    return dict(zip(conditions, row, strict=True))


async def _page(reading: Reading, goal: GoalQuery, page: Page, choice: RowChoice) -> tuple[list[int], int]:
    """Return the ids of the sessions on a page, and the number of those on all pages."""
    await reading.expect_counted(goal)
    selection = reading.selection
    reached = f"session_id in ({selection.converted([goal])})"
    sessions = selection.sessions_that(reached, containing(choice, *SEARCHED_OF_SESSIONS))
    text = over(compose("goals/page"), sessions=sessions)
    rows = await reading.query(text, **page_parameters(page, choice))
    return [session_id for _, session_id in rows if session_id is not None], rows[0][0]
