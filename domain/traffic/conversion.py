"""Conversions: the sessions that reached a goal, each counted once (docs/read/reports.md#goals).

Revenue by source counts each hit that satisfies a goal instead: `domain/revenue/revenue.py`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from attrs import frozen

from footfall.domain.exceptions import require_valid
from footfall.domain.goals.goal import EventRule, Goal, PageGroupRule, PathRule, Rule
from footfall.domain.goals.matching import matcher
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.tracking.hit import Hit, RecordedHit
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.selection import hits_in_period, select_visits
from footfall.domain.traffic.session import Session, Visit

# The attributes of a session that a list of sessions is searched in.
SEARCHED_OF_SESSIONS = ("entry_page", "exit_page", "channel", "browser", "operating_system")


@frozen
class Conversions:
    """The number of sessions of a period that reached a goal in it, and of all its sessions.

    `set_aside` gives the reason why a store does not count a goal; such a goal has no conversions. Of a goal, and not
    of the values of a breakdown, it is known how many of all sessions have a pageview, in the period or not.
    """

    conversions: int
    sessions: int
    set_aside: str | None = None
    sessions_with_pageviews: int | None = None

    @property
    def rate(self) -> float:
        """Conversions by sessions, not rounded, from 0 to 1; 0 without sessions."""
        return self.conversions / self.sessions if self.sessions else 0.0


@frozen
class SessionCounts:
    """The sessions of a period: those that reached goals, by the goal; all; and those with a pageview."""

    converted: Mapping[int, int]
    sessions: int
    with_pageviews: int

    def of(self, conversions: int, set_aside: str | None = None) -> Conversions:
        """Return the conversions of a goal among these sessions."""
        return Conversions(conversions, self.sessions, set_aside, self.with_pageviews)


@frozen
class GoalReport:
    """An entry of the list of goals: definition, time of definition, conversions."""

    goal: Goal
    created_at: datetime
    conversions: Conversions


class GoalSort(StrEnum):
    """The sort keys of a list of goals."""

    CREATED_AT = "createdAt"
    NAME = "name"
    GOAL_TYPE = "goalType"
    GOAL_ID = "goalId"
    TOTAL_CONVERSIONS = "total_conversions"
    CONVERSION_RATE = "conversion_rate"


_SORT_KEYS: Mapping[GoalSort, Callable[[GoalReport], Any]] = {
    GoalSort.CREATED_AT: lambda report: report.created_at,
    GoalSort.NAME: lambda report: (report.goal.name.casefold(), report.goal.name),
    GoalSort.GOAL_TYPE: lambda report: goal_type(report.goal.rule),
    GoalSort.GOAL_ID: lambda report: report.goal.goal_id,
    GoalSort.TOTAL_CONVERSIONS: lambda report: report.conversions.conversions,
    GoalSort.CONVERSION_RATE: lambda report: report.conversions.rate,
}


@frozen
class GoalOrder:
    """The order of a list of goals; goals with equal keys are ordered by id, ascending."""

    sort: GoalSort = GoalSort.CREATED_AT
    descending: bool = True


def count_conversions(
    rules: Sequence[Rule], hits: Iterable[RecordedHit], period: Period, filters: Iterable[Filter] = ()
) -> list[Conversions]:
    """Return the conversions of each rule in the period, in the order of the rules, for one site's hits."""
    selected = select_visits(hits, period, filters)
    counts = SessionCounts({}, len(selected), sum(visit.session.pageviews > 0 for visit in selected))
    return [counts.of(len(_converted(rule, selected, period))) for rule in rules]


def converted_sessions(
    rule: Rule,
    hits: Iterable[RecordedHit],
    period: Period,
    filters: Iterable[Filter] = (),
    *,
    choice: RowChoice = EVERY_ROW,
) -> list[Session]:
    """Return the chosen sessions that satisfied the rule in the period: latest end first, ties by higher id.

    They are searched in their entry and exit page, channel, browser and operating system.
    """
    converted = _converted(rule, select_visits(hits, period, filters), period)
    sessions = [
        visit.session
        for visit in converted
        if choice.is_in(*(getattr(visit.session, name) for name in SEARCHED_OF_SESSIONS))
    ]
    return sorted(sessions, key=lambda session: (session.end, session.session_id), reverse=True)


def sort_goals(reports: Iterable[GoalReport], order: GoalOrder) -> list[GoalReport]:
    """Return the goals in order; names compare without regard to case first."""
    by_id = sorted(reports, key=_SORT_KEYS[GoalSort.GOAL_ID])
    return sorted(by_id, key=_SORT_KEYS[order.sort], reverse=order.descending)


def parse_goal_order(parameters: Mapping[str, str]) -> GoalOrder:
    """Return the order of the query parameters `sort` and `order`; the default is the newest first.

    Raises:
        Invalid: a value is not accepted; the errors name the accepted ones.

    """
    sort, order = parameters.get("sort", GoalSort.CREATED_AT), parameters.get("order", "desc")
    accepted: dict[str, tuple[str, Sequence[str]]] = {
        "sort": (sort, list(GoalSort)),
        "order": (order, ["asc", "desc"]),
    }
    errors = {
        name: [f"must be one of {', '.join(values)}"]
        for name, (value, values) in accepted.items()
        if value not in values
    }
    require_valid(errors)
    return GoalOrder(GoalSort(sort), descending=order == "desc")


def goal_type(rule: Rule) -> str:
    """Return the `goalType` of a rule, as the HTTP interface names it."""
    match rule:
        case PathRule():
            return "path"
        case PageGroupRule():
            return "page_group"
        case EventRule():
            return "event"


def _converted(rule: Rule, visits: Iterable[Visit], period: Period) -> list[Visit]:
    satisfied: Callable[[Hit], bool] = matcher(rule)
    return [
        visit
        for visit in visits
        if any(satisfied(recorded.hit) for recorded in hits_in_period(visit, period))
    ]
