"""Conversions: how many sessions reached a goal, and which (interface, sections 2.1 and 4.2)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from attrs import frozen

from footfall.domain.errors import Invalid
from footfall.domain.filter import Filter
from footfall.domain.goal import Goal, PathRule, Rule
from footfall.domain.hit import Hit, RecordedHit
from footfall.domain.matching import matcher
from footfall.domain.period import Period
from footfall.domain.selection import select, within
from footfall.domain.session import Session, Visit


@frozen
class Conversions:
    """How many sessions of a period reached a goal in it, and how many sessions there were."""

    conversions: int
    sessions: int

    @property
    def rate(self) -> float:
        """The first by the second, not rounded, from 0 to 1; 0 when there were no sessions."""
        return self.conversions / self.sessions if self.sessions else 0.0


@frozen
class GoalReport:
    """A goal as the list shows it: its definition, when it was defined, and its conversions."""

    goal: Goal
    created_at: datetime
    conversions: Conversions


class GoalSort(StrEnum):
    """By what a list of goals can be sorted (decisions, section 3)."""

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
    """In which order a list of goals is; of equal ones the one with the lower id comes first."""

    sort: GoalSort = GoalSort.CREATED_AT
    descending: bool = True


def count_conversions(
    rules: Sequence[Rule], hits: Iterable[RecordedHit], period: Period, filters: Iterable[Filter] = ()
) -> list[Conversions]:
    """Return the conversions of each rule in the period, in the order of the rules, for one site's hits."""
    selected = select(hits, period, filters)
    return [Conversions(len(_converted(rule, selected, period)), len(selected)) for rule in rules]


def converted_sessions(
    rule: Rule, hits: Iterable[RecordedHit], period: Period, filters: Iterable[Filter] = ()
) -> list[Session]:
    """Return the sessions that satisfied the rule in the period: latest end first, ties by higher id."""
    converted = _converted(rule, select(hits, period, filters), period)
    sessions = [visit.session for visit in converted]
    return sorted(sessions, key=lambda session: (session.end, session.session_id), reverse=True)


def sort_goals(reports: Iterable[GoalReport], order: GoalOrder) -> list[GoalReport]:
    """Return the goals in order. Names are compared without regard to case first."""
    by_id = sorted(reports, key=_SORT_KEYS[GoalSort.GOAL_ID])
    return sorted(by_id, key=_SORT_KEYS[order.sort], reverse=order.descending)


def parse_goal_order(parameters: Mapping[str, str]) -> GoalOrder:
    """Return the order of the query parameters `sort` and `order`; without them the newest comes first.

    Raises:
        Invalid: one of them is none that is accepted; the faults name those that are.

    """
    sort, order = parameters.get("sort", GoalSort.CREATED_AT), parameters.get("order", "desc")
    accepted: dict[str, tuple[str, Sequence[str]]] = {
        "sort": (sort, list(GoalSort)),
        "order": (order, ["asc", "desc"]),
    }
    faults = {
        name: [f"must be one of {', '.join(values)}"]
        for name, (value, values) in accepted.items()
        if value not in values
    }
    if faults:
        raise Invalid(faults)
    return GoalOrder(GoalSort(sort), descending=order == "desc")


def goal_type(rule: Rule) -> str:
    """Return the `goalType` of a rule (interface, section 2.1)."""
    return "path" if isinstance(rule, PathRule) else "event"


def _converted(rule: Rule, visits: Iterable[Visit], period: Period) -> list[Visit]:
    satisfied: Callable[[Hit], bool] = matcher(rule)
    return [visit for visit in visits if any(satisfied(recorded.hit) for recorded in within(visit, period))]
